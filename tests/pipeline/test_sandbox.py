"""Queries of anyone over the facts: what they answer, and everything that they must not reach."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest

from scaup.pipeline import sandbox, store
from scaup.pipeline.response import ScaupError
from scaup.pipeline.sandbox import run_sql


@pytest.fixture(scope="module")
def location(tmp_path_factory: pytest.TempPathFactory) -> store.Location:
    location = store.locate(tmp_path_factory.mktemp("secret-place"))
    with store.write(location, timeout=5) as writer:
        writer.append("files", {"path": [f"f{row:05}" for row in range(20_000)], "size": list(range(20_000))})
        writer.append(
            "commits",
            {"sha": ["b", "a"], "committed_at": ["2026-01-02 03:04:05", "infinity"], "files": [1, 2]},
        )
        writer.publish()
    return location


def rows(location: store.Location, query: str) -> list[list[Any]]:
    answer = run_sql(location, query)
    assert not answer["truncated"]
    found: list[list[Any]] = answer["rows"]
    return found


def refused(location: store.Location, query: str, **limits: Any) -> ScaupError:
    with pytest.raises(ScaupError) as caught:
        run_sql(location, query, **limits)
    return caught.value


def state(location: store.Location) -> tuple[str, list[str]]:
    assert location.path is not None
    content = hashlib.sha256(location.path.read_bytes()).hexdigest()
    return content, sorted(entry.name for entry in location.path.parent.iterdir())


# -------------------------------------------------------------------------------------------------------- answers


def test_a_query_is_answered_with_columns_and_rows(location: store.Location) -> None:
    assert run_sql(location, "SELECT path, size FROM files WHERE size < 2 ORDER BY path DESC") == {
        "columns": [{"name": "path", "type": "VARCHAR"}, {"name": "size", "type": "BIGINT"}],
        "rows": [["f00001", 1], ["f00000", 0]],
        "truncated": False,
    }


def test_of_several_statements_the_last_is_answered(location: store.Location) -> None:
    assert rows(location, "SELECT 1 /* ; */ ; ; -- SELECT 2;\n SELECT ';' ; ; -- end") == [[";"]]


READING = [
    "FROM files LIMIT 1",
    "WITH x AS (SELECT 1) FROM x",
    "VALUES (1)",
    "TABLE meta",
    "(SELECT 1)",
    "DESCRIBE files",
    "SHOW TABLES",
    "SHOW ALL TABLES",
    "SUMMARIZE commits",
    "PIVOT commits ON sha IN ('a')",
    "EXPLAIN SELECT 1",
    "EXPLAIN /* why */ ANALYZE FROM files",
    "EXPLAIN (FORMAT json) (SELECT 1)",
    "EXPLAIN ANALYZE (FORMAT json) SELECT 1",
    "SELECT table_name, comment FROM duckdb_tables() WHERE schema_name = 'main'",
    "SELECT 'the words current_setting and duckdb_databases() are no harm in a text'",
    "WITH query AS (SELECT 1) FROM query",
]


def test_statements_that_read_are_allowed(location: store.Location) -> None:
    assert rows(location, ";\n".join(READING)) == [[1]]
    assert rows(location, "EXPLAIN ANALYZE FROM files")[0][0] == "analyzed_plan"


def test_values_come_as_json_has_them(location: store.Location) -> None:
    (row,) = rows(
        location,
        """
        SELECT NULL, TRUE, 9223372036854775807, 170141183460469231731687303715884105727,
               1.50, 3.00, 1234567890123456789.123456789, 0.5::DOUBLE, 'NaN'::DOUBLE, '-inf'::DOUBLE,
               'é"\n😀', '\\x00\\xFF'::BLOB, ['a', NULL], {'x': 1, 'y': [{'z': 2}]}, MAP {1: 'one'}, MAP {'k': 2.5},
               '1a2b3c4d-0000-0000-0000-000000000000'::UUID, '0101'::BIT, '{"j": 1}'::JSON
        """,
    )
    assert row == [
        *(None, True, 9223372036854775807, 170141183460469231731687303715884105727),
        *(1.5, 3, "1234567890123456789.123456789", 0.5, "NaN", "-Infinity"),
        *('é"\n😀', "00ff", ["a", None], {"x": 1, "y": [{"z": 2}]}, {"1": "one"}, {"k": 2.5}),
        *("1a2b3c4d-0000-0000-0000-000000000000", "0101", '{"j": 1}'),
    ]
    assert isinstance(row[5], int)
    json.dumps(row, allow_nan=False)


def test_dates_and_times_are_text_without_loss(location: store.Location) -> None:
    (row,) = rows(
        location,
        """
        SELECT TIMESTAMP '2026-01-02 03:04:05.6', 'infinity'::TIMESTAMP, TIMESTAMP_NS '2026-01-02 03:04:05.123456789',
               TIMESTAMPTZ '2026-01-02 03:04:05+02', DATE '2026-01-02', DATE '0044-03-15 (BC)', TIME '03:04:05',
               INTERVAL '14 months', NULL::TIMESTAMP, [DATE '2026-01-02'], [TIMESTAMPTZ '2026-01-02 03:04:05+02']
        -- é ü;
        """,
    )
    assert row == [
        *("2026-01-02T03:04:05.6", "infinity", "2026-01-02T03:04:05.123456789"),
        *("2026-01-02T01:04:05+00", "2026-01-02", "0044-03-15 (BC)", "03:04:05"),
        *("1 year 2 months", None, ["2026-01-02"], ["2026-01-02T01:04:05+00:00"]),
    ]


def test_columns_keep_names_types_and_order_where_one_is_a_time(location: store.Location) -> None:
    answer = run_sql(location, "SELECT sha AS x, committed_at AS x, (1) FROM commits ORDER BY committed_at DESC; -- é;")
    assert [column["name"] for column in answer["columns"]] == ["x", "x", "1"]
    assert [column["type"] for column in answer["columns"]] == ["VARCHAR", "TIMESTAMP", "INTEGER"]
    assert answer["rows"] == [["a", "infinity", 1], ["b", "2026-01-02T03:04:05", 1]]


def test_an_answer_is_cut_at_the_rows_and_bytes_allowed_and_says_so(location: store.Location) -> None:
    by_rows = run_sql(location, "FROM range(1_000_000_000_000) SELECT range", max_rows=300)
    assert (by_rows["rows"], by_rows["truncated"]) == ([[row] for row in range(300)], True)
    exact = run_sql(location, "FROM range(300)", max_rows=300)
    assert (len(exact["rows"]), exact["truncated"]) == (300, False)
    by_bytes = run_sql(location, "SELECT repeat('x', 1000) FROM range(1000)", max_bytes=10_000)
    assert (len(by_bytes["rows"]), by_bytes["truncated"]) == (9, True)
    error = refused(location, "SELECT repeat('x', 1000)", max_bytes=100)
    assert (error.code, error.message[:35]) == ("sql_error", "One row alone has more than 100 byt")


def test_a_wide_answer_arrives_whole(location: store.Location) -> None:
    answer = rows(location, "SELECT repeat(chr(233), 1000), range FROM range(10000)")
    assert len(answer) == 10_000
    assert answer[-1] == ["é" * 1000, 9999]


# --------------------------------------------------------------------------------------------------------- errors


def test_an_error_is_what_duckdb_says_with_the_place_in_the_query(location: store.Location) -> None:
    error = refused(location, "SELECT nothing FROM files")
    assert error.code == "sql_error"
    assert error.message.startswith('Binder Error: Referenced column "nothing" not found')
    assert error.message.endswith("LINE 1: SELECT nothing FROM files\n               ^^^^^^^")
    assert "Traceback" not in error.message


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("", "There is no statement. Allowed are"),
        ("-- nothing", "There is no statement. Allowed are"),
        ("SELEC 1", 'Parser Error: syntax error at or near "SELEC"'),
        ("SELECT 'a", "Parser Error: unterminated"),
        ("SELECT 1; SELECT x", 'Binder Error: Referenced column "x"'),
        ("SELECT error('own words')", "Invalid Input Error: own words"),
        ("SELECT '\udcff'", "The query is not valid Unicode"),
        ("SELECT $1", "Invalid"),
    ],
)
def test_a_query_that_cannot_be_run_is_a_named_error(location: store.Location, query: str, said: str) -> None:
    error = refused(location, query)
    assert (error.code, error.message[: len(said)]) == ("sql_error", said)


def test_facts_that_are_not_there_or_in_memory_are_named(tmp_path: Path) -> None:
    missing = refused(store.locate(tmp_path), "SELECT 1")
    assert (missing.code, missing.message) == ("facts_unavailable", "There are no facts yet. Run `scaup ingest`.")
    memory = refused(store.Location(None, "memory"), "SELECT 1")
    assert memory.code == "facts_unavailable"
    assert "in memory" in memory.message


def test_facts_of_another_version_or_no_facts_at_all_are_named(tmp_path: Path) -> None:
    location = store.locate(tmp_path)
    with store.write(location, timeout=1) as writer:
        store.set_meta(writer.con, contract_version="0.9.0")
        writer.publish()
    assert refused(location, "SELECT 1").message.startswith("The facts have contract version 0.9.0")
    assert location.path is not None
    location.path.chmod(0o644)
    location.path.write_bytes(b"no database" * 1000)
    error = refused(location, "SELECT 1")
    assert (error.code, error.message[:25]) == ("facts_unavailable", "The facts cannot be read:")
    assert str(tmp_path) not in error.message


# ------------------------------------------------------------------------------------------------- out of bounds

NOT_READING = [
    # writing
    "INSERT INTO files (path) VALUES ('x')",
    "DELETE FROM files",
    "UPDATE files SET size = 0",
    "CREATE TABLE x (a INT)",
    "CREATE TEMP TABLE x AS SELECT 1",
    "CREATE MACRO current_setting(x) AS 1",
    "DROP TABLE files",
    "EXPLAIN ANALYZE DELETE FROM files",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO 'trick.csv'",
    "MERGE INTO files USING commits ON path = sha WHEN MATCHED THEN DELETE",
    "CHECKPOINT",
    "VACUUM",
    "BEGIN",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    # files, network and extensions
    "ATTACH 'other.duckdb' AS other",
    "DETACH facts",
    "COPY files TO '/tmp/scaup-trick.csv'",
    "EXPORT DATABASE 'trick'",
    "IMPORT DATABASE 'trick'",
    "INSTALL httpfs",
    "LOAD '/tmp/x.duckdb_extension'",
    "CREATE SECRET (TYPE http)",
    "CONNECT 'x'",
    # settings and places
    "SET enable_external_access = true",
    "SET VARIABLE x = 1",
    "RESET memory_limit",
    "USE memory",
    "PRAGMA database_list",
    "PRAGMA enable_profiling",
    "CALL duckdb_databases()",
    "CALL enable_logging()",
    "FROM system.main.duckdb_databases",
    'TABLE "DuckDB_Databases"',
    "FROM 'duckdb_databases'",
    "FROM pragma_database_list",
    "FROM duckdb_settings()",
    "FROM pg_settings",
    "SUMMARIZE FROM duckdb_settings()",
    "SELECT 'allowed_paths'.current_setting()",
    "SELECT list_transform(['allowed_paths'], lambda x: current_setting(x))",
    "SELECT 1 ORDER BY (SELECT max(path) FROM duckdb_databases())",
    "EXPLAIN SELECT current_setting('allowed_paths')",
    "EXPLAIN (FORMAT json) (SELECT current_setting('allowed_paths'))",
    "PIVOT duckdb_databases() ON path",
]


@pytest.mark.parametrize("query", NOT_READING)
def test_a_statement_that_does_more_than_read_the_facts_is_never_run(query: str) -> None:
    with duckdb.connect() as connection:
        (statement,) = connection.extract_statements(query)
        with pytest.raises(ScaupError) as caught:
            sandbox._readable(connection, statement)
    assert caught.value.code == "sql_error"
    assert "allowed" in caught.value.message.lower() or "is not available here" in caught.value.message


TRICKS = [
    "SELECT 1; DROP TABLE files; SELECT 2",
    "WITH x AS (INSERT INTO files (path) VALUES ('x') RETURNING path) FROM x",
    "COPY (SELECT 1) TO '/tmp/scaup-trick.csv'",
    "FROM read_csv('/etc/passwd')",
    "FROM '/etc/passwd.csv'",
    "FROM read_text('/proc/self/environ')",
    "FROM read_text('/proc/self/cmdline')",
    "FROM read_blob('{path}')",
    "FROM read_duckdb('{path}')",
    "FROM '{path}'",
    "FROM glob('{folder}/*')",
    "FROM glob('/*')",
    "FROM sniff_csv('/etc/passwd')",
    "FROM parquet_metadata('/etc/passwd')",
    "FROM read_json('/etc/passwd')",
    "SELECT getenv('HOME')",
    "FROM read_csv('http://127.0.0.1:9/x.csv')",
    "FROM 's3://bucket/x.parquet'",
    "FROM enable_logging(storage = 'file', storage_path = '/tmp/scaup-trick')",
    "FROM duckdb_databases()",
    "SHOW allowed_paths",
    "DESCRIBE allowed_paths",
    "SELECT current_setting('allowed_paths')",
    "FROM query('FROM duckdb_da' || 'tabases()')",
    "FROM query_table('duckdb_da' || 'tabases')",
    "FROM json_execute_serialized_sql(json_serialize_sql('FROM duckdb_databases()'))",
    # Python
    "FROM location",
    "FROM sys",
    "FROM request",
]


@pytest.mark.parametrize("query", TRICKS)
def test_a_trick_is_refused_and_shows_and_changes_nothing(location: store.Location, query: str) -> None:
    assert location.path is not None
    before = state(location)
    query = query.replace("{path}", str(location.path)).replace("{folder}", str(location.path.parent))
    error = refused(location, query)
    assert error.code == "sql_error"
    assert "Traceback" not in error.message
    assert query.count("secret-place") or "secret-place" not in error.message
    assert state(location) == before
    assert not list(Path("/tmp").glob("scaup-trick*"))
    assert not list(Path().glob("trick*"))


def test_nothing_that_duckdb_can_list_shows_the_place_of_the_store(location: store.Location) -> None:
    """Every table function, view, setting and scalar function of the installed DuckDB, asked as a query would."""
    script = """
        import sys
        import duckdb
        from scaup.pipeline import sandbox
        from scaup.pipeline.response import ScaupError

        connection = sandbox._open(sys.argv[1], 512)
        def listed(query):
            return [row[0] for row in connection.execute(query).fetchall()]
        tables = listed("SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type LIKE 'table%'")
        scalars = listed("SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'scalar'")
        views = listed("SELECT DISTINCT schema_name || '.' || view_name FROM duckdb_views()")
        settings = listed("SELECT name FROM duckdb_settings()")
        queries = [f"FROM {name}" for name in views]
        queries += [f'FROM "{name}"({given})' for name in tables for given in ("", "'facts'", "'files'")]
        queries += [f"SELECT {name}('allowed_paths')" for name in scalars if name.isidentifier()]
        queries += [f"SHOW {name}" for name in settings] + [f"SHOW {name}" for name in ("databases", "all tables")]
        asked = answered = 0
        for query in queries:
            asked += 1
            try:
                (statement,) = connection.extract_statements(query)
                text = sandbox._readable(connection, statement)
                shown = b"".join(sandbox._rows(connection, text, 10_000, 1 << 25)).decode()
                answered += 1
            except (duckdb.Error, ScaupError, ValueError) as error:
                shown = sandbox._said(error, "-")
            if "secret-place" in shown:
                print("LEAK", query, shown[:300])
        print(asked > 1000, answered > 150)
        """
    command = [sys.executable, "-c", textwrap.dedent(script), str(location.path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.stdout == "True True\n", ended.stderr[-2000:]


@pytest.mark.skipif(sys.platform != "linux", reason="Windows has no such limits, macOS not all of them")
def test_the_kernel_gives_a_confined_process_no_file_no_socket_and_no_memory(
    location: store.Location, tmp_path: Path
) -> None:
    script = """
        import os, socket, sys
        from scaup.pipeline import sandbox

        connection = sandbox._open(sys.argv[1], 100)
        standard = os.open(sys.argv[2], os.O_RDWR | os.O_CREAT)
        sandbox._confine(100, 30)
        def attempt(what):
            try:
                what()
            except (OSError, MemoryError) as error:
                print(type(error).__name__, getattr(error, "errno", ""))
        attempt(lambda: open(sys.argv[1], "rb"))
        attempt(lambda: socket.socket())
        attempt(lambda: bytearray(200 << 20))
        import signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        attempt(lambda: os.write(standard, b"x"))
        print(connection.execute("SELECT count(*), sum(size) FROM files").fetchone())
        """
    command = [sys.executable, "-c", textwrap.dedent(script), str(location.path), str(tmp_path / "file")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.stdout.splitlines() == [
        "OSError 24",  # EMFILE
        "OSError 24",
        "MemoryError ",
        "OSError 27",  # EFBIG
        "(20000, 199990000)",
    ], ended.stderr


def test_the_query_sees_nothing_of_the_environment(location: store.Location, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert rows(location, "SELECT TIMESTAMPTZ '2026-01-02 03:04:05+00'::VARCHAR") == [["2026-01-02 03:04:05+00"]]


def test_nothing_is_imported_from_the_folder_where_the_command_runs(
    location: store.Location, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("duckdb", "json", "scaup"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit('planted')")
    monkeypatch.chdir(tmp_path)
    assert rows(location, "SELECT 1") == [[1]]


# --------------------------------------------------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    "query",
    [
        "SELECT sleep_ms(60000)",
        "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT sum(a) FROM r",
        "SELECT count(*) FROM files a, files b, files c WHERE hash(a.size, b.size, c.size) = 0",
    ],
)
def test_an_endless_query_is_stopped_at_the_deadline(location: store.Location, query: str) -> None:
    started = time.monotonic()
    error = refused(location, query, timeout=1)
    assert (error.code, error.message[:40]) == ("timeout", "The query was stopped after 1 seconds. N")
    assert time.monotonic() - started < 10


@pytest.mark.skipif(os.name != "posix", reason="the memory limit of a process is POSIX")
@pytest.mark.parametrize(
    "query",
    [
        "SELECT repeat('x', 2_000_000_000)",
        "SELECT length(repeat('x', 2_000_000_000))",
        "SELECT list(range) FROM range(1_000_000_000)",
        "SELECT repeat('x', 1_000_000) FROM range(10_000)",
        "WITH RECURSIVE r AS (SELECT 'x' AS a UNION ALL SELECT a || a FROM r) SELECT a FROM r",
        "SELECT a.path FROM files a, files b ORDER BY a.path || b.path",
    ],
)
def test_a_query_that_eats_memory_is_an_error_and_the_caller_lives(location: store.Location, query: str) -> None:
    error = refused(location, query, memory_mb=256)
    assert (error.code, error.message[:44]) == ("sql_error", "The query needs more than 256 MB of memory. ")
