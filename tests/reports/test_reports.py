"""Renderers: what is inert, what is exact, and what is aligned."""

from __future__ import annotations

import io
import json as standard
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaup.reports import inert, json, problems, table
from scaup.reports.paint import Paint
from scaup.reports.progress import Bar

DANGEROUS = (
    [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))]
    + ["\u2028", "\u2029"]
    + [chr(code) for code in (0xD800, 0xDC80, 0xDCFF, 0xDFFF)]
)


@pytest.mark.parametrize("character", DANGEROUS, ids=lambda character: f"U+{ord(character):04X}")
def test_what_steers_a_terminal_is_escaped(character: str) -> None:
    assert character not in inert.line(f"a{character}b")
    assert inert.line(f"a{character}b").isascii()
    if character not in "\n\t":
        assert character not in inert.block(f"a{character}b")
    assert standard.loads(json.render({"x": f"a{character}b"}).encode("utf-8"))
    if character not in "\n":  # the end of the object
        assert character not in json.render({"x": character})


def test_escapes_are_readable() -> None:
    assert inert.line("\x1b[2J\x9b\u202e\r\n\t\udcff") == "\\x1b[2J\\x9b\\u202e\\r\\n\\t\\xff"
    assert inert.block("a\r\n\tb\rc\n") == "a\n\tb\\rc\n"


@given(st.text())
def test_other_text_stays_as_it_is(text: str) -> None:
    kept = "".join(character for character in text if character not in DANGEROUS)
    assert inert.line(kept) == inert.block(kept) == kept
    assert inert.line(inert.line(text)) == inert.line(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda some: st.lists(some) | st.dictionaries(st.text(), some),
    )
)
def test_json_says_what_the_response_says(value: object) -> None:
    rendered = json.render({"value": value})
    assert rendered.count("\n") == 1
    assert standard.loads(rendered.encode("utf-8")) == {"value": value}


def test_json_keeps_the_order_of_keys_and_the_letters_of_all_languages() -> None:
    assert json.render({"b": "é", "a": None}) == '{"b": "é", "a": null}\n'


def test_numbers_stand_on_the_right_and_wide_letters_count_twice() -> None:
    rows: list[list[object]] = [["日本", 5], ["é", None], ["abc\n", 10]]
    assert table.render(["name", "n"], rows) == (
        "name      n\n"
        "─────  ────\n"
        "日本      5\n"
        "é      NULL\n"
        "abc\\n    10\n"
    )  # fmt: skip


def test_a_long_cell_is_cut_visibly() -> None:
    assert table.render(["x"], [["y" * 200]]).splitlines()[2] == "y" * 119 + "…"


def test_csv_quotes_and_is_inert() -> None:
    rendered = table.render_csv(["a", "b"], [['x "y", z', None], ["1\n2", True], ["\x1b", {"k": [1]}]])
    assert rendered == 'a,b\n"x ""y"", z",\n"1\n2",true\n\\x1b,"{""k"": [1]}"\n'


def test_every_gap_has_a_line() -> None:
    response = {
        "success": True,
        "complete": False,
        "skipped_files": [{"file": f"f{number}.py", "reason": "timeout"} for number in range(12)],
        "stages": [{"stage": "history", "reason": "git failed\x1b"}],
        "pending_files": ["p.py"],
        "unchecked_files": ["u.py"],
        "walk_truncated": True,
        "scope_warnings": ["odd scope"],
        "no_files_matched_scope": True,
    }
    lines = problems.render(response, Paint()).splitlines()
    assert lines[0] == "incomplete: history: git failed\\x1b"
    assert lines[1] == "incomplete: f0.py was not read (timeout)"
    assert lines[11] == "incomplete: 2 more files were not read; --format json lists them"
    assert len(lines) == 17
    assert problems.render({"success": True, "complete": True}, Paint()) == ""


def test_reports_know_nothing_but_the_response() -> None:
    script = (
        "import sys, pkgutil, importlib, scaup.reports as r\n"
        "for m in pkgutil.iter_modules(r.__path__): importlib.import_module('scaup.reports.' + m.name)\n"
        "ours = [m for m in sys.modules if m.startswith('scaup.') and not m.startswith('scaup.reports')]\n"
        "print(set(ours) - {'scaup.pipeline', 'scaup.pipeline.response'}, 'duckdb' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout == "set() False\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_long_work_shows_a_bar_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with Bar(delay=0) as bar:
        bar.stage("parse", 10)
        bar.advance(3)
        until = time.monotonic() + 20
        while "parse" not in stream.getvalue() and time.monotonic() < until:
            time.sleep(0.02)
        bar.stage("graph", None)
        bar.advance(1)
    assert "parse" in stream.getvalue()
    assert stream.getvalue().endswith("\x1b[2K")  # the line is cleared


def test_short_work_and_pipes_see_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, delay, enabled in ((Terminal(), 5, True), (io.StringIO(), 0, True), (Terminal(), 0, False)):
        monkeypatch.setattr("sys.stderr", stream)
        with Bar(delay=delay, enabled=enabled) as bar:
            bar.stage("parse", 10)
            bar.advance(10)
            time.sleep(0.05)
        assert stream.getvalue() == ""
