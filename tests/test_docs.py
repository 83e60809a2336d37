"""The pages say what the code does: names, tables, commands, links."""

import re
import runpy
import shlex
import sys
from pathlib import Path

import pytest
from tests.running import ran

from magistrate.case import ALIASES
from magistrate.metrics import metric_infos
from magistrate.report.documents import _WRITERS
from magistrate.scoring import POLICIES
from magistrate.verdict import IssueCode, Status

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s:]+)(#[^)\s]+)?\)")


def first_cells(page):
    """The first cells of all table rows of a page, without their marks."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(r"^\| `([^`]+)`", text, re.MULTILINE)


class TestTables:
    def test_statuses_and_issues_are_all_there_and_no_others(self):
        assert first_cells("statuses.md") == [str(status) for status in Status] + [str(code) for code in IssueCode]

    def test_policies_are_all_there_with_their_formulas(self):
        assert first_cells("policies.md") == list(POLICIES)
        text = (ROOT / "docs" / "policies.md").read_text(encoding="utf-8")
        assert [policy.name for policy in POLICIES.values() if policy.formula not in text] == []

    def test_metrics_are_all_there_with_their_direction_and_threshold(self):
        rows = [
            line.strip("| ").split(" | ") for line in (ROOT / "docs" / "metrics.md").read_text("utf-8").splitlines()
        ]
        told = [(row[0].strip("`"), row[2], float(row[3])) for row in rows if row[0].startswith("`") and len(row) == 5]
        better = {"maximize": "more", "minimize": "less"}
        assert told == [(one.name, better[one.direction], one.threshold) for one in metric_infos()]

    def test_fields_of_a_case_are_all_there_with_their_other_names(self):
        assert first_cells("datasets.md") == list(ALIASES)
        text = (ROOT / "docs" / "datasets.md").read_text(encoding="utf-8")
        for field, names in ALIASES.items():
            row = re.search(rf"^\| `{field}` \|(.*)\|$", text, re.MULTILINE)
            assert re.findall(r"`(\w+)`", row[1]) == [name for name in names if name != field]

    def test_reports_are_all_there_and_in_the_help_of_output(self, commands):
        told = {
            ending
            for cell in re.findall(r"^\| (`\..*?) \|", (ROOT / "docs" / "reports.md").read_text("utf-8"), re.MULTILINE)
            for ending in re.findall(r"`(\.\w+)`", cell)
        }
        assert told == set(_WRITERS)
        helps = next(option.help for option in commands.commands["eval"].params if "--output" in option.opts)
        assert [ending for ending in _WRITERS if ending not in helps] == []

    @pytest.mark.slow
    def test_commands_are_all_there(self):
        done = ran(sys.executable, "-c", "from magistrate.cli import main; main()", "--help", check=True)
        commands = set(re.findall(r"^  ([a-z][\w-]*)  ", done.stdout.partition("Commands:")[2], re.MULTILINE))
        assert commands
        assert {cell.split()[1] for cell in first_cells("cli.md") if cell.startswith("magistrate ")} == commands


@pytest.fixture(scope="module")
def commands():
    from magistrate.cli.app import command

    return command()


class TestCommands:
    @pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
    def test_every_command_and_option_of_a_page_exists(self, page, commands):
        for line in re.findall(r"^(?:\$ )?(?:\S*/)?magistrate ((?:[^\n`]|\\\n)+)$", _fenced(page), re.MULTILINE):
            words = shlex.split(line.replace("\\\n", " "), comments=True)
            known = commands
            while words and hasattr(known, "commands") and not words[0].startswith("-") and words[0] != "COMMAND":
                assert words[0] in known.commands, line
                known = known.commands[words.pop(0)]
            options = {option for parameter in known.params for option in (*parameter.opts, *parameter.secondary_opts)}
            found = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
            assert [option for option in found if option not in options | {"--help"}] == [], line

    @pytest.mark.parametrize("page", sorted((ROOT / "docs" / "start").glob("*.md")), ids=lambda page: page.name)
    def test_a_first_page_is_no_longer_than_a_screen_or_two(self, page):
        assert len(page.read_text(encoding="utf-8").splitlines()) <= 60


def _fenced(page):
    """What stands in the shell's fences of a page, and the commands that its sentences name."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r"^```(?:sh|console)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    told = re.findall(r"`(magistrate [^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    return "\n".join([*found, *(" ".join(one.split()) for one in told)])


class TestPages:
    def test_every_link_to_a_file_leads_to_one(self):
        links = [(page, target) for page in PAGES for target, _ in LINK.findall(page.read_text(encoding="utf-8"))]
        assert [link for link in links if not (link[0].parent / link[1]).exists()] == []


def test_the_example_of_the_public_names_runs(capsys):
    runpy.run_path(str(ROOT / "examples" / "api.py"))
    assert "partial [<Verdict.SUPPORTED: 'supported'>, None]" in capsys.readouterr().out
