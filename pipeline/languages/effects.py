"""What code does beside calls: members of result objects that it makes or reads, and side effects."""

from __future__ import annotations

from tree_sitter import Node

from scaup.pipeline.languages.bindings import Bindings
from scaup.pipeline.languages.definitions import Definition
from scaup.pipeline.languages.expressions import TEXT_LENGTH, text
from scaup.pipeline.languages.unit import Unit

# How languages write the constants that say something of a result: that it is whole, or that nothing is missing.
CONSTANTS = {
    **dict.fromkeys(("true", "True"), "true"),
    **dict.fromkeys(("false", "False"), "false"),
    **dict.fromkeys(("None", "null", "nil", "undefined"), "null"),
    **dict.fromkeys(("0", "0.0"), "zero"),
    **dict.fromkeys(("[]", "{}", "()", '""', "''", "list()", "dict()", "set()", "tuple()"), "empty"),
    **dict.fromkeys(("vec![]", "Vec::new()", "new Set()", "new Map()"), "empty"),
}
_QUOTES = frozenset("\"'")
# From a name to what holds name and value: quotation marks, keys and elements of literals lie between.
_KEY_DEPTH = 3


def write_field_uses(unit: Unit) -> None:
    """Add the rows of members of result objects. What an assignment writes by a subscript is not read there."""
    rows, ownership = unit.tables["field_uses"], unit.ownership
    written: set[int] = set()
    for lead, use in (("field.produced", "produced"), ("field.read", "read")):
        for _, captures in unit.matches.of(lead):
            for node in captures[lead]:
                value = None
                if use == "produced":
                    written.add(node.start_byte)
                    value = _constant(node)
                elif node.start_byte in written:
                    continue
                owner = ownership.code_owner(node.start_byte)
                rows.append((owner.symbol_id, text(node)[:TEXT_LENGTH], use, node.start_point[0] + 1, value))


def _constant(name: Node) -> str | None:
    """Return which constant a member gets; None where it gets anything else."""
    around: Node | None = name
    for _ in range(_KEY_DEPTH):
        around = around.parent if around is not None else None
        if around is None:
            return None
        value = around.child_by_field_name("value") or around.child_by_field_name("right")
        if around.type == "token_tree":  # tokens of a macro: the value stands behind the colon
            key = next((child for child in around.named_children if child.end_byte >= name.end_byte), None)
            value = key.next_named_sibling if key is not None else None
        if value is not None and value.start_byte >= name.end_byte:
            written = text(value)
            return CONSTANTS.get(written, "text" if written[0] in _QUOTES else None)
    return None


def write(unit: Unit, bindings: Bindings) -> None:
    """Add the rows of effects that are no call, and of writes to names at the top of the file."""
    rows, ownership = unit.tables["internal.effects"], unit.ownership
    for lead in unit.matches.groups:
        if lead.startswith("effect."):
            for _, captures in unit.matches.of(lead):
                if "target" not in captures:
                    node = captures[lead][0]
                    owner = ownership.code_owner(node.start_byte)
                    rows.append((owner.symbol_id, unit.path, lead.partition(".")[2], node.start_point[0] + 1))
    for name, nodes in bindings.written.items():
        for node in nodes:
            owner = ownership.code_owner(node.start_byte)
            if owner.start == node.start_byte and owner.node is not None:  # a definition by assignment
                outer = owner.parent
                owner = outer if outer is not None and outer.is_symbol else ownership.module_body()
            around: Definition | None = owner
            while around is not None and (around, name) not in bindings.declared:
                around = around.parent
            # Code at the top of a file gives its names their first values.
            if around is None and owner is not ownership.module:
                rows.append((owner.symbol_id, unit.path, "global_state", node.start_point[0] + 1))
