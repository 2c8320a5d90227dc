"""Answering a query that anyone may have written, from the facts alone.

The query runs in a child process that is ended at the deadline. What it must not do is refused three times over: only
statements that read are run, DuckDB has external access and its file systems switched off, and (on POSIX) the kernel
gives the child no further file or socket, no file to write, and only so much memory.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scaup.pipeline import store
from scaup.pipeline.response import ScaupError

if TYPE_CHECKING:
    import duckdb

MAX_BYTES = 32 << 20  # of rows as JSON

# What shows the store's path, or settings that hold it. test_sandbox asks DuckDB for everything that it can list.
_HIDDEN = frozenset({"duckdb_databases", "duckdb_settings", "pg_settings", "pragma_database_list", "current_setting"})
# What runs a query that is text, so that its names cannot be seen beforehand.
_INDIRECT = frozenset({"query", "query_table", "json_execute_serialized_sql"})

_ALLOWED = "Allowed are statements that read: SELECT, WITH, FROM, VALUES, TABLE, DESCRIBE, SHOW, SUMMARIZE and EXPLAIN."

# What Python and its loader need of the environment; the rest may hold secrets, and DuckDB reads some of it.
_ENVIRONMENT = (
    *("PATH", "HOME", "PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("SYSTEMROOT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP"),
)

_TEMPORAL = ("timestamp", "date", "time", "interval")  # first words of DuckDB's types
_BATCH = 256  # rows fetched at once
_GRACE = 5.0  # seconds after the deadline until a child whose parent has died ends itself


def run_sql(
    location: store.Location,
    query: str,
    *,
    timeout: float = 30.0,
    memory_mb: int = 512,
    max_rows: int = 10_000,
    max_bytes: int = MAX_BYTES,
) -> dict[str, Any]:
    """Run statements that read, and return `columns` ({name, type}), `rows` and `truncated` of the last one.

    Values are what JSON has: integers of any size, decimals as numbers where those are exact, dates, times and
    intervals as text in ISO form, blobs as hexadecimal digits, NaN and infinities as text. Raises `sql_error`,
    `timeout` or `facts_unavailable`.
    """
    if location.path is None:
        raise ScaupError(
            "facts_unavailable",
            "Queries run in a process of their own, and the facts are in memory, because neither the repository nor "
            "the cache folder can be written to. Make one of them writable, then run `scaup ingest`.",
        )
    request = {
        "path": str(store.published(location)),
        "query": query,
        "seconds": timeout,
        "memory_mb": memory_mb,
        "max_rows": max_rows,
        "max_bytes": max_bytes,
    }
    try:
        stdin = json.dumps(request, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise ScaupError("sql_error", "The query is not valid Unicode.") from None
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    try:
        ended = subprocess.run(
            # -P: nothing is imported from the folder in which the command was run.
            [sys.executable, "-P", "-m", "scaup.pipeline.sandbox"],
            input=stdin,
            capture_output=True,
            timeout=timeout,
            env=environment | {"MALLOC_ARENA_MAX": "2"},  # each arena takes 64 MB of the address space
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ScaupError(
            "timeout", f"The query was stopped after {timeout:g} seconds. Narrow it, or allow it more time."
        ) from None
    return _answer(ended, memory_mb)


def _answer(ended: subprocess.CompletedProcess[bytes], memory_mb: int) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = json.loads(ended.stdout)
    except ValueError:
        if b"No module named" in ended.stderr:
            said = ended.stderr.decode("utf-8", "replace").strip().splitlines()[-1]
            message = f"The process for queries did not start: {said}."
        else:
            message = _too_much(memory_mb)
        raise ScaupError("sql_error", message) from None
    if "code" in answer:
        raise ScaupError(answer["code"], answer["message"])
    return answer


def _too_much(memory_mb: int) -> str:
    return f"The query needs more than {memory_mb} MB of memory. Select fewer rows or columns, or aggregate."


# ------------------------------------------------------------------------------------------------------ the child


def main() -> None:
    """Answer the request on standard input, on standard output."""
    output = os.fdopen(os.dup(1), "wb")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)  # what DuckDB prints is no part of the answer
    request = json.loads(sys.stdin.buffer.read())
    try:
        answer = b"".join(_run(request))
    except ScaupError as error:
        answer = json.dumps({"code": error.code, "message": error.message}).encode("ascii")
    except MemoryError:
        answer = json.dumps({"code": "sql_error", "message": _too_much(request["memory_mb"])}).encode("ascii")
    output.write(answer)
    output.flush()
    os._exit(0)  # DuckDB's threads may be busy with a result that nobody wants any more


def _run(request: dict[str, Any]) -> Iterator[bytes]:
    import duckdb

    connection = _open(request["path"], request["memory_mb"])
    try:
        statements = connection.extract_statements(request["query"])
        if not statements:
            raise ScaupError("sql_error", f"There is no statement. {_ALLOWED}")
        texts = [_readable(connection, statement) for statement in statements]
        _confine(request["memory_mb"], request["seconds"])
        for text in texts[:-1]:
            connection.execute(text).complete()
        yield from _rows(connection, texts[-1], request["max_rows"], request["max_bytes"])
    except duckdb.OutOfMemoryException as error:
        raise ScaupError("sql_error", _too_much(request["memory_mb"])) from error
    except duckdb.Error as error:
        raise ScaupError("sql_error", _said(error, request["path"])) from error


def _open(path: str, memory_mb: int) -> duckdb.DuckDBPyConnection:
    """Open the facts so that nothing else can be reached, and nothing about that can be changed."""
    import duckdb

    os.environ.clear()  # DuckDB shows paths under HOME, and proxies
    settings: dict[str, Any] = {
        "memory_limit": f"{memory_mb * 3 // 4}MB",  # below the kernel's limit, so that DuckDB says so itself
        "threads": min(store.THREADS, 4),
        "async_threads": 1,
        "temp_directory": "",  # nothing is spilled: memory is the bound
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "allow_community_extensions": False,
        "allow_persistent_secrets": False,
        "python_enable_replacements": False,
        "show_behavior": "table",  # SHOW is not a way to a setting
    }
    try:
        connection = duckdb.connect(path, read_only=True, config=settings)
        about = store.meta(connection)
    except duckdb.Error as error:
        message = f"The facts cannot be read: {_said(error, path)}. Run `scaup ingest`."
        raise ScaupError("facts_unavailable", message) from error
    if not store.is_ours(about):
        raise store.other_version(about)
    connection.execute("SET TimeZone = 'UTC'")
    # Python imports what it needs for values before it can open no more files.
    with suppress(duckdb.Error):
        connection.execute("SELECT [now()], uuid(), [1.5], [DATE '2000-01-01'], [INTERVAL 1 DAY]").fetchall()
    _ = connection.sql("SELECT 1").types
    connection.execute("SET enable_external_access = false")
    connection.execute("SET disabled_filesystems = 'LocalFileSystem'")  # or the store's own bytes could be read
    connection.execute("SET lock_configuration = true")
    return connection


def _confine(memory_mb: int, seconds: float) -> None:
    """Let the kernel refuse what the query must not do. Windows has no such limits: there, DuckDB's settings hold."""
    if sys.platform == "win32":
        return
    import resource
    import signal

    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE)  # its signal ends the process
    try:
        used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except OSError:
        used = 1 << 30  # not Linux: what a process with DuckDB has mapped, rounded up
    limits = [
        (resource.RLIMIT_AS, used + (memory_mb << 20)),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 0),  # last: no file or socket can be opened from here on
    ]
    for limit, value in limits:
        with suppress(ValueError, OSError):  # macOS takes no limit below what is mapped
            resource.setrlimit(limit, (value, value))


