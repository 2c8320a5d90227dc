"""The command as people and hooks use it, on small repositories worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Scaup
from facts import write_files
from gitrepo import GitRepo
from syrupy.assertion import SnapshotAssertion

SERVER = '''
    from mcp.server.fastmcp import FastMCP

    mcp = FastMCP("ledger")


    @mcp.tool()
    def read_ledger(name: str) -> str:
        """Read a ledger."""
        if not name:
            raise ValueError("The ledger is busy. Try again later.")
        return f"Ledger {name} was read. Do not poll it."


    @mcp.tool()
    def close_ledger(name: str) -> str:
        """Closes a ledger. You will be notified when it is done."""
        return render(name)


    def render(name: str) -> str:
        return f"Closing {name} has started; end your turn, we will wake you."
'''
JOB = "import os\n\n\ndef load(path):\n    return os.path.basename(path)\n"


@pytest.fixture
def scaup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Scaup:
    root = tmp_path / "ledger"
    repo = GitRepo(root)
    write_files(root, {"server.py": SERVER, "job.py": JOB})
    repo.git("add", "-A")
    repo.git("commit", "-qm", "made")
    return Scaup(root, capsys)


def test_people_see(scaup: Scaup, snapshot: SnapshotAssertion) -> None:
    ran = scaup("audit")
    assert (ran.status, ran.err) == (1, "")
    assert ran.out == snapshot


def test_people_see_passes_and_promises_where_they_ask(scaup: Scaup, snapshot: SnapshotAssertion) -> None:
    ran = scaup("audit", "--show-passes", "--confidence", "needs_evidence")
    assert ran.out == snapshot


def test_json_has_all_that_a_renderer_needs(scaup: Scaup) -> None:
    response = scaup("audit", "--format", "json").json
    assert response["success"] and response["complete"]
    row = next(row for row in response["diagnostics"] if row["rule"] == "C101")
    assert (row["path"], row["class"], row["surface"], row["evidence"]) == (
        "server.py",
        "C",
        "error_message",
        "reachable",
    )
    assert row["text"] == "Try again later."
    assert row["excerpt"] == '        raise ValueError("The ledger is busy. Try again later.")'
    assert row["span"] == {"start_line": 10, "start_column": 47, "end_line": 10, "end_column": 63}
    assert row["excerpt"][46:62] == row["text"]
    assert {rule["code"] for rule in response["rules"]} == {row["rule"] for row in response["diagnostics"]}
    assert response["inspected"]["files"] == 2
    assert response["inspected"]["files_with_text"] == 1


def test_two_audits_are_the_same_bytes(scaup: Scaup) -> None:
    assert scaup("audit", "--format", "json").out == scaup("audit", "--format", "json").out


def test_a_full_audit_is_kept_in_the_facts_and_asked_for_again(scaup: Scaup) -> None:
    first = scaup("audit", "--format", "json").json
    rows = scaup(
        "sql",
        "SELECT rule, count(*) AS n FROM adjudications WHERE verdict = 'finding' GROUP BY ALL",
        "--format",
        "json",
    ).json
    assert sum(n for _, n in rows["rows"]) >= len(first["diagnostics"]) > 0
    assert scaup("audit", "--format", "json").json == first


def test_files_are_audited_as_they_are_and_nothing_is_written(scaup: Scaup) -> None:
    scaup("ingest")
    store = scaup.root / ".scaup" / "facts.duckdb"
    before = store.read_bytes()
    with (scaup.root / "server.py").open("a") as file:
        file.write('\n\n@mcp.tool()\ndef f() -> str:\n    """Poll it until it is done."""\n')
    response = scaup("audit", str(scaup.root / "server.py"), "--format", "json").json
    assert "Poll it until it is done." in {row["text"] for row in response["diagnostics"]}
    assert response["unchecked_files"] == ["server.py"]
    assert store.read_bytes() == before


def test_files_and_the_whole_repository_say_the_same_of_an_unchanged_file(scaup: Scaup) -> None:
    whole = scaup("audit", "--format", "json").json["diagnostics"]
    alone = scaup("audit", str(scaup.root / "server.py"), "--format", "json").json["diagnostics"]
    assert whole == alone


def test_without_facts_a_file_is_audited_and_the_gap_is_named(scaup: Scaup) -> None:
    ran = scaup("audit", str(scaup.root / "server.py"))
    assert ran.status == 1
    assert "graph: there are no facts yet" in ran.err
    assert not (scaup.root / ".scaup" / "facts.duckdb").exists()


def test_nothing_inspected_is_not_called_clean(scaup: Scaup) -> None:
    ran = scaup("audit", str(scaup.root / "job.py"), "--quiet")
    assert ran.status == 0
    assert ran.out == "Nothing inspected: no agent-facing text in 1 file.\n"


def test_a_file_that_cannot_be_handled_is_named(scaup: Scaup) -> None:
    (scaup.root / "picture.xyz").write_bytes(b"x")
    ran = scaup("audit", str(scaup.root / "picture.xyz"), "--require-complete")
    assert "picture.xyz was not read (unsupported_language)" in ran.err
    assert ran.status == 3


def test_a_folder_limits_the_report_and_keeps_nothing(scaup: Scaup) -> None:
    write_files(scaup.root, {"other/tool.py": SERVER})
    response = scaup("audit", str(scaup.root / "other"), "--format", "json").json
    assert {row["path"] for row in response["diagnostics"]} == {"other/tool.py"}
    assert scaup("sql", "SELECT count(*) FROM adjudications", "--format", "json").json["rows"] == [[0]]


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        (["--select", "C"], {"C101"}),
        (["--select", "C101,A"], {"C101", "A101"}),
        (["--select", "retry-without-bound"], {"C101"}),
        (["--ignore", "A", "--ignore", "C", "--ignore", "F"], set()),
    ],
)
def test_rules_are_selected_by_class_code_and_name(scaup: Scaup, arguments: list[str], rules: set[str]) -> None:
    response = scaup("audit", *arguments, "--format", "json").json
    assert {row["rule"] for row in response["diagnostics"]} == rules


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--select", "C10"], None),
        (["--select", "C999"], "unknown rule 'C999'; `scaup rules` lists them"),
        (
            ["--ignore", "retry-without-bounds"],
            "unknown rule 'retry-without-bounds'; did you mean retry-without-bound?",
        ),
        (["nowhere"], "nowhere does not exist"),
    ],
)
def test_what_is_not_known_is_named_with_the_nearest_that_is(
    scaup: Scaup, arguments: list[str], message: str | None
) -> None:
    ran = scaup("audit", *arguments)
    assert ran.status == (1 if message is None else 2)
    assert message is None or message in ran.err


def test_configuration_selects_ignores_and_limits(scaup: Scaup) -> None:
    write_files(scaup.root, {"scaup.toml": '[audit]\nignore = ["F"]\n[audit.per-file-ignores]\n"server.py" = ["A"]\n'})
    response = scaup("audit", "--format", "json").json
    assert {row["class"] for row in response["diagnostics"]} == {"C"}


def test_a_wrong_configuration_is_an_error_that_names_it(scaup: Scaup) -> None:
    write_files(scaup.root, {"scaup.toml": '[audit]\nselect = ["C777"]\n'})
    ran = scaup("audit")
    assert ran.status == 2
    assert "scaup.toml: audit.select: unknown rule 'C777'" in ran.err


def test_globs_that_match_nothing_are_said(scaup: Scaup) -> None:
    write_files(scaup.root, {"scaup.toml": '[[audit.surfaces]]\npaths = ["out/*.py"]\nsurface = "hint"\n'})
    ran = scaup("audit")
    assert "scaup.toml: no file matches out/*.py (surface hint)" in ran.err


def test_candidates_are_judged_on_demand(scaup: Scaup) -> None:
    write_files(scaup.root, {"note.py": 'def f():\n    show("The ledger is busy. Try again later.")\n'})
    assert not [row for row in scaup("audit", "--format", "json").json["diagnostics"] if row["path"] == "note.py"]
    found = scaup("audit", "--candidates", "--format", "json").json["diagnostics"]
    assert [(row["rule"], row["evidence"]) for row in found if row["path"] == "note.py"] == [("C101", "candidate")]


def test_moved_lines_keep_their_fingerprints(scaup: Scaup) -> None:
    before = {row["fingerprint"] for row in scaup("audit", "--format", "json").json["diagnostics"]}
    text = (scaup.root / "server.py").read_text()
    (scaup.root / "server.py").write_text("\n\n\n" + text)
    after = {row["fingerprint"] for row in scaup("audit", "--format", "json").json["diagnostics"]}
    assert before == after


def test_texts_of_the_repository_are_inert_on_a_terminal(scaup: Scaup) -> None:
    evil = 'from mcp import tool\n\n@tool\ndef f():\n    """Poll it until done \\x1b[31mred\\x07. ::error::x"""\n'
    write_files(scaup.root, {"evil.py": evil})
    out = scaup("audit").out
    assert "\x1b" not in out and "\x07" not in out
    assert r"\x1b[31mred" in out


def test_rules_are_listed_and_explained(scaup: Scaup, snapshot: SnapshotAssertion) -> None:
    listed = scaup("rules", inside=False)
    assert listed.status == 0
    assert [line.split()[0] for line in listed.out.splitlines()] == sorted(
        {line.split()[0] for line in listed.out.splitlines()}
    )
    explained = scaup("rule", "c101", inside=False)
    assert explained.out == snapshot
    assert scaup("rule", "retry-without-bound", inside=False).out == explained.out
    assert "did you mean" in scaup("rule", "C1O1", inside=False).err
