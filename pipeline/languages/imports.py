"""Imports: the names that they bind, and what these stand for."""

from __future__ import annotations

from scaup.pipeline.languages.expressions import text
from scaup.pipeline.languages.matches import Captures
from scaup.pipeline.languages.syntax import Syntax
from scaup.pipeline.languages.unit import Unit

Bound = tuple[str, str | None, str | None]


def write(unit: Unit) -> None:
    """Add the rows of imports, each with the function that it stands in, if any; note the names that they bind."""
    syntax, ownership, rows = unit.syntax, unit.ownership, unit.tables["imports"]
    for captures in unit.matches.captures("import"):
        node = captures["import"][0]
        start, line = node.start_byte, node.start_point[0] + 1
        owner = ownership.owner_at(start)
        while owner is not None and owner.kind not in ("function", "method", "test"):
            owner = owner.parent
        inside = ownership.scope_path(start)
        scope = owner.symbol_id if owner is not None else None
        for module, name, alias in _bound(syntax, captures):
            rows.append((unit.path, scope, line, module, name, alias, syntax.import_target(unit.path, module, inside)))
            if alias:
                unit.imported.add(alias)
                if "call" in captures:
                    unit.required.add((owner, alias))


def _bound(syntax: Syntax, captures: Captures) -> list[Bound]:
    """Return (module, member, bound name) of all names that one import binds."""
    if syntax.expand_import:
        return list(syntax.expand_import(captures, text))
    module = text(captures["module"][0])
    name = "*" if "wildcard" in captures else text(captures["name"][0]) if "name" in captures else None
    alias = text(captures["alias"][0]) if "alias" in captures else name
    return [(module, name, None if name == "*" else alias)]