def _readable(connection: duckdb.DuckDBPyConnection, statement: duckdb.Statement) -> str:
    """Return the text of a statement that may run; raises `sql_error` for any other."""
    try:
        kind = statement.type.name
    except ValueError:  # a kind that is newer than the Python package
        kind = "UNKNOWN"
    text = statement.query.strip()
    if kind == "MULTI":
        raise ScaupError("sql_error", f"PIVOT needs its values here: PIVOT … ON column IN (…). {_ALLOWED}")
    if kind not in ("SELECT", "EXPLAIN"):
        raise ScaupError("sql_error", f"{kind.replace('_', ' ')} is not allowed: the facts are read-only. {_ALLOWED}")
    candidates = [text] if kind == "SELECT" else _explained(text)
    for candidate in candidates:
        tree = _parsed(connection, candidate)
        if tree is not None:
            break
    else:
        raise ScaupError("sql_error", f"Only a statement that reads can be explained. {_ALLOWED}")
    for member, name in _names(tree):
        bare = name.strip('"').lower()
        if bare in _HIDDEN or (member == "function_name" and bare in _INDIRECT):
            raise ScaupError("sql_error", f"{bare} is not available here: queries see the facts and nothing else.")
    return text


def _parsed(connection: duckdb.DuckDBPyConnection, text: str) -> Any:
    """Return the syntax tree of statements, None where they are no SELECT."""
    import duckdb

    try:
        row = connection.execute("SELECT json_serialize_sql($1::VARCHAR)", [text]).fetchone()
    except duckdb.Error:
        return None
    tree = json.loads(row[0]) if row else {"error": True}
    return None if tree["error"] else tree


