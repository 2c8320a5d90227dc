"""What silences a finding: comments, configuration, the baseline; and audits of what a change touched."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from commands import Scaup
from facts import write_files
from gitrepo import GitRepo

SERVER = '''
    from mcp.server.fastmcp import FastMCP

    mcp = FastMCP("ledger")


    @mcp.tool()
    def read_ledger(name: str) -> str:
        """Read a ledger."""
        return "The ledger is locked, please retry."


    @mcp.tool()
    def close_ledger(name: str) -> str:
        """Close a ledger."""
        return "Closing has started. Try again later."
'''


@pytest.fixture
def repo(tmp_path: Path) -> GitRepo:
    repo = GitRepo(tmp_path / "ledger")
    write_files(repo.root, {"server.py": SERVER})
    repo.git("add", "-A")
    repo.git("commit", "-qm", "made")
    return repo


@pytest.fixture
def scaup(repo: GitRepo, capsys: pytest.CaptureFixture[str]) -> Scaup:
    return Scaup(repo.root, capsys)


def _edit(repo: GitRepo, old: str, new: str) -> None:
    file = repo.root / "server.py"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def _told(response: dict[str, Any]) -> list[tuple[str, int, str | None]]:
    return [
        (row["rule"], row["span"]["start_line"], row["suppressed"] and row["suppressed"]["by"])
        for row in response["diagnostics"]
    ]


def _sarif(scaup: Scaup) -> list[tuple[str, str | None]]:
    """Return the rule of each result, and by what kind of suppression it does not count."""
    (run,) = json.loads(scaup("audit", "--format", "sarif").out)["runs"]
    return [
        (row["ruleId"], row["suppressions"][0]["kind"] if row.get("suppressions") else None) for row in run["results"]
    ]


def test_the_whole_loop(repo: GitRepo, scaup: Scaup) -> None:
    assert scaup("audit").status == 1
    assert _sarif(scaup) == [("C101", None), ("C101", None)]
    written = scaup("audit", "--write-baseline", "--format", "json")
    assert written.status == 0
    assert written.json["baseline"] == {
        "path": "scaup-baseline.json", "entries": 2, "matched": 2, "stale": [], "written": 2,
    }  # fmt: skip

    # Lines move, and a new finding comes: it alone fails.
    _edit(repo, "@mcp.tool()\ndef close", "# Closing.\n\n\n@mcp.tool()\ndef close")
    _edit(repo, '"""Read a ledger."""', '"""Read a ledger. Keep calling it until it is unlocked."""')
    ran = scaup("audit", "--format", "json")
    assert ran.status == 1
    assert _told(ran.json) == [("C102", 8, None), ("C101", 9, "baseline"), ("C101", 18, "baseline")]
    assert _sarif(scaup) == [("C102", None), ("C101", "external"), ("C101", "external")]

    # It is accepted for a reason.
    _edit(repo, '    """Read', '    # scaup: ignore[C102] reason="the lock ends within a second"\n    """Read')
    ran = scaup("audit", "--format", "json")
    assert ran.status == 0
    assert ran.json["diagnostics"][0]["suppressed"] == {
        "by": "comment",
        "reason": "the lock ends within a second",
        "until": None,
        "path": "server.py",
        "line": 8,
    }
    assert ran.json["classes"]["C"] == {"findings": 0, "needs_evidence": 0, "suppressed": 3, "passes": 0}
    assert _sarif(scaup) == [("C102", "inSource"), ("C101", "external"), ("C101", "external")]

    # The reason runs out.
    _edit(repo, 'second"', 'second" until=2001-02-03')
    ran = scaup("audit", "--format", "json")
    assert ran.status == 1
    assert _told(ran.json)[:2] == [("S102", 8, None), ("C102", 9, None)]

    assert _sarif(scaup) == [("S102", None), ("C102", None), ("C101", "external"), ("C101", "external")]

    # It is fixed, what is accepted stays as it is: the comment is of no use any more.
    ran = scaup("audit", "--unsafe-fixes", "--format", "json")
    assert ran.json["fixes"]["applied"] == 1
    assert "Keep calling it until it is unlocked, " in (repo.root / "server.py").read_text("utf-8")
    _edit(repo, 'second" until=2001-02-03', 'second"')
    assert _told(scaup("audit", "--format", "json").json) == [
        ("S101", 8, None), ("C101", 10, "baseline"), ("C101", 19, "baseline"),
    ]  # fmt: skip

    # Another text is mended: its entry of the baseline is stale.
    _edit(repo, ", please retry", "")
    ran = scaup("audit", "--format", "json")
    assert _told(ran.json) == [("S101", 8, None), ("C101", 19, "baseline")]
    assert _sarif(scaup) == [("S101", None), ("C101", "external")]
    assert ran.json["baseline"]["stale"] == [
        {"rule": "C101", "path": "server.py", "text": "The ledger is locked, please retry."}
    ]


def test_a_text_that_comes_twice_is_accepted_once(repo: GitRepo, scaup: Scaup) -> None:
    scaup("audit", "--write-baseline")
    _edit(repo, "The ledger is locked, please retry.", "The ledger is locked. Try again later.")
    assert [by for _, _, by in _told(scaup("audit", "--format", "json").json)] == ["baseline", None]


def test_files_alone_know_the_baseline_and_say_nothing_of_others(repo: GitRepo, scaup: Scaup) -> None:
    write_files(repo.root, {"other.py": SERVER})
    scaup("audit", "--write-baseline")
    response = scaup("audit", str(repo.root / "server.py"), "--format", "json").json
    assert [by for _, _, by in _told(response)] == ["baseline", "baseline"]
    assert response["baseline"]["stale"] == []


