"""Pages of documentation in Markdown, from what rules and the database say of themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scaup.reports import inert

Row = Mapping[str, Any]

GENERATED = "<!-- Made by docs/generate.py from what the code says; a test compares. -->"


def rule_page(rule: Row) -> str:
    """Return the page of one rule, given as `scaup rule CODE` answers with it."""
    lines = [
        f"# {rule['code']}: {rule['name']}",
        "",
        GENERATED,
        "",
        f"Class **{rule['class']}**, severity **{rule['severity']}**. The habit that it is about: {rule['habit']}.",
        "",
        *_about(rule["help"]),
    ]
    if rule["found"]:
        lines += ["", "## What it finds", "", *_examples(rule["found"], "write instead", "suggestion")]
    if rule["passed"]:
        lines += ["", "## What passes", "", *_examples(rule["passed"], "because", "because")]
    code, suppressed = rule["code"], f'scaup: ignore[{rule["code"]}] reason="what makes it safe here"'
    lines += ["", "## How to configure it", ""]
    if rule["class"] == "S":
        lines += [f'It always counts; `ignore = ["{code}"]` under `[audit]` turns it off.']
    else:
        lines += [
            f"`scaup audit --select {code}` asks for it alone. Under `[audit]` of the configuration,"
            f' `ignore = ["{code}"]` turns it off, and',
            "",
            "```toml",
            "[audit.per-file-ignores]",
            f'"legacy/**" = ["{code}"]',
            "```",
            "",
            "turns it off for some files. One text is accepted by a comment on its line or above it:",
            "",
            "```python",
            f"# {suppressed}",
            "```",
        ]
    return "\n".join(lines) + "\n"


def rule_index(rules: Iterable[Row], titles: Mapping[str, str]) -> str:
    """Return the page that lists all rules by class; `titles` are the names of the classes."""
    lines = ["# Rules", "", GENERATED]
    before = ""
    for rule in rules:
        if rule["class"] != before:
            before = rule["class"]
            lines += ["", f"## {before}: {titles[before]}", "", "| rule | severity | finds |", "| --- | --- | --- |"]
        link = f"[{rule['code']}]({page_name(rule)}) {rule['name']}"
        lines.append(f"| {link} | {rule['severity']} | {cell(rule['summary'])} |")
    return "\n".join(lines) + "\n"


def page_name(rule: Row) -> str:
    """Return the name of the file that holds a rule's page."""
    return f"{rule['code']}.md"


def tables_page(tables: Sequence[Row], version: str) -> str:
    """Return the page of the SQL contract: tables and views with their columns, as the database describes them."""
    lines = [
        "# Tables",
        "",
        GENERATED,
        "",
        f"Version {version} of the contract; `scaup sql --schema` prints it from the facts at hand.",
        "NULL means that a fact is not available, never zero.",
    ]
    for table in tables:
        lines += ["", f"## {table['name']}", "", f"{cell(table['comment'] or '')} ({table['kind']})", ""]
        lines += ["| column | type | what it says |", "| --- | --- | --- |"]
        for column in table["columns"]:
            null = "" if column["nullable"] else ", not NULL"
            lines.append(f"| `{column['name']}` | {column['type']}{null} | {cell(column['comment'] or '')} |")
    return "\n".join(lines) + "\n"


def _about(documentation: str) -> list[str]:
    """Return a rule's documentation with its `Habit:` and `Instead:` as headings."""
    lines: list[str] = []
    for line in documentation.rstrip("\n").split("\n"):
        for mark, heading in (("Habit: ", "## Why"), ("Instead: ", "## How to fix it")):
            if line.startswith(mark):
                lines += ["" if lines and lines[-1] else None, heading, ""]  # type: ignore[list-item]  # dropped below
                line = line.removeprefix(mark)
                line = line[:1].upper() + line[1:]
        lines.append(line)
    return [line for line in lines if line is not None]


def _examples(examples: Iterable[Row], title: str, member: str) -> list[str]:
    rows = [f"| text | read as | {title} |", "| --- | --- | --- |"]
    for example in examples:
        text = cell(example["text"])
        beside = "".join(f"<br>beside parameter `{name}`: {cell(of)}" for name, of in example["siblings"].items())
        rows.append(f"| {text}{beside} | `{example['surface']}` | {cell(example.get(member) or '')} |")
    return rows


# As entities where a backslash does not help: markup inside of a word, mentions of people.
_MARKS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"} | {mark: f"\\{mark}" for mark in "\\`*_[]|#~!$"}
_INERT = str.maketrans(_MARKS)


def cell(text: str) -> str:
    """Return a text as a cell of a table in Markdown: one line, and nothing in it is markup."""
    return inert.line(" ".join(text.split())).translate(_INERT)
