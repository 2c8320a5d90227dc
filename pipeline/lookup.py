"""Finding what a user names: `NAME`, `PATH`, `PATH::QUALNAME` or `PATH:LINE`.

A path may be exact, relative to where the user stands, absolute, written with backslashes, or the end of a path; a
name may be a qualified name or its last parts. The best kind of match wins; what is left over is an error that names
the nearest names or all candidates.
"""

from __future__ import annotations

import difflib
import os
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scaup.pipeline import git, languages
from scaup.pipeline.facts import Facts
from scaup.pipeline.response import ScaupError

NEAREST = 5  # names that an error suggests: more are no help
CANDIDATES = 20  # matches that an error lists

_LINE = re.compile(r"(.+?):(\d+)(?::\d+)?:?")  # PATH:LINE, also as compilers and grep print it


@dataclass(frozen=True)
class Symbol:
    """A definition that was found."""

    symbol_id: int
    path: str
    line: int
    end_line: int
    span_start: int
    qualname: str
    kind: str

    def member(self) -> dict[str, Any]:
        """Return what a response says of it where it only names it."""
        return {"path": self.path, "line": self.line, "qualname": self.qualname, "kind": self.kind}


@dataclass(frozen=True)
class Place:
    """A file, or a folder (`path` then ends in a slash, and is empty for the root)."""

    path: str


def find_file(facts: Facts, text: str) -> str:
    """Return the path of the file that `text` names; raises `path_not_found` or `ambiguous_match`."""
    paths = _files(facts, text)
    if len(paths) == 1:
        return paths[0]
    if not paths:
        raise _no_path(facts, text)
    raise ScaupError(
        "ambiguous_match",
        f"{len(paths)} files end in {text}. Name one of them by its whole path.",
        candidates=[{"path": path} for path in paths[:CANDIDATES]],
    )


def find_symbol(facts: Facts, text: str, path: str | None = None) -> Symbol:
    """Return the one symbol that `text` names, in the file `path` where that is given.

    Raises `symbol_not_found` with the nearest names, `ambiguous_match` with the candidates, `path_not_found`.
    """
    found = find_symbols(facts, text, path)
    if len(found) == 1:
        return found[0]
    same = {(symbol.path, symbol.qualname) for symbol in found}
    how = "path:line" if len(same) == 1 else "path::qualname"
    raise ScaupError(
        "ambiguous_match",
        f"{len(found)} symbols match {text}. Name one of them as {how}.",
        candidates=[symbol.member() for symbol in found[:CANDIDATES]],
    )


def find_symbols(facts: Facts, text: str, path: str | None = None) -> list[Symbol]:
    """Return the symbols that `text` names, by path and line, at least one."""
    text = text.strip().removesuffix("()")
    if not text:
        raise ScaupError(
            "invalid_request", "The name of the symbol is empty. Name one as NAME, PATH::NAME or PATH:LINE."
        )
    if path is not None:
        file = find_file(facts, path)
        if found := _named(facts, text, [file]):
            return found
        raise _no_symbol(facts, text, [file])
    at = _LINE.fullmatch(text)
    if at and _files(facts, at[1]):
        return [_at_line(facts, find_file(facts, at[1]), int(at[2]))]
    for front, name in _splits(text):
        if files := _files(facts, front):
            if found := _named(facts, name, files):
                return found
            raise _no_symbol(facts, name, files)
    if found := _named(facts, text, None):
        return found
    for front in (*((at[1],) if at else ()), *(front for front, _ in _splits(text))):
        if _is_path(facts, front):
            raise _no_path(facts, front)
    if files := _files(facts, text):
        raise ScaupError(
            "invalid_request",
            f"{files[0]} is a file. Name a symbol in it as {files[0]}::NAME or {files[0]}:LINE; "
            f"`scaup outline {files[0]}` lists them.",
        )
    raise _no_symbol(facts, text, None)


def find(facts: Facts, text: str) -> Place | Symbol:
    """Return the file, folder or symbol that `text` names. A path wins over a name."""
    if _LINE.fullmatch(text) is None and "::" not in text:
        if (place := _place(facts, text)) is not None:
            return place
        if _is_path(facts, text) and not _named(facts, text, None):
            raise _no_path(facts, text)
    return find_symbol(facts, text)


