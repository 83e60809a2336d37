"""Verdicts as text: tags, YAML, tables, lists, the line of final verdicts, one word a line."""

from __future__ import annotations

import json

from magistrate.testing.strategies.material import Ask

__all__ = ["bold_list", "final_line", "labelled", "numbered", "table", "word_lines", "xml", "yaml"]


def xml(ask: Ask) -> None:
    """An element for each statement."""
    out = ask.out
    out.write("<verdicts>\n")
    for at in ask.shuffled():
        reason = ask.reasons[at].replace("&", "&amp;").replace("<", "&lt;")
        out.write(f'  <item id="{at + 1}"><reason>{reason}</reason><verdict>')
        out.token(at, ask.words[at])
        out.write("</verdict></item>\n")
    out.write("</verdicts>")


def yaml(ask: Ask) -> None:
    """A fenced YAML list."""
    out = ask.out
    out.write("```yaml\nverdicts:\n")
    for at, word in enumerate(ask.words):
        out.write(f"  - id: {at + 1}\n    verdict: ")
        out.token(at, word)
        out.write("\n    reason: ", json.dumps(ask.reasons[at] or "none given", ensure_ascii=False), "\n")
    out.write("```")


def table(ask: Ask) -> None:
    """A Markdown table, its rows in any order."""
    out = ask.out
    out.write("| # | Statement | Verdict | Note |\n|---|---|---|---|\n")
    for at in ask.shuffled():
        out.write(f"| {at + 1} | {ask.statements[at]} | ")
        out.token(at, ask.words[at])
        out.write(" | ", ask.reasons[at].replace("|", "/").replace("\n", " "), " |\n")


def numbered(ask: Ask) -> None:
    """A numbered list: the verdict, perhaps with a reason."""
    out = ask.out
    head = ask.pick("%. ", "%) ", "%: ", "Statement %: ", "**%.** ", "Claim % - ", "[%] ", "#%: ")
    for at, word in enumerate(ask.words):
        out.write("\n" if at else "", head.replace("%", str(at + 1)))
        out.token(at, word)
        reason = ask.reasons[at].replace("\n", " ") or "see the text"
        out.write(ask.pick("", ".", f" - {reason}"))


def bold_list(ask: Ask) -> None:
    """A bulleted list of statements, each with its verdict in bold."""
    out = ask.out
    bullet, between = ask.pick("%. ", "- ", "* "), ask.pick(" **", " - **", ": **", " → **")
    for at, word in enumerate(ask.words):
        out.write("\n" if at else "", bullet.replace("%", str(at + 1)), ask.statements[at], between)
        out.token(at, word)
        out.write("**")


def labelled(ask: Ask) -> None:
    """Each statement repeated, an explanation, and a line with the verdict."""
    out = ask.out
    label = ask.pick("Verdict: ", "verdict: ", "**Verdict:** ", "Final verdict: ", "Answer: ", "Judgment: ")
    for at, word in enumerate(ask.words):
        reason = ask.reasons[at].replace("\n", " ") or "see above"
        out.write("\n\n" if at else "", f"{at + 1}. {ask.statements[at]}\nExplanation: {reason}\n{label}")
        out.token(at, word)


def final_line(ask: Ask) -> None:
    """All verdicts in one line, in order, with or without numbers."""
    out = ask.out
    out.write(
        ask.pick(
            "Final verdict for each statement in order: ",
            "Final verdicts: ",
            "Verdicts in order: ",
            "**Final verdict for each statement in order:** ",
        )
    )
    separator, end = ask.pick((". ", "."), (", ", ""), ("; ", ""), (" | ", ""))
    numbers = ask.pick(False, True)
    for at, word in enumerate(ask.words):
        out.write(separator if at else "", f"{at + 1}. " if numbers else "")
        out.token(at, word)
    out.write(end)


def word_lines(ask: Ask) -> None:
    """One word a line."""
    out = ask.out
    bullet = ask.pick("", "- ", "* ")
    for at, word in enumerate(ask.words):
        out.write("\n" if at else "", bullet)
        out.token(at, word)
