"""How answering commands get at facts: fresh, stale, locked, missing, damaged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import shop

from scaup.pipeline import facts, ingest, store
from scaup.pipeline.response import ScaupError


@pytest.fixture
def project(tmp_path: Path) -> Iterator[ingest.Project]:
    shop.build(tmp_path / "shop")
    yield ingest.project(tmp_path / "shop")


def names(opened: facts.Facts) -> set[str]:
    return {name for (name,) in opened.con.execute("SELECT qualname FROM symbols").fetchall()}


def test_facts_are_made_where_there_are_none(project: ingest.Project) -> None:
    with facts.open_facts(project) as opened:
        assert opened.state == "fresh"
        answer = opened.answer({"x": 1})
    assert list(answer) == ["success", "complete", "facts", "x"]
    assert answer["complete"] is True
    assert list(answer["facts"]) == ["state_id", "head", "dirty"]


def test_a_change_is_seen_by_the_next_answer(project: ingest.Project) -> None:
    with facts.open_facts(project):
        pass
    (project.root / "src/shop/new.py").write_text("def brand_new(): pass\n")
    with facts.open_facts(project) as opened:
        assert "brand_new" in names(opened)
        assert opened.answer({})["facts"]["dirty"] is True


def test_without_a_refresh_nothing_is_written_and_the_answer_says_how_stale_it_is(project: ingest.Project) -> None:
    ingest.ingest(project)
    before = (project.root / ".scaup/facts.duckdb").stat()
    (project.root / "src/shop/new.py").write_text("def brand_new(): pass\n")
    (project.root / "src/shop/money.py").unlink()
    with facts.open_facts(project, refresh=False) as opened:
        assert "brand_new" not in names(opened)
        answer = opened.answer({})
    assert answer["complete"] is False
    assert answer["stale"] == {
        "changed_files": 2,
        "head_moved": False,
        "reason": "since the facts were made, 2 files changed",
    }
    assert answer["stages"] == [{"stage": "ingest", "reason": "since the facts were made, 2 files changed"}]
    after = (project.root / ".scaup/facts.duckdb").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_commit_alone_makes_facts_stale(tmp_path: Path) -> None:
    repo = shop.build(tmp_path)
    project = ingest.project(tmp_path)
    ingest.ingest(project)
    repo.commit(message="empty")
    with facts.open_facts(project, refresh=False) as opened:
        assert opened.stale is not None
        assert (opened.stale["changed_files"], opened.stale["head_moved"]) == (0, True)


def test_while_another_process_writes_old_facts_answer_and_say_so(project: ingest.Project) -> None:
    ingest.ingest(project)
    (project.root / "src/shop/new.py").write_text("def brand_new(): pass\n")
    with store.write(project.location, timeout=1), facts.open_facts(project, wait=0.1) as opened:
        assert opened.state == "stale"
        answer = opened.answer({})
    assert answer["complete"] is False
    assert [gap["stage"] for gap in answer["stages"]] == ["ingest"]
    assert answer["stages"][0]["reason"].startswith("another process is writing the facts")
    assert answer["stale"]["changed_files"] == 1


def test_while_another_process_writes_fresh_facts_are_complete(project: ingest.Project) -> None:
    ingest.ingest(project)
    with store.write(project.location, timeout=1), facts.open_facts(project, wait=0.1) as opened:
        assert opened.answer({})["complete"] is True


def test_without_facts_a_held_lock_is_a_failure(project: ingest.Project) -> None:
    with (
        store.write(project.location, timeout=1),
        pytest.raises(ScaupError, match="did not finish within") as error,
    ):
        facts.open_facts(project, wait=0.1)
    assert error.value.code == "store_locked"


def test_without_facts_and_refresh_the_way_out_is_named(project: ingest.Project) -> None:
    with pytest.raises(ScaupError, match="Run `scaup ingest`") as error:
        facts.open_facts(project, refresh=False)
    assert error.value.code == "facts_unavailable"


@pytest.mark.parametrize("content", [b"", b"not a database", os.urandom(9000)])
def test_a_store_that_is_no_database_is_made_anew(project: ingest.Project, content: bytes) -> None:
    (project.root / ".scaup/facts.duckdb").write_bytes(content)
    with pytest.raises(ScaupError) as error:
        facts.open_facts(project, refresh=False)
    assert error.value.code == "facts_unavailable"
    with facts.open_facts(project) as opened:
        assert "Cart.add" in names(opened)


def test_a_damaged_store_is_named_when_a_query_meets_the_damage(project: ingest.Project) -> None:
    import duckdb

    ingest.ingest(project)
    with pytest.raises(ScaupError, match="--fresh") as error, facts.open_facts(project):
        raise duckdb.IOException("Corrupt database file\nmore")
    assert error.value.code == "facts_unavailable"


def test_facts_that_can_be_kept_nowhere_are_made_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.build(tmp_path)
    (tmp_path / ".scaup").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null/cache")
    project = ingest.project(tmp_path)
    assert project.location.place == "memory"
    with facts.open_facts(project) as opened:
        assert "Cart.add" in names(opened)
    with pytest.raises(ScaupError, match="in memory") as error:
        facts.open_facts(ingest.project(tmp_path), refresh=False)
    assert error.value.code == "facts_unavailable"


def test_a_store_that_git_tracks_is_refused(tmp_path: Path) -> None:
    repo = shop.build(tmp_path)
    ingest.ingest(ingest.project(tmp_path))
    repo.git("add", "-f", ".scaup/facts.duckdb")
    for refresh in (True, False):
        with pytest.raises(ScaupError, match="git tracks") as error:
            facts.open_facts(ingest.project(tmp_path), refresh=refresh)
        assert error.value.code == "facts_unavailable"