def find_place(facts: Facts, text: str) -> Place:
    """Return the file or folder that `text` names; raises `path_not_found` or `ambiguous_match`."""
    place = _place(facts, text)
    if place is None:
        raise _no_path(facts, text)
    return place


def _place(facts: Facts, text: str) -> Place | None:
    for form in _forms(facts, text):
        if form == "" or _rows(facts, "SELECT 1 FROM files WHERE starts_with(path, $form || '/') LIMIT 1", form=form):
            return Place(f"{form}/" if form else "")
    return Place(find_file(facts, text)) if _files(facts, text) else None


# ---------------------------------------------------------------------------------------------------------- paths


def _files(facts: Facts, text: str) -> list[str]:
    """Return the files that a text names: one by its whole path, else all that end in it."""
    forms = list(_forms(facts, text))
    for form in forms:
        if _rows(facts, "SELECT 1 FROM files WHERE path = $form", form=form):
            return [form]
    if text.startswith(("./", "../", ".\\", "..\\")) or os.path.isabs(text):  # noqa: PTH117 - a spelling, not yet a path
        return []
    for form in forms:
        query = "SELECT path FROM files WHERE ends_with(path, '/' || $form) ORDER BY path"
        if form and (rows := _rows(facts, query, form=form)):
            return [path for (path,) in rows]
    return []


def _forms(facts: Facts, text: str) -> Iterator[str]:
    """Yield the paths that a text can mean, best first; the empty one is the root."""
    written = git.encode_path(os.fsencode(text))
    seen: set[str] = set()
    for spelling in (text, written, text.replace("\\", "/")):
        for form in _from_root(facts, spelling):
            try:
                form.encode("utf-8")
            except UnicodeEncodeError:
                continue
            if form not in seen:
                seen.add(form)
                yield form


def _from_root(facts: Facts, spelling: str) -> Iterator[str]:
    if os.path.isabs(spelling):  # noqa: PTH117 - a spelling, not yet a path
        parent, name = os.path.split(spelling.rstrip("/"))
        for place in (spelling, os.path.join(os.path.realpath(parent), name)):  # noqa: PTH118 - Path would fold what the user wrote
            inside = os.path.relpath(place, facts.project.root)
            if not inside.startswith(os.pardir):
                yield _normal(inside.replace(os.sep, "/"))
        return
    here = posixpath.normpath(posixpath.join(facts.folder, spelling))
    root = posixpath.normpath(spelling)
    # What Scaup prints counts from the root; what starts with a dot counts from where the user stands.
    for path in (here, root) if spelling.startswith(".") else (root, here):
        if not path.startswith(".."):
            yield _normal(path)


def _normal(path: str) -> str:
    return "" if path == "." else path


def _is_path(facts: Facts, text: str) -> bool:
    """Return whether a text looks like a path and not like a name."""
    return "/" in text or "\\" in text or languages.identify(text) is not None or _exists(facts, text)


def _exists(facts: Facts, text: str) -> bool:
    return any(os.path.lexists(facts.project.root / folder / text) for folder in ("", facts.folder))


def _no_path(facts: Facts, text: str) -> ScaupError:
    name = posixpath.basename(text.replace("\\", "/").rstrip("/")) or text
    rows = _rows(
        facts,
        "SELECT path FROM files "
        "ORDER BY jaro_winkler_similarity(lower(parse_filename(path)), lower($name)) DESC, path LIMIT 100",
        name=name.encode("utf-8", "replace").decode("utf-8"),
    )
    nearest = _nearest(text, [path for (path,) in rows], posixpath.basename)
    if os.path.isabs(text) and not _inside(facts, text):  # noqa: PTH117 - a spelling, not yet a path
        message = f"{text} is outside of {facts.project.root}."
    elif _exists(facts, text):
        message = f"{text} exists, but there are no facts of it: git ignores it, or no file in it is known to git."
    else:
        message = f"There is no file or folder {text}."
    return ScaupError("path_not_found", message + _hint(nearest), nearest=nearest)


def _inside(facts: Facts, text: str) -> bool:
    return not os.path.relpath(os.path.realpath(text), os.path.realpath(facts.project.root)).startswith(os.pardir)


