"""The documentation is true: pages that follow from the code are compared, what others show is run or read."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from scaup.reports import pages
from scaup.rules import known_rules

DOCS = Path(__file__).parent.parent / "docs"


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_pages_say_what_the_code_says(tmp_path: Path) -> None:
    """Where it fails: `.venv/bin/python docs/generate.py`."""
    _generator().main(tmp_path)
    made = {file.relative_to(tmp_path).as_posix(): file.read_text("utf-8") for file in tmp_path.rglob("*.md")}
    kept = {name: (DOCS / name).read_text("utf-8") for name in made if (DOCS / name).exists()}
    assert kept == made
    assert {file.stem for file in (DOCS / "rules").glob("*.md")} == {"README", *(rule.code for rule in known_rules())}


def test_a_page_shows_hostile_text_as_text() -> None:
    text = "a | b\n<script>`x`</script> \x1b[31m[c](d)"
    found = [{"text": text, "surface": "hint", "siblings": {}, "suggestion": None}]
    row = {
        "code": "X101", "name": "x", "class": "A", "severity": "low", "habit": "h", "help": "About.", "found": found,
        "passed": [],
    }  # fmt: skip
    (line,) = [line for line in pages.rule_page(row).splitlines() if "script" in line]
    assert "<" not in line and "\x1b" not in line
    assert len(re.findall(r"(?<!\\)\|", line)) == 4


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"(?<!\\)\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target
