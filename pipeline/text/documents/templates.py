"""Template code in texts: what stands for a value becomes a placeholder, what controls the template is dropped.

`{{name}}`, `{{.Name}}`, `${name}` and `<%= name %>` become `{name}`, `{name}` stays; `{% … %}`, `{{if …}}`, `{{#each
…}}` and comments of templates leave no text, nor a line where they stand alone on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scaup.pipeline.text.found import ESCAPE, PLACEHOLDER, VERBATIM, Piece

# An unclosed mark ends at the next one that opens: a text of opening marks is read once.
_CODE = re.compile(
    r"""
      \{%  (?P<block>   (?: (?! \{% | %\} ) . )* )      %\}
    | \{\# (?P<comment> (?: (?! \{\# | \#\} ) . )* )    \#\}
    | <%   (?P<tag>     (?: (?! <% | %> ) . )* )        %>
    | \$? \{\{ \{? [-~]? \s* (?P<double> (?: (?! \{\{ | \}\} ) . )* ) \}\} \}?
    | \$\{ (?P<dollar> [A-Za-z_][\w.\[\]]* ) \}
    | \{   (?P<single> [A-Za-z_][\w.\[\]]* ) \}
    """,
    re.DOTALL | re.VERBOSE,
)
# A name, perhaps a path or a variable of the template, and filters behind it.
_NAME = re.compile(r"[$@&]?\.?(?P<name>[A-Za-z_][\w$.\[\]-]*)?\s*(?:\|.*)?", re.DOTALL)
# What Go templates, Handlebars and their like write for branches, loops, partials and comments.
_CONTROL = re.compile(
    r"[#/^>!]|(?:if|range|with|define|template|block|else\s+if|else\s+with)\b\s*\S|(?:else|end|break|continue)\s*$"
)
# Doubled braces are also how format strings write single ones: what follows tells an object from an expression.
_EXPRESSION = re.compile(r"[A-Za-z_.$@&(]")


class _Change(NamedTuple):
    start: int
    end: int
    text: str
    kind: int


def templated(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces with placeholders for the values of a template and without its control code."""
    text = "".join(piece.text for piece in pieces)
    if "{" not in text and "<%" not in text:
        return list(pieces)
    changes = list(_changes(text))
    return _changed(pieces, changes) if changes else list(pieces)


def _changes(text: str) -> Iterator[_Change]:
    for match in _CODE.finditer(text):
        start, end = match.span()
        kind, written = match.lastgroup, match[match.lastgroup or 0]
        if kind == "single":
            yield _Change(start, end, match[0], PLACEHOLDER)
        elif kind == "dollar":
            yield _Change(start, end, f"{{{written}}}", PLACEHOLDER)
        elif kind == "double" or (kind == "tag" and written[:1] in ("=", "-")):
            inner = written.strip("=-~ \t\n")
            if kind == "double" and _CONTROL.match(inner):
                yield _dropped(text, start, end)
            elif kind == "tag" or (_EXPRESSION.match(inner) and not re.search(r":\s|\n", inner)):
                name = _NAME.fullmatch(inner)
                yield _Change(start, end, f"{{{name['name'] or '' if name else ''}}}", PLACEHOLDER)
        else:
            yield _dropped(text, start, end)


def _dropped(text: str, start: int, end: int) -> _Change:
    """Return the change that drops control code: with its line where nothing else stands on that."""
    before = text.rfind("\n", 0, start) + 1
    after = text.find("\n", end)
    alone = not text[before:start].strip() and not text[end : after if after >= 0 else None].strip()
    return _Change(before, after + 1, "", ESCAPE) if alone and after >= 0 else _Change(start, end, "", ESCAPE)


def _changed(pieces: Sequence[Piece], changes: Sequence[_Change]) -> list[Piece]:
    found: list[Piece] = []
    remaining = iter(changes)
    change = next(remaining, None)
    opened: Piece | None = None
    for part, at in _cut(pieces, changes):
        while change is not None and at >= change.end:
            if opened is not None:
                found.append(opened)
            opened, change = None, next(remaining, None)
        if change is None or at < change.start or (at == change.start and not part.text and opened is None):
            found.append(part)
        elif opened is None:
            opened = Piece(change.text, part.start, part.end, change.kind)
        else:
            opened = opened._replace(end=max(opened.end, part.end))
    if opened is not None:
        found.append(opened)
    return found


def _cut(pieces: Sequence[Piece], changes: Sequence[_Change]) -> Iterator[tuple[Piece, int]]:
    """Yield pieces with their place in the text, verbatim ones cut where changes start and end."""
    cuts = sorted({place for change in changes for place in (change.start, change.end)})
    index = at = 0
    for piece in pieces:
        end = at + len(piece.text)
        while index < len(cuts) and cuts[index] <= at:
            index += 1
        if piece.kind != VERBATIM:
            yield piece, at
            at = end
            continue
        done, byte = 0, piece.start
        while index < len(cuts) and cuts[index] < end:
            text = piece.text[done : cuts[index] - at]
            yield Piece(text, byte, byte + len(text.encode("utf-8")), VERBATIM), at + done
            done, byte = cuts[index] - at, byte + len(text.encode("utf-8"))
            index += 1
        yield Piece(piece.text[done:], byte, piece.end, VERBATIM), at + done
        at = end
