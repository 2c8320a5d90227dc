"""The symbols that a change touches, as the seeds of a pack for review: by path and line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from scaup.pipeline.pack.candidates import Candidate, Seeds
from scaup.pipeline.pack.lines import Hunk
from scaup.pipeline.pack.revision import Change

if TYPE_CHECKING:
    import duckdb

_PLACES = 4  # that a reason lists
_QUOTED = 60  # characters of a removed line
_BELONGS = ("@", "#", "//", "/*", "*")  # decorators, attributes, comments: they stand above what they are of


@dataclass(frozen=True)
class _Symbol:
    path: str
    line: int
    qualname: str
    kind: str
    language: str
    start: int
    end: int
    symbol_id: int


@dataclass
class _Touched:
    """What differs in one symbol, or in a file outside of all."""

    lines: list[int] = field(default_factory=list)
    removals: list[Hunk] = field(default_factory=list)

    @property
    def first(self) -> int:
        return min([*self.lines, *(max(hunk.last, 1) for hunk in self.removals)])


def of_changes(con: duckdb.DuckDBPyConnection, changes: Sequence[Change], read: Any) -> Seeds:
    """Return the innermost symbols around the lines that differ, and stubs for what no symbol contains."""
    symbols = _symbols(con, [change.path for change in changes])
    rows: list[tuple[str, int, int, _Symbol | None, str, tuple[int, ...]]] = []
    for change in changes:
        if change.what is not None:
            rows.append((change.path, 1, 0, None, change.what, ()))
            continue
        lines = read(change.path) or []
        for symbol, touched in _touched(change, symbols.get(change.path, []), lines):
            line = symbol.line if symbol else touched.first
            focus = tuple(sorted({*touched.lines, *_beside(touched, symbol)}))
            rows.append(
                (
                    change.path,
                    line,
                    symbol.symbol_id if symbol else 0,
                    symbol,
                    _said(touched, symbol, change.is_new),
                    focus,
                )
            )
    rows.sort(key=lambda row: row[:3])
    return Seeds([_seed(row, number) for number, row in enumerate(rows, 1)])


def _seed(row: tuple[str, int, int, _Symbol | None, str, tuple[int, ...]], number: int) -> Candidate:
    path, line, _, symbol, said, focus = row
    reason = f"seed {number} ({said})"
    if symbol is None:
        return Candidate(path, line, None, None, None, line, line, None, reason, number, True)
    return Candidate(
        path, line, symbol.qualname, symbol.kind, symbol.language, symbol.start, symbol.end, symbol.symbol_id,
        reason, number, True, focus,
    )  # fmt: skip


def _symbols(con: duckdb.DuckDBPyConnection, paths: list[str]) -> dict[str, list[_Symbol]]:
    """Return the symbols of files, the largest first, so that inner ones come after those around them."""
    found: dict[str, list[_Symbol]] = defaultdict(list)
    for row in con.execute(
        "SELECT path, start_line, qualname, kind, language, span_start, end_line, symbol_id FROM symbols "
        "WHERE path IN (SELECT unnest($paths::VARCHAR[])) "
        "ORDER BY path, kind <> 'module', end_line - span_start DESC, span_start, symbol_id",
        {"paths": paths},
    ).fetchall():
        found[row[0]].append(_Symbol(*row))
    return found


def _touched(change: Change, symbols: list[_Symbol], lines: Sequence[str]) -> Iterable[tuple[_Symbol | None, _Touched]]:
    """Return what differs in a file by innermost symbol; under None, what no symbol contains."""
    owners = _owners(symbols)
    found: dict[_Symbol | None, _Touched] = defaultdict(_Touched)
    blank: list[int] = []
    for hunk in change.hunks:
        for line in range(hunk.first, hunk.last + 1):
            inside = owners.get(line)
            is_outside = inside is None or inside[0].kind == "module"
            if is_outside and line <= len(lines) and not lines[line - 1].strip():
                blank.append(line)
                continue
            owner: _Symbol | None
            for owner in inside or (None,):
                found[owner].lines.append(line)
        if hunk.first > hunk.last:
            around = _around(hunk, symbols, lines)
            if (around[0] is None or around[0].kind == "module") and not any(line.strip() for line in hunk.removed):
                blank.append(max(hunk.last, 1))
                continue
            for owner in around:
                found[owner].removals.append(hunk)
    if not found and blank:  # blank lines between definitions matter only where nothing else differs
        found[None].lines += blank
    return found.items()


def _owners(symbols: list[_Symbol]) -> dict[int, list[_Symbol]]:
    """Return the innermost symbols of each line: several where they stand on the same lines."""
    owners: dict[int, list[_Symbol]] = {}
    for symbol in symbols:
        span = (symbol.start, symbol.end)
        for line in range(symbol.start, symbol.end + 1):
            beside = owners.get(line)
            if beside and beside[0].kind != "module" and (beside[0].start, beside[0].end) == span:
                beside.append(symbol)
            else:
                owners[line] = [symbol]
    return owners


def _around(hunk: Hunk, symbols: list[_Symbol], lines: Sequence[str]) -> Sequence[_Symbol | None]:
    """Return whom removed lines belonged to: who is on both sides of the place, or ends or starts with it.

    Lines that were indented deeper than a definition that ends here were its last ones (where blocks end by
    indentation); a decorator or comment right above one that starts here was its first one.
    """
    for symbol in reversed(symbols):
        if symbol.kind != "module" and (_was_tail(hunk, symbol, lines) or _was_head(hunk, symbol, lines)):
            return [symbol]
    return [symbol for symbol in symbols if symbol.start <= hunk.last and symbol.end >= hunk.first][-1:] or [None]


def _was_tail(hunk: Hunk, symbol: _Symbol, lines: Sequence[str]) -> bool:
    text = next((line for line in hunk.removed if line.strip()), None)
    if text is None or symbol.end != hunk.last or symbol.end > len(lines):
        return False
    closed = lines[symbol.end - 1].lstrip()[:1] in ("}", ")", "]")
    return not closed and _indent(text) > _indent(lines[symbol.line - 1])


def _was_head(hunk: Hunk, symbol: _Symbol, lines: Sequence[str]) -> bool:
    text = hunk.removed[-1]
    if symbol.start != hunk.first or symbol.line > len(lines):
        return False
    return _indent(text) == _indent(lines[symbol.line - 1]) and text.lstrip().startswith(_BELONGS)


def _indent(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())


def _beside(touched: _Touched, symbol: _Symbol | None) -> Iterable[int]:
    """Return the lines next to what was removed: they show the place."""
    if symbol is not None:
        for hunk in touched.removals:
            yield from (line for line in (hunk.last, hunk.first) if symbol.start <= line <= symbol.end)


# ----------------------------------------------------------------------------------------------------------- reasons


def _said(touched: _Touched, symbol: _Symbol | None, is_new: bool) -> str:
    if symbol is None and is_new:
        return "new file"
    runs = _runs(touched.lines)
    if symbol is not None and symbol.kind != "module" and runs == [(symbol.start, symbol.end)]:
        return "changed: all lines"
    spans = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    texts = [_listed(f"line{'s' if len(touched.lines) > 1 else ''} ", spans, ", ")] if spans else []
    if touched.removals:
        texts.append(_listed("", [_removed(hunk) for hunk in touched.removals], "; "))
    return f"changed: {'; '.join(texts)}"


def _listed(before: str, places: list[str], separator: str) -> str:
    more = f" and {len(places) - _PLACES} more places" if len(places) > _PLACES else ""
    return f"{before}{separator.join(places[:_PLACES])}{more}"


def _removed(hunk: Hunk) -> str:
    number = len(hunk.removed)
    told = next((" ".join(line.split()) for line in hunk.removed if line.strip()), "")
    quoted = f" `{told if len(told) <= _QUOTED else told[: _QUOTED - 1] + '…'}`" if told else ""
    return f"{number} line{'s' if number > 1 else ''} removed after line {hunk.last}{quoted}"


def _runs(lines: Iterable[int]) -> list[tuple[int, int]]:
    """Return the runs of consecutive numbers."""
    ordered = sorted(set(lines))
    if not ordered:
        return []
    breaks = [(a, b) for a, b in pairwise(ordered) if b > a + 1]
    return list(zip([ordered[0], *(b for _, b in breaks)], [*(a for a, _ in breaks), ordered[-1]], strict=True))
