"""What a pack lacks is named in its header, in each state that facts can be in, with seeds or without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Scaup
from gitrepo import GitRepo
from packs import packed
from syrupy.assertion import SnapshotAssertion

from scaup.pipeline import store
from scaup.pipeline.ingest import ingest, project
from scaup.reports.pack import render_markdown, render_text

FILES = {
    "a.py": "def run(speed):\n    return walk(speed) * 2\n\n\ndef walk(speed):\n    print(speed)\n",
    "b.py": "from a import run\n\n\ndef race():\n    return run(9)\n",
}


def facts(root: Path, change: str | None = None) -> Path:
    """Build facts of a repository, and change them as a run of a stage would have left them."""
    GitRepo(root).commit(FILES)
    ingest(project(root), workers=1)
    if change:
        with store.write(store.locate(root), timeout=5) as writer:
            writer.con.execute(change)
            writer.publish()
    return root


def shallow(place: Path) -> Path:
    repo = GitRepo(place / "full")
    repo.commit(FILES)
    repo.commit({"a.py": FILES["a.py"] + "\n"})
    root = repo.clone(place / "shallow", "--depth", "1").root
    ingest(project(root), workers=1)
    return root


def without_git(root: Path) -> Path:
    for name, text in FILES.items():
        (root / name).write_text(text)
    ingest(project(root), workers=1)
    return root


def stage(name: str, state: str, reason: str, more: str = "") -> Callable[[Path], Path]:
    change = f"UPDATE stage_runs SET state = '{state}', reason = '{reason}' WHERE stage = '{name}';"
    return lambda root: facts(root, change + more)


STATES: dict[str, tuple[Callable[[Path], Path], list[str], bool]] = {
    # name: how it comes about, what the header names, whether the answer is complete
    "whole": (facts, [], True),
    "history skipped": (without_git, ["history-skipped"], True),
    "history shallow": (shallow, ["history-shallow"], True),
    "history partial": (stage("history", "partial", "partial clone"), ["history-partial"], True),
    "history failed": (stage("history", "failed", "git failed"), ["history-failed"], False),
    "graph unavailable": (
        stage("graph", "failed", "out of memory", "DELETE FROM edges; DELETE FROM symbol_metrics;"),
        ["graph-unavailable"],
        False,
    ),
    "metrics unavailable": (
        stage("metrics", "failed", "out of memory", "DELETE FROM symbol_metrics;"), ["metrics-unavailable"], False
    ),
    "index partial": (stage("index", "partial", "out of memory"), ["index-partial"], True),
    "index unavailable": (
        stage("index", "failed", "out of memory", "DELETE FROM postings; DELETE FROM terms;"),
        ["index-unavailable"],
        False,
    ),
    "files skipped": (
        stage(
            "parse", "partial", "1 unreadable",
            "UPDATE files SET excluded_reason = 'unreadable' WHERE path = 'b.py'",
        ),
        ["files-skipped"],
        False,
    ),
    "folder not listed": (stage("discover", "partial", "1 folders cannot be listed"), ["files-skipped"], False),
    "walk truncated": (
        stage("discover", "partial", "more than 2 files: the rest was left out"), ["walk-truncated"], False
    ),
}  # fmt: skip


@pytest.mark.parametrize("state", STATES)
def test_each_state_is_named_with_and_without_seeds(tmp_path: Path, snapshot: SnapshotAssertion, state: str) -> None:
    make, names, complete = STATES[state]
    root = make(tmp_path)
    for options in ({"query": "run"}, {"query": "zzyzx"}, {"symbol": "run"}):
        response = packed(root, **options)
        assert (response["degraded"], response["complete"]) == (names, complete)
        for text in (render_text(response), render_markdown(response)):
            header = text.partition("\n")[0]
            assert (f"degraded={','.join(names)}" in header) == bool(names)
            assert ("neighbors=skipped(graph-unavailable)" in header) == ("graph-unavailable" in names)
    assert render_text(packed(root, query="run")) == snapshot(name=state)
    assert render_text(packed(root, query="zzyzx")) == snapshot(name=f"{state}, no seeds")


def test_facts_that_are_stale_are_named(
    tmp_path: Path, snapshot: SnapshotAssertion, capsys: pytest.CaptureFixture[str]
) -> None:
    root = facts(tmp_path / "repo")
    scaup = Scaup(root, capsys)
    (root / "b.py").write_text("# new\n" + FILES["b.py"])
    ran = scaup("pack", "run", "--no-refresh")
    assert ran.out == snapshot(name="facts stale")
    assert "1 file changed" in ran.err
    response = scaup("pack", "run", "--no-refresh", "--format", "json").json
    assert (response["complete"], response["degraded"], response["stale"]["changed_files"]) == (
        False, ["facts-stale"], 1,
    )  # fmt: skip
    assert "facts=stale | degraded=facts-stale | nothing matches" in scaup("pack", "zzyzx", "--no-refresh").out
    assert "facts=fresh" in scaup("pack", "run").out


def test_a_budget_above_the_most_and_scores_that_do_not_separate_are_named(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    GitRepo(tmp_path).commit({f"m{n}.py": f"def kettle_{n}():\n    pass\n" for n in range(6)})
    ingest(project(tmp_path), workers=1)
    assert render_text(packed(tmp_path, query="kettle", budget=5000)) == snapshot(name="budget cut, low confidence")


def test_several_names_stand_in_one_order(tmp_path: Path) -> None:
    root = facts(
        tmp_path,
        "UPDATE stage_runs SET state = 'failed' WHERE stage IN ('history', 'graph', 'metrics', 'index');"
        "UPDATE stage_runs SET state = 'partial', reason = 'more than 2 files, 1 folders cannot be listed' "
        "WHERE stage = 'discover'; UPDATE stage_runs SET state = 'failed' WHERE stage = 'parse'",
    )
    (root / "a.py").write_text("\n")
    assert packed(root, query="run")["degraded"] == [
        "facts-stale", "walk-truncated", "files-skipped", "parse-unavailable", "history-failed", "graph-unavailable",
        "metrics-unavailable", "index-unavailable",
    ]  # fmt: skip
