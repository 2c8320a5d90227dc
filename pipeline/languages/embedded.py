"""Code that a grammar leaves as plain tokens, such as the arguments of macros: parsed again in its own place.

A macro takes any tokens, but mostly they are code: then the second parse finds calls, definitions and branches as
in any other code. Where it finds errors, the tokens are no code of the language, and calls are taken by their looks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from tree_sitter import Node, Query, QueryCursor

# Macros in the arguments of macros: deeper ones were made by a program.
DEPTH = 8
# How far in front of a name its receiver is looked for, in bytes.
REACH = 200
_BLANK = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))

Place = tuple[int, int]


def only(source: bytes, places: Iterable[Place]) -> bytes:
    """Return the source with all blanked but the given places, so that offsets and lines stay what they are.

    A semicolon ends what stands before each place: it takes that of the mark between a macro's name and its arguments.
    """
    text = bytearray(source.translate(_BLANK))
    for start, end in places:
        floor = max(start - REACH, 0)
        mark = floor + len(source[floor:start].rstrip()) - 1
        if mark >= 0:
            text[mark] = ord(";")
        text[start:end] = source[start:end]
    return bytes(text) + b";"


def damaged(root: Node, errors: Query, places: list[Place]) -> set[Place]:
    """Return the places (sorted, none inside another) in which the tree has errors."""
    found: set[Place] = set()
    if root.has_error:
        starts = [start for start, _ in places]
        for nodes in QueryCursor(errors).captures(root).values():
            for node in nodes:
                # An error can begin in front of the place, or run over several.
                first = max(bisect_right(starts, node.start_byte) - 1, 0)
                for start, end in places[first : bisect_right(starts, node.end_byte)]:
                    if node.start_byte < end and start < max(node.end_byte, node.start_byte + 1):
                        found.add((start, end))
    return found


def calls_by_looks(
    source: bytes, places: Iterable[Place], names: dict[int, Node], known: set[int], definition: re.Pattern[str]
) -> list[Node]:
    """Return the names (by start byte) in `places` that look called, without known ones and those of definitions."""
    starts = sorted(names)
    found = []
    for start, end in sorted(places):
        for byte in starts[bisect_right(starts, start) : bisect_right(starts, end)]:
            if byte not in known and not definition.search(before(source, byte)):
                known.add(byte)
                found.append(names[byte])
    return found


def outside(names: dict[int, Node], places: Iterable[Place]) -> dict[int, Node]:
    """Return the names that stand in none of the places."""
    starts = sorted(names)
    inside = {byte for start, end in places for byte in starts[bisect_right(starts, start) : bisect_right(starts, end)]}
    return {byte: node for byte, node in names.items() if byte not in inside}


def before(source: bytes, byte: int) -> str:
    """Return the text in front of a byte, as far as a name's receiver could reach."""
    return source[max(byte - REACH, 0) : byte].decode("utf-8", "replace")
