#!/usr/bin/env python3
"""Writes the pages that follow from the code: one a rule, their index, and the tables.

.venv/bin/python docs/generate.py [FOLDER]
"""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

import duckdb

from scaup.pipeline import contract, store
from scaup.reports import pages
from scaup.rules import known_rules
from scaup.rules.answer import explained
from scaup.rules.model import Habit


def pages_of() -> dict[str, str]:
    """Return the pages by path from the folder of the documentation."""
    rules = [explained(rule) for rule in known_rules()]
    made = {f"rules/{pages.page_name(rule)}": pages.rule_page(rule) for rule in rules}
    made["rules/README.md"] = pages.rule_index(rules, {habit.letter: habit.title for habit in Habit})
    with duckdb.connect() as con:
        con.execute(files("scaup.pipeline").joinpath("schema.sql").read_text("utf-8"))
        made["tables.md"] = pages.tables_page(contract.tables(con), store.CONTRACT_VERSION)
    return made


def main(folder: Path) -> None:
    """Write the pages; those of rules that are gone go."""
    made = pages_of()
    for old in (folder / "rules").glob("*.md"):
        if f"rules/{old.name}" not in made:
            old.unlink()
    for name, text in made.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