def test_a_baseline_can_be_left_out_or_be_another(repo: GitRepo, scaup: Scaup) -> None:
    scaup("audit", "--write-baseline")
    assert scaup("audit", "--no-baseline").status == 1
    shutil.move(repo.root / "scaup-baseline.json", repo.root / "accepted.json")
    assert scaup("audit").status == 1
    assert scaup("audit", "--baseline", str(repo.root / "accepted.json")).status == 0


@pytest.mark.parametrize(
    "arguments", [["server.py"], ["--select", "C"], ["--ignore", "A"], ["--diff", "HEAD"], ["--no-baseline"]]
)
def test_a_baseline_is_of_everything(repo: GitRepo, scaup: Scaup, arguments: list[str]) -> None:
    ran = scaup("audit", "--write-baseline", *arguments)
    assert ran.status == 2
    assert "error[invalid_request]" in ran.err
    assert not (repo.root / "scaup-baseline.json").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is no baseline"),
        ("[]", "no baseline of version 1"),
        ('{"version": 2, "findings": []}', "no baseline of version 1"),
        ('{"version": 1, "findings": [{"rule": "C101"}]}', "finding 1 has no"),
        ('{"version": 1, "findings": [{"rule": "C101", "path": "a", "text": "b", "count": 0}]}', "finding 1 has no"),
        ('{"version": 1}', "finding 1 has no"),
        ("[" * 100_000, "is no baseline"),
    ],
)
def test_a_broken_baseline_is_an_error(repo: GitRepo, scaup: Scaup, content: str, said: str) -> None:
    (repo.root / "scaup-baseline.json").write_text(content)
    ran = scaup("audit")
    assert ran.status == 2
    assert said in ran.err


def test_the_baseline_is_the_same_file_each_time(repo: GitRepo, scaup: Scaup) -> None:
    file = repo.root / "scaup-baseline.json"
    scaup("audit", "--write-baseline")
    first = file.read_bytes()
    scaup("audit", "--write-baseline")
    assert file.read_bytes() == first
    assert [row["rule"] for row in json.loads(first)["findings"]] == ["C101", "C101"]


def test_a_change_is_audited_by_what_it_touched(repo: GitRepo, scaup: Scaup) -> None:
    assert scaup("audit", "--diff", "HEAD", "--format", "json").json["diagnostics"] == []
    _edit(repo, "Closing has", "Closing now has")
    write_files(repo.root, {"new.py": SERVER})
    response = scaup("audit", "--diff", "HEAD", "--format", "json").json
    assert [(row["path"], row["span"]["start_line"]) for row in response["diagnostics"]] == [
        ("new.py", 9),
        ("new.py", 15),
        ("server.py", 15),
    ]
    assert response["outside_change"] == 1
    assert scaup("audit", "--diff", "nothing").status == 2


@pytest.mark.parametrize(
    ("comment", "rule"),
    [
        ("ignore[C191] reason='x'", "S104"),
        ("ignore[C101]", "S103"),
        ("ignore[A] reason='x'", "S101"),
        ("ignore[C101] reason='x' until=soon", "S104"),
    ],
)
def test_a_suppression_that_silences_nothing_is_a_finding(repo: GitRepo, scaup: Scaup, comment: str, rule: str) -> None:
    _edit(repo, '    return "The', f'    # scaup: {comment}\n    return "The')
    told = _told(scaup("audit", "--format", "json").json)
    assert told[:2] == [(rule, 9, None), ("C101", 10, None)]
    assert (rule, 9, None) not in _told(scaup("audit", "--ignore", "S", "--format", "json").json)


def test_an_unused_one_is_not_told_where_its_rule_was_not_asked(repo: GitRepo, scaup: Scaup) -> None:
    _edit(repo, '    return "The', "    # scaup: ignore[A101] reason='x'\n    return \"The")
    assert [rule for rule, _, _ in _told(scaup("audit", "--select", "C", "--format", "json").json)] == ["C101", "C101"]


def test_a_rule_on_code_may_be_silent_where_the_code_is_not_known(repo: GitRepo, scaup: Scaup) -> None:
    _edit(repo, '    return "The', "    # scaup: ignore[D201] reason='x'\n    return \"The")
    file = str(repo.root / "server.py")
    assert "S101" not in [rule for rule, _, _ in _told(scaup("audit", file, "--format", "json").json)]
    assert "S101" in [rule for rule, _, _ in _told(scaup("audit", "--format", "json").json)]


def test_an_entry_of_the_configuration_silences_files_without_comments(repo: GitRepo, scaup: Scaup) -> None:
    entry = """
        [[audit.suppressions]]
        paths = ["server.py"]
        rules = ["C"]
        text = "Closing has  started"
        reason = "it closes in a second"
    """
    write_files(repo.root, {"scaup.toml": entry})
    response = scaup("audit", "--format", "json").json
    assert _told(response) == [("C101", 9, None), ("C101", 15, "configuration")]
    assert response["diagnostics"][1]["suppressed"] == {
        "by": "configuration", "reason": "it closes in a second", "until": None, "path": "scaup.toml", "line": 1,
    }  # fmt: skip
    write_files(repo.root, {"scaup.toml": entry.replace("Closing has  started", "nowhere")})
    assert _told(scaup("audit", "--format", "json").json)[0] == ("S101", 1, None)
    write_files(repo.root, {"scaup.toml": entry.replace('["C"]', '["C191"]')})
    ran = scaup("audit")
    assert (ran.status, "did you mean C101?" in ran.err) == (2, True)
