"""What code does beside calls: members of result objects that it makes or reads, and side effects."""

from __future__ import annotations

from scaup.pipeline.languages.bindings import Bindings
from scaup.pipeline.languages.definitions import Definition
from scaup.pipeline.languages.expressions import TEXT_LENGTH, text
from scaup.pipeline.languages.unit import Unit


def write_field_uses(unit: Unit) -> None:
    """Add the rows of members of result objects."""
    rows, ownership = unit.tables["field_uses"], unit.ownership
    for lead, use in (("field.produced", "produced"), ("field.read", "read")):
        for _, captures in unit.matches.of(lead):
            for node in captures[lead]:
                owner = ownership.code_owner(node.start_byte)
                rows.append((owner.symbol_id, text(node)[:TEXT_LENGTH], use, node.start_point[0] + 1))


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
