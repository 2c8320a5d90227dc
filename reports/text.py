"""Answers as text for people, one function a command. What is missing from an answer is said by `problems`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from scaup.reports import audit, config, inert, table
from scaup.reports.paint import Paint

Response = dict[str, Any]

SIGNATURE = 100  # columns of a terminal; a longer signature is cut, and the cut shows
# Columns of `metrics`: heading, and the text of a row under it.
_METRICS: tuple[tuple[str, Callable[[Response], Any]], ...] = (
    ("symbol", lambda row: f"{row['path']}:{row['line']}"),
    ("kind", lambda row: row["kind"]),
    ("qualname", lambda row: row["qualname"]),
    ("tests", lambda row: _capped(row, "tested_by")),
    ("purity", lambda row: row["purity"]),
    ("churn", lambda row: row["churn"]),
    ("callers", lambda row: row["callers"]),
    ("callees", lambda row: row["callees"]),
    ("cochange", lambda row: row["cochange_files"]),
    ("amp", lambda row: row["amp"]),
    ("reach", lambda row: _capped(row, "reach")),
    ("cyclo", lambda row: row["cyclomatic"]),
    ("cogn", lambda row: row["cognitive"]),
    ("lines", lambda row: row["lines"]),
)
_MEMORY = "in memory: neither the repository nor the cache folder can be written to"
_CAP = 32  # above it, reach and tested_by are not counted


def render(command: str, response: Response, paint: Paint | None = None) -> str:
    """Return the text of a successful answer; every line ends in a newline."""
    return "".join(line + "\n" for line in _COMMANDS[command](response, paint or Paint()))


# -------------------------------------------------------------------------------------------------------- commands


def _status(response: Response, paint: Paint) -> Iterator[str]:
    facts, store = response["facts"], response["store"]
    head = f"commit {facts['head'][:12]}" if facts["head"] else "no commit"
    tree = "with changes" if facts["dirty"] else "clean"
    age = "stale" if "stale" in response else "fresh"
    yield f"facts   {paint.name(facts['state_id'])} of {head}, {tree}, {age}"
    yield f"store   {inert.line(store['path'] or _MEMORY)}"
    languages = response["counts"]["languages"]
    yield f"parsed  {_counted(sum(languages.values()), 'file')}{_parts(languages)}"
    if response["parse_errors"]:
        yield f"errors  {_counted(response['parse_errors'], 'file')} with syntax errors: what parses is kept"
    excluded = response["excluded"]
    if excluded:
        yield f"other   {_counted(sum(excluded.values()), 'file')}{_parts(excluded)}"
    edges, unresolved = response["counts"]["edges"], response["counts"]["unresolved_calls"]
    yield f"calls   {sum(edges.values()):,} resolved{_parts(edges)}"
    yield f"        {sum(unresolved.values()):,} not resolved{_parts(unresolved)}"
    yield "stages"
    for stage in response["stages"]:
        counts = ", ".join(f"{name} {value:,}" for name, value in stage["counts"].items())
        reason = f"  {inert.line(stage['reason'])}" if stage.get("reason") else ""
        row = f"  {stage['stage']:<8}  {stage['state']:<8}  {stage['seconds']:>7.2f} s  {counts}{reason}"
        yield row.rstrip()


def _search(response: Response, paint: Paint) -> Iterator[str]:
    for hit in response["results"]:
        lanes = paint.minor(f"{hit['score']:.3f}  {_joined(hit.get('lanes') or [])}".rstrip())
        if "line" not in hit or hit["line"] is None:
            yield f"{paint.place(inert.line(hit['path']))}  {lanes}"
        elif hit.get("qualname") is None:
            yield f"{_place(hit, paint)}  (no containing symbol)  {lanes}"
        else:
            yield f"{_place(hit, paint)}  {_symbol(hit, paint)}  {lanes}"
    if not response["results"]:
        yield "Nothing matches."


def _outline(response: Response, paint: Paint) -> Iterator[str]:
    yield paint.place(inert.line(response["path"]))
    symbols = response["symbols"]
    if not symbols:
        yield "  no symbols"
    size = len(str(max((symbol["end_line"] for symbol in symbols), default=0)))
    for symbol in symbols:
        text = inert.line(symbol["signature"] or f"{symbol['kind']} {symbol['qualname']}")
        shown = text if len(text) <= SIGNATURE else text[: SIGNATURE - 1] + "…"
        test = paint.minor("  test") if symbol["is_test"] else ""
        lines = f"{symbol['line']:>{size}}-{symbol['end_line']:<{size}}"
        yield f"{paint.minor(lines)}  {'  ' * symbol['depth']}{shown}{test}"


def _show(response: Response, paint: Paint) -> Iterator[str]:
    for index, symbol in enumerate(response["symbols"]):
        if index:
            yield ""
        place = paint.place(inert.line(f"{symbol['path']}:{symbol['start_line']}-{symbol['end_line']}"))
        changed = (
            paint.warning("  changed since the facts were made: the lines may be off") if symbol["changed"] else ""
        )
        yield f"{place}  {_symbol(symbol, paint)}{changed}"
        yield inert.block(symbol["text"]).removesuffix("\n")


def _calls(response: Response, paint: Paint) -> Iterator[str]:
    yield f"{_place(response['symbol'], paint)}  {_symbol(response['symbol'], paint)}"
    for name in ("callers", "callees"):
        yield f"{name} ({len(response[name])})"
        for row in response[name]:
            at = paint.minor(f"{row['provenance']}, at {_joined(row['call_lines'])}")
            yield f"  {_place(row, paint)}  {_symbol(row, paint)}  {at}"
    yield f"unresolved ({len(response['unresolved'])})"
    path = response["symbol"]["path"]
    for row in response["unresolved"]:
        receiver = f"{row['receiver']}." if row["receiver"] else ""
        target = f" {row['target']}" if row["target"] else ""
        called = _cut(inert.line(f"{receiver}{row['callee']}"))
        place = paint.place(inert.line(f"{path}:{row['line']}"))
        yield f"  {place}  {called}  {paint.minor(inert.line(row['reason'] + target))}"


def _metrics(response: Response, paint: Paint) -> Iterator[str]:
    symbols = response["symbols"]
    if len(symbols) == response["total"] == 1:
        yield f"{_place(symbols[0], paint)}  {_symbol(symbols[0], paint)}"
        size = max(map(len, symbols[0]))
        for name, value in symbols[0].items():
            if name not in ("path", "line", "qualname", "kind", "symbol_id") and not name.endswith("_capped"):
                yield f"  {name:<{size}}  {inert.line(_value(value))}".rstrip()
        return
    rows = [[text(symbol) for _, text in _METRICS] for symbol in symbols]
    yield from table.render([name for name, _ in _METRICS], rows, null="-").splitlines()
    if len(symbols) < response["total"]:
        yield paint.minor(f"{len(symbols)} of {response['total']:,} symbols; --limit 0 shows all")


def _sql(response: Response, paint: Paint) -> Iterator[str]:
    if "tables" in response:
        yield from _contract(response["tables"])
        return
    names = [column["name"] for column in response["columns"]]
    yield from table.render(names, response["rows"]).splitlines()
    if response["truncated"]:
        yield paint.minor(
            f"Cut at {_counted(len(response['rows']), 'row')}: --max-rows and a limit of 32 MB bound an answer."
        )


def _contract(tables: list[Response]) -> Iterator[str]:
    for index, row in enumerate(tables):
        if index:
            yield ""
        yield f"-- {inert.line(row['comment'] or '')}"
        yield f"CREATE {row['kind'].upper()} {row['name']} ("
        columns = row["columns"]
        kinds = [_kind(column, row["kind"]) + "," for column in columns]
        kinds[-1] = kinds[-1].removesuffix(",")
        size, kind_size = max(len(column["name"]) for column in columns), max(map(len, kinds))
        for column, kind in zip(columns, kinds, strict=True):
            yield f"    {column['name']:<{size}} {kind:<{kind_size}} -- {inert.line(column['comment'] or '')}"
        yield ");"


def _kind(column: Response, relation: str) -> str:
    return str(column["type"]) + ("" if column["nullable"] or relation == "view" else " NOT NULL")


def _languages(response: Response, paint: Paint) -> Iterator[str]:
    rows = response["languages"]
    size = max(len(row["name"]) for row in rows)
    for row in rows:
        yield f"{paint.name(row['name'].ljust(size))}  {_joined([*row['suffixes'], *row['filenames']], ' ')}"


def _completion(response: Response, _: Paint) -> Iterator[str]:
    yield response["script"].rstrip("\n")


_COMMANDS: dict[str, Callable[[Response, Paint], Iterator[str]]] = {
    "ingest": _status,
    "status": _status,
    "search": _search,
    "outline": _outline,
    "show": _show,
    "calls": _calls,
    "metrics": _metrics,
    "sql": _sql,
    "languages": _languages,
    "completion": _completion,
    "audit": audit.audit,
    "rules": audit.rules,
    "rule": audit.rule,
    "config": config.config,
}

# ----------------------------------------------------------------------------------------------------------- parts


def _place(row: Response, paint: Paint) -> str:
    return paint.place(inert.line(f"{row['path']}:{row['line']}"))


def _symbol(row: Response, paint: Paint) -> str:
    return f"{inert.line(row['kind'])} {paint.name(inert.line(row['qualname']))}"


def _capped(row: Response, name: str) -> Any:
    return f">{_CAP}" if row[name] is None and row[f"{name}_capped"] else row[name]


def _value(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return _joined(value) or "none"
    return str(value)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _parts(counts: dict[str, int]) -> str:
    return f": {', '.join(f'{name} {number:,}' for name, number in counts.items())}" if counts else ""


def _joined(values: Iterable[Any], separator: str = ", ") -> str:
    return inert.line(separator.join(map(str, values)))


def _cut(text: str) -> str:
    return text if len(text) <= SIGNATURE else text[: SIGNATURE - 1] + "…"
