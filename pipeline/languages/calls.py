"""Call sites: who calls what, on what, with how many arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tree_sitter import Node

from scaup.pipeline.languages import embedded
from scaup.pipeline.languages.expressions import DYNAMIC, TEXT_LENGTH
from scaup.pipeline.languages.matches import Captures
from scaup.pipeline.languages.unit import Unit

_ROOT = re.compile(r"(\w*)\??")


def write(unit: Unit) -> None:
    """Add the rows of calls in order of their places; note the names that they go through."""
    source, syntax, ownership = unit.source, unit.syntax, unit.ownership
    path, rows, plain = unit.path, unit.tables["calls"], syntax.expressions.plain
    receivers: set[str] = set()
    names: set[str] = set()
    for start, _, _, is_macro, by_looks, captures in _sites(unit):
        if named := captures.get("name"):
            node = named[0]
            start = node.start_byte
            name = source[start : node.end_byte].decode("utf-8", "replace")[:TEXT_LENGTH]
        else:
            node = captures["reference.macro" if is_macro else "reference.call"][0]
            name = DYNAMIC
        if is_macro:
            name += "!"
        receiver = None
        if on := captures.get("receiver"):
            value = on[0]
            if value.type in plain:
                receiver = source[value.start_byte : value.end_byte].decode("utf-8", "replace")[:TEXT_LENGTH]
            else:
                receiver = syntax.expressions.receiver(value)
            receiver = unit.relative(receiver, start)
        elif by_looks and (before := syntax.token_receiver.search(embedded.before(source, start))):
            receiver = unit.relative(before[1] or DYNAMIC, start)
        elif name in syntax.super_calls:
            receiver, name = name, syntax.super_calls[name]
        if receiver is None:
            names.add(name)
        else:
            receivers.add(receiver)
        if arguments := captures.get("arguments"):
            arity = _count_arguments(unit, arguments[-1])
        else:  # a decorator passes the definition; what a macro gets is unknown
            arity = None if is_macro or by_looks else 1
        caller = ownership.code_owner(start)
        rows.append((caller.calls, caller.symbol_id, path, name, receiver, node.start_point[0] + 1, arity))
        caller.calls += 1
    unit.roots = names | _roots(receivers)


def _sites(unit: Unit) -> list[tuple[int, int, int, bool, bool, Captures]]:
    """Return (start, -end, number, is it a macro's, is it taken by its looks, captures) of all call sites, sorted."""
    sites: list[tuple[int, int, int, bool, bool, Captures]] = []
    for lead in ("reference.call", "reference.macro"):
        is_macro = lead == "reference.macro"
        for _, captures in unit.matches.of(lead):
            node = captures[lead][0]
            sites.append((node.start_byte, -node.end_byte, len(sites), is_macro, False, captures))
        if not is_macro:
            for captures in unit.matches.looks:
                node = captures[lead][0]
                sites.append((node.start_byte, -node.end_byte, len(sites), False, True, captures))
    sites.sort()
    return sites


def _roots(receivers: Iterable[str]) -> set[str]:
    """Return the first names of receivers, each with the `?` behind it if there is one, and without."""
    roots: set[str] = set()
    for receiver in receivers:
        if found := _ROOT.match(receiver):
            roots.update(found.group(0, 1))
    return roots


def _count_arguments(unit: Unit, arguments: Node) -> int | None:
    """Return how many arguments a call passes, or None where a spread hides it."""
    if unit.syntax.argument_marks.search(unit.source, arguments.start_byte, arguments.end_byte) is None:
        return arguments.named_child_count
    children = arguments.named_children
    if any(child.type in unit.syntax.spread for child in children):
        return None
    return sum(1 for child in children if not child.is_extra)