def _names(tree: Any) -> Iterator[tuple[str, str]]:
    """Yield the names of functions and tables in a syntax tree."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, list):
            pending.extend(node)
        elif isinstance(node, dict):
            pending.extend(node.values())
            for member in ("function_name", "table_name"):
                if isinstance(node.get(member), str):
                    yield member, node[member]


def _explained(text: str) -> Iterator[str]:
    """Yield what may be the statement after EXPLAIN: behind ANALYZE, and behind options in parentheses."""
    tokens = _tokens(text)[1:]
    if tokens and tokens[0][1].lower() == "analyze":
        tokens = tokens[1:]
    if tokens:
        yield text[tokens[0][0] :]
    if tokens and tokens[0][1] == "(":
        closing = next((index for index, token in enumerate(tokens) if token[1] == ")"), len(tokens))
        if closing + 1 < len(tokens):
            yield text[tokens[closing + 1][0] :]


def _tokens(text: str) -> list[tuple[int, str]]:
    """Return the tokens of a statement, comments left out, as (offset, text)."""
    import duckdb

    raw = text.encode("utf-8")
    found = [(offset, kind) for offset, kind in duckdb.tokenize(text)]
    ends = [offset for offset, _ in found[1:]] + [len(raw)]
    tokens = []
    for (offset, kind), end in zip(found, ends, strict=True):
        if kind != duckdb.token_type.comment:
            tokens.append((len(raw[:offset].decode("utf-8")), raw[offset:end].decode("utf-8").strip()))
    return tokens


# --------------------------------------------------------------------------------------------------------- values


def _rows(connection: duckdb.DuckDBPyConnection, text: str, max_rows: int, max_bytes: int) -> Iterator[bytes]:
    """Run a statement, and yield the answer as JSON."""
    columns, dated = _execute(connection, text)
    rows: list[bytes] = []
    size = 0
    truncated = False
    while not truncated and (batch := connection.fetchmany(min(_BATCH, max_rows - len(rows) + 1))):
        for row in batch:
            values = [_plain(value) for value in row]
            for index in dated:
                if values[index] is not None:
                    values[index] = values[index].replace(" ", "T", 1)
            encoded = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
            size += len(encoded)
            if size > max_bytes and not rows:
                message = f"One row alone has more than {max_bytes} bytes. Select less of it, for example with left()."
                raise ScaupError("sql_error", message)
            truncated = len(rows) == max_rows or size > max_bytes
            if truncated:
                break
            rows.append(encoded)
    yield b'{"columns":' + json.dumps(columns).encode("ascii") + b',"rows":['
    yield b",".join(rows)
    yield b'],"truncated":' + (b"true}" if truncated else b"false}")


def _execute(connection: duckdb.DuckDBPyConnection, text: str) -> tuple[list[dict[str, str]], list[int]]:
    """Run a statement; return its columns, and the positions of timestamps, which come as DuckDB writes them.

    Python's dates and times hold neither infinities, nanoseconds, years before Christ nor months of an interval: a
    column of them is cast to text by DuckDB. Within lists and structs they are what Python makes of them.
    """
    import duckdb

    try:
        relation = connection.sql(text)
        found = list(zip(relation.columns, relation.types, strict=True)) if relation is not None else []
    except (duckdb.Error, ValueError):
        found = []  # its error, if it is one, comes from running it
    columns = [{"name": name, "type": str(kind)} for name, kind in found]
    temporal = [index for index, (_, kind) in enumerate(found) if kind.id.startswith(_TEMPORAL)]
    if not temporal:
        result = connection.execute(text)
        described = [{"name": column[0], "type": str(column[1])} for column in result.description or []]
        return described, []
    aliases = ", ".join(f"c{index}" for index in range(len(found)))
    selected = ", ".join(f"c{index}::VARCHAR" if index in temporal else f"c{index}" for index in range(len(found)))
    bare = _without_end(text)
    connection.execute(f"SELECT {selected} FROM (\n{bare}\n) AS answer({aliases})")
    return columns, [index for index in temporal if found[index][1].id.startswith("timestamp")]


def _without_end(text: str) -> str:
    """Return a statement without the semicolons and comments behind it."""
    tokens = _tokens(text)
    while tokens and not tokens[-1][1].strip(";"):
        tokens.pop()
    return text[: tokens[-1][0]] + tokens[-1][1] if tokens else text


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {key if isinstance(key, str) else _key(key): _plain(item) for key, item in value.items()}
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value)


def _number(value: Decimal) -> int | float | str:
    if not value.is_finite():
        return str(value)
    if value == value.to_integral_value():
        return int(value)
    return float(value) if Decimal(repr(float(value))) == value else str(value)


def _key(value: Any) -> str:
    plain = _plain(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _said(error: Exception, path: str) -> str:
    """Return what DuckDB said, without the place of the store."""
    text = str(error).strip()
    for place in map(str, (path, Path(path).parent, Path(path).parent.parent)):
        if len(place) > 1:
            text = text.replace(place, "facts")
    return text[:2000]


if __name__ == "__main__":
    main()
