"""What JSON, YAML and TOML have in common: maps and lists of scalars, built from a syntax tree without recursion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from scaup.pipeline.text.found import Piece


@dataclass(slots=True)
class Scalar:
    """A value as it is written. `form` is how strings of this kind are decoded, `bare` for what is no string.

    `indent` is the column of the collection that it stands in, which YAML's block scalars are indented against.
    """

    start: int
    end: int
    form: str
    indent: int = 0


@dataclass(slots=True)
class Holder:
    """A map, or a list where `keyed` is false. Members are in the order of the file, duplicate keys included.

    `tables` are the members that dotted keys and headers of tables have made, by key.
    """

    keyed: bool
    members: list[tuple[str, Scalar | Holder]] = field(default_factory=list)
    tables: dict[str, Holder] = field(default_factory=dict)


Value = Scalar | Holder


@dataclass(frozen=True)
class Document:
    """A file read: its roots, and how its strings are decoded."""

    source: bytes
    roots: Sequence[Value]
    decode: Callable[[bytes, Scalar], list[Piece]]

    def pieces(self, scalar: Scalar) -> list[Piece]:
        """Return a string's pieces."""
        return self.decode(self.source, scalar)

    def text(self, scalar: Scalar) -> str:
        """Return a string's text, or another value as it is written."""
        if scalar.form == "bare":
            return self.source[scalar.start : scalar.end].decode("utf-8", "replace")
        return "".join(piece.text for piece in self.pieces(scalar))


class Grammar(NamedTuple):
    """The node types of a format. `numbers`, which are also dates and words, are passed over in lists.

    `pair` returns the keys of a pair, several where they are dotted, and its value.
    """

    maps: frozenset[str]
    lists: frozenset[str]
    pairs: frozenset[str]
    numbers: frozenset[str]
    scalar: Callable[[Node, int], Scalar | None]
    pair: Callable[[Node], tuple[Sequence[str], Node | None]]


# What is no value: comments, and what YAML writes beside one. An alias is a text that counts where it is written.
_PASSED = frozenset({"comment", "anchor", "tag", "alias", "yaml_directive", "tag_directive", "reserved_directive"})


def read(nodes: Sequence[Node], grammar: Grammar, target: Holder) -> None:
    """Read values and pairs into a holder. What no type is known of is looked into: errors keep what parses."""
    todo: list[tuple[Node, Holder, str, int]] = [(node, target, "", 0) for node in reversed(nodes)]
    while todo:
        node, holder, key, indent = todo.pop()
        kind = node.type
        if kind in _PASSED:
            continue
        if kind in grammar.pairs:
            keys, value = grammar.pair(node)
            if value is not None and keys:
                todo.append((value, inside(holder, keys[:-1]), keys[-1], indent))
        elif kind in grammar.maps or kind in grammar.lists:
            made = Holder(kind in grammar.maps)
            holder.members.append((key, made))
            column = node.start_point.column
            inner = node.named_children
            if not made.keyed:
                inner = [child for child in inner if child.type not in grammar.numbers]
            todo.extend((child, made, "", column) for child in reversed(inner))
        elif (scalar := grammar.scalar(node, indent)) is not None:
            holder.members.append((key, scalar))
        else:
            todo.extend((child, holder, key, indent) for child in reversed(node.named_children))


def inside(holder: Holder, keys: Sequence[str], *, item: bool = False) -> Holder:
    """Return the map at the end of dotted keys, made where there is none; of a list, the last. `item` adds one."""
    for index, key in enumerate(keys):
        adds = item and index == len(keys) - 1
        found = holder.tables.get(key)
        if found is None:
            found = holder.tables[key] = Holder(not adds)
            holder.members.append((key, found))
        if not found.keyed:
            if adds:
                found.members.append(("", Holder(True)))
            newest = found.members[-1][1]
            found = newest if isinstance(newest, Holder) else found
        holder = found
    return holder


def walk(roots: Sequence[Value]) -> Iterator[Holder]:
    """Yield all maps and lists, outer ones first."""
    todo = [root for root in reversed(roots) if isinstance(root, Holder)]
    while todo:
        holder = todo.pop()
        yield holder
        todo.extend(value for _, value in reversed(holder.members) if isinstance(value, Holder))