# ---------------------------------------------------------------------------------------------------------- names


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield (path, name) for each `::` at which a text can be split; a name may have more of them."""
    at = text.find("::")
    while at > 0:
        if text[at + 2 :]:
            yield text[:at], text[at + 2 :]
        at = text.find("::", at + 2)


_NAMED = """
WITH ranked AS (
    SELECT symbol_id, path, start_line, end_line, span_start, qualname, kind,
           CASE WHEN qualname = $name THEN 0
                WHEN ends_with(qualname, '.' || $name) OR ends_with(qualname, '::' || $name) THEN 1
                -- Separators are taken for each other: Class::method is how pytest writes it.
                WHEN replace(qualname, '::', '.') = replace($name, '::', '.') THEN 2
                WHEN ends_with(replace(qualname, '::', '.'), '.' || replace($name, '::', '.')) THEN 3 END AS rung
    FROM symbols
    WHERE $paths IS NULL OR list_contains($paths::VARCHAR[], path)
)
SELECT symbol_id, path, start_line, end_line, span_start, qualname, kind
FROM ranked
WHERE rung = (SELECT min(rung) FROM ranked)
ORDER BY path, start_line, span_start, qualname, symbol_id
"""


def _named(facts: Facts, name: str, paths: Sequence[str] | None) -> list[Symbol]:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return []
    return [Symbol(*row) for row in _rows(facts, _NAMED, name=name, paths=paths)]


def _at_line(facts: Facts, path: str, line: int) -> Symbol:
    """Return the innermost symbol around a line; the body of the module where there is no other."""
    rows = _rows(
        facts,
        "SELECT symbol_id, path, start_line, end_line, span_start, qualname, kind FROM symbols "
        "WHERE path = $path AND $line BETWEEN span_start AND end_line "
        "ORDER BY kind = 'module', end_line - span_start, start_line DESC, symbol_id LIMIT 1",
        path=path,
        line=line,
    )
    if rows:
        return Symbol(*rows[0])
    nearest = _rows(
        facts,
        "SELECT qualname, start_line FROM symbols WHERE path = $path AND kind <> 'module' "
        "ORDER BY least(abs(start_line - $line), abs(end_line - $line)), start_line, symbol_id LIMIT $limit",
        path=path,
        line=line,
        limit=NEAREST,
    )
    raise ScaupError(
        "symbol_not_found",
        f"No symbol of {path} contains line {line}.{_hint([f'{name} (line {at})' for name, at in nearest])}",
        nearest=[name for name, _ in nearest],
    )


def _no_symbol(facts: Facts, name: str, paths: Sequence[str] | None) -> ScaupError:
    last = re.split(r"::|\.", name)[-1] or name
    rows = _rows(
        facts,
        "SELECT DISTINCT qualname, jaro_winkler_similarity(lower(name), lower($last)) AS near FROM symbols "
        "WHERE kind <> 'module' AND ($paths IS NULL OR list_contains($paths::VARCHAR[], path)) "
        "ORDER BY near DESC, qualname LIMIT 200",
        last=last.encode("utf-8", "replace").decode("utf-8"),
        paths=paths,
    )
    nearest = _nearest(name, [qualname for qualname, _ in rows], lambda text: re.split(r"::|\.", text)[-1])
    where = f" in {paths[0]}" if paths and len(paths) == 1 else ""
    return ScaupError("symbol_not_found", f"There is no symbol {name}{where}.{_hint(nearest)}", nearest=nearest)


def _nearest(text: str, candidates: Sequence[str], last: Any) -> list[str]:
    """Return the candidates most like a text, compared as a whole or by their last part, best first."""
    scored = []
    for candidate in candidates:
        whole = difflib.SequenceMatcher(None, candidate.lower(), text.lower()).ratio()
        part = difflib.SequenceMatcher(None, last(candidate).lower(), last(text).lower()).ratio()
        # 0.6 is what difflib itself calls close; a last part is short, and chance makes it alike.
        if whole >= 0.6 or part >= 0.75:
            scored.append((-max(whole, part), -whole, candidate))
    return [candidate for *_, candidate in sorted(scored)[:NEAREST]]


def _hint(nearest: Sequence[str]) -> str:
    return f" Nearest: {', '.join(nearest)}." if nearest else ""


def _rows(facts: Facts, query: str, **values: Any) -> list[tuple[Any, ...]]:
    return facts.con.execute(query, values).fetchall()
