"""The pages say what the code does: names, tables, commands and what they print, links."""

import re
import runpy
import shlex
import sys
import tomllib

import pytest
import yaml
from tests.docs.pages import ALL, FENCE, PAGES, ROOT, WIDTH, blocks, renewed
from tests.running import ran

import magistrate
from magistrate.case import ALIASES
from magistrate.metrics import metric_infos
from magistrate.report.documents import _WRITERS
from magistrate.scoring import POLICIES
from magistrate.verdict import IssueCode, Status

SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
TOP = {"index.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"}  # made from the pages at the top of the tree


def first_cells(page):
    """The first cells of all table rows of a page, without their marks."""
    return re.findall(r"^\| `([^`]+)`", ALL[f"docs/{page}"], re.MULTILINE)


class TestTables:
    def test_statuses_and_issues_are_all_there_and_no_others(self):
        assert first_cells("statuses.md") == [str(status) for status in Status] + [str(code) for code in IssueCode]

    def test_policies_are_all_there_with_their_formulas(self):
        assert first_cells("policies.md") == list(POLICIES)
        assert [one.name for one in POLICIES.values() if one.formula not in ALL["docs/policies.md"]] == []

    def test_metrics_are_all_there_with_their_direction_and_threshold(self):
        rows = [line.strip("| ").split(" | ") for line in ALL["docs/metrics.md"].splitlines()]
        told = [(row[0].strip("`"), row[2], float(row[3])) for row in rows if row[0].startswith("`") and len(row) == 5]
        better = {"maximize": "more", "minimize": "less"}
        assert told == [(one.name, better[one.direction], one.threshold) for one in metric_infos()]

    def test_fields_of_a_case_are_all_there_with_their_other_names(self):
        assert first_cells("datasets.md") == list(ALIASES)
        for field, names in ALIASES.items():
            row = re.search(rf"^\| `{field}` \|(.*)\|$", ALL["docs/datasets.md"], re.MULTILINE)
            assert re.findall(r"`(\w+)`", row[1]) == [name for name in names if name != field]

    def test_reports_are_all_there_and_in_the_help_of_output(self, commands):
        cells = re.findall(r"^\| (`\..*?) \|", ALL["docs/reports.md"], re.MULTILINE)
        assert set(re.findall(r"`(\.\w+)`", " ".join(cells))) == set(_WRITERS)
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
    @pytest.mark.parametrize("page", ALL)
    def test_every_command_and_option_of_a_page_exists(self, page, commands):
        fenced = [text for kind, _, text, _ in blocks(ALL[page]) if kind in {"sh", "console"}]
        told = [" ".join(one.split()) for one in re.findall(r"`(magistrate [^`]+)`", FENCE.sub("", ALL[page]))]
        command = r"^(?:\$ )?(?:\S*/)?magistrate ((?:[^\n`]|\\\n)+)$"
        for line in re.findall(command, "\n".join([*fenced, *told]), re.MULTILINE):
            words = shlex.split(line.replace("\\\n", " "), comments=True)
            known = commands
            while words and hasattr(known, "commands") and not words[0].startswith("-") and words[0] != "COMMAND":
                assert words[0] in known.commands, line
                known = known.commands[words.pop(0)]
            options = {option for parameter in known.params for option in (*parameter.opts, *parameter.secondary_opts)}
            found = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
            assert [option for option in found if option not in options | {"--help"}] == [], line

    @pytest.mark.parametrize("page", [page for page in ALL if page.startswith("docs/start/")])
    def test_a_first_page_is_no_longer_than_a_screen_or_two(self, page):
        assert len(ALL[page].splitlines()) <= 60


def test_every_link_to_a_file_leads_to_one():
    links = [(page, link) for page in ALL for link in re.findall(r"\]\(([^)#\s:]+)(?:#[^)\s]+)?\)", ALL[page])]
    assert [(page, link) for page, link in links if not ((ROOT / page).parent / link).exists()] == []


def test_the_example_of_the_public_names_runs(capsys):
    runpy.run_path(str(ROOT / "examples" / "api.py"))
    assert "partial [<Verdict.SUPPORTED: 'supported'>, None]" in capsys.readouterr().out


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_command_prints_what_the_page_shows(path, monkeypatch):
    monkeypatch.setenv("COLUMNS", WIDTH)
    monkeypatch.setenv("NO_COLOR", "1")
    page = path.read_text(encoding="utf-8")
    assert renewed(page) == page


def test_a_page_that_shows_something_else_would_be_noticed(monkeypatch):
    monkeypatch.setenv("COLUMNS", WIDTH)
    command = '$ magistrate parse reply.txt -s "The lock works."'
    page = f"```text reply.txt\n1. yes\n```\n\n```console\n{command}\nsomething else\n```\n"
    new = renewed(page)
    assert "ok: 1 of 1 statements have a verdict (numbered)" in new
    assert "something else" not in new
    assert renewed(new) == new


def test_every_path_of_the_table_is_there():
    rows = [line for line in ALL["docs/architecture.md"].splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 20
    named = [path for row in rows for path in re.findall(r"`([\w./-]+)`", row)]
    assert [path for path in named if "/" in path and not (ROOT / path).exists()] == []
    first = [re.findall(r"`([\w./-]+)`", row.split("|")[2])[0] for row in rows]  # where to look begins with a path
    assert [path for path in first if not (ROOT / path).exists()] == []


def test_every_room_is_drawn():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    rooms = re.findall(r"magistrate\.(\w+)", " ".join(contracts[0]["layers"]))
    page = ALL["docs/architecture.md"]
    assert [room for room in rooms if (ROOT / "src/magistrate" / room).is_dir() and room not in page] == []


def test_the_navigation_names_every_page_once():
    pages = {page.removeprefix("docs/") for page in ALL if page.startswith("docs/")}
    assert sorted(re.findall(r"[\w./-]+\.md", yaml.safe_dump(SITE["nav"]))) == sorted(pages | TOP)


def test_a_dead_link_fails_the_build():
    assert SITE["strict"] is True
    assert set(SITE["validation"].values()) == {"warn"}


def test_the_reference_names_public_names_alone_and_none_twice():
    listed = re.findall(r"members:\s*\[([^\]]+)\]", ALL["docs/api.md"])
    members = re.findall(r"\w+", " ".join(listed))
    members.remove("REST")  # packaging/site.py puts the others there
    assert len(members) == len(set(members))
    assert set(members) <= set(magistrate.__all__)
