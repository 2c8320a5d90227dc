"""The fact store: its place, its lock, and that old facts stay whole until new ones are there."""

from __future__ import annotations

import array
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaup.pipeline import store
from scaup.pipeline.response import ScaupError

posix = pytest.mark.skipif(os.name != "posix", reason="signals, owners and modes are POSIX")
is_root = hasattr(os, "geteuid") and os.geteuid() == 0


def publish_files(location: store.Location, *paths: str, fresh: bool = False) -> None:
    with store.write(location, timeout=5, fresh=fresh) as writer:
        writer.append("files", {"path": list(paths)})
        writer.publish()


def files(location: store.Location) -> list[str]:
    with store.open_read(location) as connection:
        return [path for (path,) in connection.execute("SELECT path FROM files ORDER BY path").fetchall()]


def run_python(script: str, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", textwrap.dedent(script), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def git(root: Path, *args: str) -> str:
    return subprocess.run(["git", "-C", str(root), *args], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def location(tmp_path: Path) -> store.Location:
    return store.locate(tmp_path)


@pytest.fixture
def unwritable(tmp_path: Path) -> Iterator[Path]:
    """A folder in which nothing can be made; the super-user finds one only where the kernel itself says no."""
    if is_root:
        if sys.platform != "linux":
            pytest.skip("the super-user can write everywhere")
        yield Path("/proc/self")
        return
    root = tmp_path / "unwritable"
    root.mkdir(mode=0o555)
    yield root
    root.chmod(0o755)


# ---------------------------------------------------------------------------------------------------------- place


def test_facts_are_in_a_folder_of_the_repository_that_git_ignores(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    location = store.locate(tmp_path)
    publish_files(location, "a.py")
    assert location == store.Location(tmp_path / ".scaup" / "facts.duckdb", "repository")
    assert git(tmp_path, "status", "--porcelain", "--untracked-files=all") == ""


def test_facts_of_an_unwritable_root_are_in_the_cache_folder_one_for_each_root(
    tmp_path: Path, unwritable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    location = store.locate(unwritable)
    assert location.place == "cache"
    assert location.path is not None
    assert location.path.is_relative_to(tmp_path)
    assert location == store.locate(unwritable)
    assert location.path != store.locate(unwritable / "below").path
    publish_files(location, "a.py")
    assert files(location) == ["a.py"]


def test_facts_are_in_memory_where_nothing_is_writable(
    tmp_path: Path, unwritable: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    location = store.locate(unwritable)
    assert location == store.Location(None, "memory")
    with pytest.raises(ScaupError, match="no facts yet"):
        store.open_read(location)
    publish_files(location, "a.py")
    with store.write(location, timeout=1) as writer:
        writer.append("files", {"path": ["never published"]})
    assert files(location) == ["a.py"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take no such names")
def test_a_root_whose_name_is_not_unicode_has_its_facts_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / os.fsdecode(b"caf\xe9")
    root.mkdir()
    location = store.locate(root)
    publish_files(location, "a.py")
    assert (location.place, files(location)) == ("cache", ["a.py"])


def test_a_root_may_have_quotes_and_spaces_in_its_name(tmp_path: Path) -> None:
    root = tmp_path / "it's a 'root'; DROP"
    root.mkdir()
    location = store.locate(root)
    publish_files(location, "a.py")
    assert files(location) == ["a.py"]


def test_importing_the_module_imports_neither_duckdb_nor_numpy() -> None:
    ended = run_python(
        """
        import sys
        import scaup.pipeline.sandbox, scaup.pipeline.store
        print(sorted({"duckdb", "numpy", "filelock"} & set(sys.modules)))
        """
    )
    assert ended.stdout == "[]\n", ended.stderr


# -------------------------------------------------------------------------------------------------------- planted


def refused(root: Path, tracked: list[str] | None = None) -> str:
    with pytest.raises(ScaupError) as caught:
        store.refuse_planted(root, tracked)
    assert caught.value.code == "facts_unavailable"
    return caught.value.message


def test_a_store_that_git_tracks_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    publish_files(store.locate(tmp_path), "a.py")
    store.refuse_planted(tmp_path)
    git(tmp_path, "add", "-f", ".scaup/facts.duckdb")
    assert "git tracks .scaup/facts.duckdb" in refused(tmp_path)


@pytest.mark.parametrize("tracked", [".scaup/facts.duckdb", ".SCAUP/facts.duckdb", ".scaup/facts.duckdb.wal", ".scaup"])
def test_a_store_among_tracked_paths_is_refused_without_asking_git(tmp_path: Path, tracked: str) -> None:
    store.locate(tmp_path)
    store.refuse_planted(tmp_path, ["src/a.py", "lib/.scaup/facts.duckdb", ".scaupignore"])
    assert tracked in refused(tmp_path, ["src/a.py", tracked])


def test_a_store_tracked_under_another_case_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".Scaup").mkdir()
    (tmp_path / ".Scaup" / "facts.duckdb").touch()
    git(tmp_path, "add", "-f", ".")
    store.locate(tmp_path)
    assert "git tracks .Scaup/facts.duckdb" in refused(tmp_path)


def test_no_store_and_no_repository_are_no_reason_to_refuse(tmp_path: Path) -> None:
    store.refuse_planted(tmp_path)
    store.locate(tmp_path)
    store.refuse_planted(tmp_path)


@posix
@pytest.mark.parametrize("linked", [".scaup", ".scaup/facts.duckdb", ".scaup/.gitignore", ".scaup/facts.lock"])
def test_a_store_that_is_a_symbolic_link_is_refused_and_its_target_untouched(tmp_path: Path, linked: str) -> None:
    root, target = tmp_path / "root", tmp_path / "target"
    link = root / linked
    link.parent.mkdir(parents=True)
    if linked == ".scaup":
        target.mkdir()
    link.symlink_to(target)
    assert "is a symbolic link" in refused(root, [])
    with pytest.raises(ScaupError, match="is a symbolic link"):
        store.locate(root)
    assert not target.exists() or not list(target.iterdir())


@pytest.mark.skipif(not is_root, reason="only the super-user can give a file away")
@pytest.mark.parametrize("given_away", [".scaup", ".scaup/facts.duckdb"])
def test_a_store_of_another_user_is_refused(tmp_path: Path, given_away: str) -> None:
    publish_files(store.locate(tmp_path), "a.py")
    os.chown(tmp_path / given_away, 12345, -1)
    assert "belongs to another user" in refused(tmp_path, [])
    with pytest.raises(ScaupError, match="belongs to another user"):
        store.locate(tmp_path)


# --------------------------------------------------------------------------------------------------- the contract


def test_every_public_table_view_and_column_has_a_comment(location: store.Location) -> None:
    publish_files(location)
    with store.open_read(location) as connection:
        missing = connection.execute(
            """
            SELECT table_name FROM duckdb_tables() WHERE database_name = 'facts' AND schema_name = 'main'
                AND comment IS NULL
            UNION ALL
            SELECT view_name FROM duckdb_views() WHERE database_name = 'facts' AND NOT internal AND comment IS NULL
            UNION ALL
            SELECT table_name || '.' || column_name FROM duckdb_columns()
            WHERE database_name = 'facts' AND schema_name = 'main' AND comment IS NULL
            """
        ).fetchall()
        columns = connection.execute("SELECT count(*) FROM (DESCRIBE symbol_risk)").fetchone()
    assert missing == []
    assert columns is not None
    assert columns[0] > 20


def test_the_file_has_the_storage_version_of_duckdb_1_0_and_stays_so(location: store.Location) -> None:
    for _ in range(2):
        publish_files(location, "a.py")
        assert location.path is not None
        header = location.path.read_bytes()[:20]
        # https://duckdb.org/docs/stable/internals/storage: checksum, magic bytes, then the version: 64 up to 1.1
        assert (header[8:12], int.from_bytes(header[12:20], "little")) == (b"DUCK", 64)


def test_meta_keeps_what_is_not_set_anew(location: store.Location) -> None:
    with store.write(location, timeout=1) as writer:
        store.set_meta(writer.con, head=None, state_id="one")
        store.set_meta(writer.con, state_id="two")
        writer.publish()
    with store.open_read(location) as connection:
        assert store.meta(connection) == {
            "contract_version": store.CONTRACT_VERSION,
            "head": None,
            "schema_digest": store.schema_digest(),
            "state_id": "two",
        }


# -------------------------------------------------------------------------------------------------------- writing


def test_a_writer_starts_from_the_published_facts_and_says_why_it_does_not(location: store.Location) -> None:
    with store.write(location, timeout=1) as writer:
        assert (writer.fresh, writer.fresh_reason) == (True, "there are no facts yet")
        writer.append("files", {"path": ["a.py"]})
        writer.publish()
    with store.write(location, timeout=1) as writer:
        assert (writer.fresh, writer.fresh_reason) == (False, None)
        writer.append("files", {"path": ["b.py"]})
        writer.publish()
    assert files(location) == ["a.py", "b.py"]
    publish_files(location, "c.py", fresh=True)
    assert files(location) == ["c.py"]


@posix
def test_published_facts_are_read_only_and_nothing_else_is_left(location: store.Location) -> None:
    publish_files(location, "a.py")
    assert location.path is not None
    assert location.path.stat().st_mode & 0o777 == 0o444
    assert {entry.name for entry in location.path.parent.iterdir()} == {".gitignore", "facts.duckdb", "facts.lock"}


def test_a_writer_that_fails_or_does_not_publish_leaves_the_old_facts(location: store.Location) -> None:
    publish_files(location, "a.py")
    with pytest.raises(ZeroDivisionError), store.write(location, timeout=1) as writer:
        writer.append("files", {"path": ["b.py"]})
        raise ZeroDivisionError
    with store.write(location, timeout=1) as writer:
        writer.append("files", {"path": ["c.py"]})
    assert files(location) == ["a.py"]


@posix
def test_a_killed_writer_leaves_the_old_facts_and_a_free_lock(tmp_path: Path, location: store.Location) -> None:
    publish_files(location, "a.py")
    ended = run_python(
        """
        import os, signal, sys
        from pathlib import Path
        from scaup.pipeline import store

        with store.write(store.locate(Path(sys.argv[1])), timeout=1) as writer:
            writer.append("files", {"path": ["b.py"]})
            os.kill(os.getpid(), signal.SIGKILL)
        """,
        str(tmp_path),
    )
    assert ended.returncode == -signal.SIGKILL
    assert files(location) == ["a.py"]
    assert location.path is not None
    assert list(location.path.parent.glob("build-*"))
    publish_files(location, "c.py")
    assert files(location) == ["a.py", "c.py"]
    assert not list(location.path.parent.glob("build-*"))


def test_a_second_writer_is_told_who_holds_the_lock(tmp_path: Path, location: store.Location) -> None:
    script = """
        import sys
        from pathlib import Path
        from scaup.pipeline import store
        from scaup.pipeline.response import ScaupError

        try:
            with store.write(store.locate(Path(sys.argv[1])), timeout=0.2):
                print("written")
        except ScaupError as error:
            print(error.code, error.details["pid"], error.details["lock"])
        """
    with store.write(location, timeout=1):
        assert location.path is not None
        lock = location.path.with_name("facts.lock")
        assert run_python(script, str(tmp_path)).stdout == f"store_locked {os.getpid()} {lock}\n"
        with pytest.raises(ScaupError, match=f"process {os.getpid()} holds"), store.write(location, timeout=0):
            pass
    assert run_python(script, str(tmp_path)).stdout == "written\n"


def test_a_reader_keeps_its_state_and_the_next_one_sees_the_new(location: store.Location) -> None:
    rows = 200_000  # more than the first read brings into memory
    with store.write(location, timeout=1) as writer:
        writer.append("files", {"path": ["a.py"] * rows, "size": np.arange(rows)})
        writer.publish()
    with store.open_read(location) as old:
        assert old.execute("SELECT max(size) FROM files WHERE size < 10").fetchone() == (9,)
        publish_files(location, "b.py", fresh=True)
        with store.open_read(location) as new:
            assert new.execute("SELECT path FROM files").fetchall() == [("b.py",)]
            assert old.execute("SELECT count(*), max(path), sum(size) FROM files").fetchone() == (
                rows,
                "a.py",
                rows * (rows - 1) // 2,
            )


def test_a_reader_can_write_nothing(location: store.Location) -> None:
    publish_files(location, "a.py")
    with store.open_read(location) as connection, pytest.raises(duckdb.Error, match="read-only"):
        connection.execute("INSERT INTO files (path) VALUES ('b.py')")


def test_a_reader_leaves_nothing_in_the_folder_where_it_runs(
    tmp_path: Path, location: store.Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_files(location, "a.py")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(store, "MEMORY_LIMIT", "20MB")
    with store.open_read(location) as connection:
        sorted_rows = connection.execute("SELECT max(x) FROM (SELECT hash(i) AS x FROM range(3000000) t(i) ORDER BY x)")
        assert sorted_rows.fetchone() is not None
    assert list((tmp_path / "here").iterdir()) == []


# ---------------------------------------------------------------------------------------------- damage from outside


def foreign_client(path: Path, die: bool) -> int:
    """Change the facts with a plain client that opens them as DuckDB does by default; -9 where it was killed."""
    return run_python(
        """
        import os, signal, sys
        import duckdb

        connection = duckdb.connect(sys.argv[1])
        connection.execute("INSERT INTO files (path) VALUES ('foreign')")
        if sys.argv[2] == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        """,
        str(path),
        "die" if die else "live",
    ).returncode


@posix
def test_a_foreign_log_beside_the_facts_is_removed_instead_of_replayed(location: store.Location) -> None:
    publish_files(location, "a.py")
    assert location.path is not None
    log = location.path.with_name("facts.duckdb.wal")
    location.path.chmod(0o644)
    assert foreign_client(location.path, die=True) == -signal.SIGKILL
    assert log.stat().st_size > 0
    assert files(location) == ["a.py"]
    assert not log.exists()

    assert foreign_client(location.path, die=True) == -signal.SIGKILL
    with store.write(location, timeout=1) as writer:
        assert not log.exists()
        assert foreign_client(location.path, die=True) == -signal.SIGKILL  # meanwhile
        writer.append("files", {"path": ["b.py"]})
        writer.publish()
    assert not log.exists()
    assert files(location) == ["a.py", "b.py"]


@posix
def test_a_foreign_client_cannot_change_published_facts() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        location = store.locate(root)
        publish_files(location, "a.py")
        assert location.path is not None
        location.path.parent.chmod(0o755)
        before = location.path.read_bytes()
        ended = run_python(
            """
            import os, sys
            import duckdb

            if os.geteuid() == 0:
                os.setuid(65534)  # the mode does not stop the super-user
            try:
                duckdb.connect(sys.argv[1]).execute("INSERT INTO files (path) VALUES ('foreign')")
            except duckdb.Error as error:
                print("refused")
            """,
            str(location.path),
        )
        assert ended.stdout == "refused\n", ended.stderr
        assert location.path.read_bytes() == before
        assert files(location) == ["a.py"]


def damage(path: Path, content: bytes) -> None:
    path.chmod(0o644)
    path.write_bytes(content)


@pytest.mark.parametrize("content", [b"", b"no database " * 5000, b"half"], ids=["empty", "text", "half"])
def test_facts_that_are_no_database_are_named_and_the_next_writer_starts_afresh(
    location: store.Location, content: bytes
) -> None:
    publish_files(location, "a.py")
    assert location.path is not None
    damage(location.path, location.path.read_bytes()[:20000] if content == b"half" else content)
    with pytest.raises(ScaupError, match=r"facts\.duckdb cannot be read: .*scaup ingest") as caught:
        store.open_read(location)
    assert caught.value.code == "facts_unavailable"
    with store.write(location, timeout=1) as writer:
        assert writer.fresh
        assert writer.fresh_reason is not None
        assert writer.fresh_reason.startswith("the facts cannot be read: ")
        writer.append("files", {"path": ["b.py"]})
        writer.publish()
    assert files(location) == ["b.py"]


def test_facts_of_another_contract_version_are_never_read(
    location: store.Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_files(location, "a.py")
    monkeypatch.setattr(store, "CONTRACT_VERSION", "9.0.0")
    with pytest.raises(ScaupError, match=r"contract version 1\.0\.0, .* 9\.0\.0\. Run `scaup ingest`"):
        store.open_read(location)
    with store.write(location, timeout=1) as writer:
        assert writer.fresh_reason is not None and "contract version 1.0.0" in writer.fresh_reason


def test_a_damaged_block_that_a_writer_meets_is_named_with_the_way_out(location: store.Location) -> None:
    rows = 300_000
    with store.write(location, timeout=1) as writer:
        random = np.random.default_rng(0)
        writer.append("files", {"path": ["a.py"] * rows, "size": random.integers(0, 2**60, rows)})
        writer.publish()
    assert location.path is not None
    content = bytearray(location.path.read_bytes())
    for block in range(1, 5):  # the first blocks of data; tables and their columns stand further behind
        place = 12288 + block * 262144 + 1000
        content[place : place + 64] = b"\x55" * 64
    damage(location.path, bytes(content))
    with (
        pytest.raises(ScaupError, match=r"facts\.duckdb cannot be read: .*`scaup ingest --fresh`") as caught,
        store.write(location, timeout=1) as writer,
    ):
        writer.con.execute("SELECT sum(size) FROM files").fetchall()
    assert caught.value.code == "facts_unavailable"


# ---------------------------------------------------------------------------------------------------------- append


def test_columns_come_as_lists_arrays_or_masked_arrays(location: store.Location) -> None:
    late = [None] * 5000 + ["only here"]  # beyond what a sample of the first rows would show
    numbers = np.ma.masked_array(np.arange(5001), mask=np.arange(5001) == 7)
    with store.write(location, timeout=1) as writer:
        writer.append(
            "files",
            {
                "path": np.array([f"p{row}" for row in range(5001)]),
                "language": late,
                "size": numbers,
                "lines": array.array("q", range(5001)),
                "parse_errors": [None] * 5001,
            },
        )
        writer.append("internal.bases", {"symbol_id": [-(2**63), 2**63 - 1, None], "base": ["nul\0byte", "", "é😀"]})
        writer.append("symbol_metrics", {"symbol_id": [1, 2, 3], "effect_kinds": [["a", "b"], ["c", "d"], None]})
        writer.append("symbol_metrics", {"symbol_id": [], "tested": []})
        writer.publish()
    with store.open_read(location) as connection:
        assert connection.execute(
            "SELECT count(*), count(language), max(language), count(size), sum(lines), count(parse_errors) FROM files"
        ).fetchone() == (5001, 1, "only here", 5000, 5000 * 5001 // 2, 0)
        assert connection.execute("SELECT path, size FROM files WHERE lines IN (7, 8) ORDER BY lines").fetchall() == [
            ("p7", None),
            ("p8", 8),
        ]
        assert connection.execute("SELECT symbol_id, base FROM internal.bases ORDER BY symbol_id").fetchall() == [
            (-(2**63), "nul\0byte"),
            (2**63 - 1, ""),
            (None, "é😀"),
        ]
        assert connection.execute("SELECT effect_kinds FROM symbol_metrics ORDER BY symbol_id").fetchall() == [
            (["a", "b"],),
            (["c", "d"],),
            (None,),
        ]


def test_columns_of_different_length_are_refused(location: store.Location) -> None:
    with store.write(location, timeout=1) as writer, pytest.raises(ValueError, match="files differ in length"):
        writer.append("files", {"path": ["a", "b"], "size": [1]})


@pytest.fixture(scope="module")
def writer() -> Iterator[store.Writer]:
    with store.write(store.Location(None, "memory"), timeout=1) as writer:
        yield writer


@settings(deadline=None)
@given(st.lists(st.tuples(st.none() | st.text(), st.none() | st.integers(-(2**63), 2**63 - 1))))
def test_what_is_appended_is_what_is_read(writer: store.Writer, rows: list[tuple[str | None, int | None]]) -> None:
    columns = {"base": [text for text, _ in rows], "symbol_id": [number for _, number in rows]}
    writer.append("internal.bases", {"position": range(len(rows)), **columns})
    read = writer.con.execute("SELECT base, symbol_id FROM internal.bases ORDER BY position").fetchall()
    writer.con.execute("DELETE FROM internal.bases")
    assert read == rows


def test_facts_with_other_internal_tables_are_rebuilt_and_not_half_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    location = store.locate(tmp_path)
    with store.write(location, timeout=1) as writer:
        store.set_meta(writer.con, schema_digest="an older schema.sql")
        writer.publish()
    with pytest.raises(ScaupError, match="tables of another version of Scaup"):
        store.open_read(location)
    with store.write(location, timeout=1) as writer:
        assert writer.fresh
