"""What stands around a string expression: keys, arguments, returns, branches and functions that it flows through."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from tree_sitter import Node

from scaup.pipeline.text.forms import Forms
from scaup.pipeline.text.strings import Strings

# Levels that are climbed; text that stands deeper is in code that no person wrote.
LEVELS = 400


class Frame(NamedTuple):
    """One step outwards from a string.

    kind: key (`name` in the object, struct or keyword arguments of `node`), argument (`position` in a call of `name`),
    method (of which it is the receiver), element (of a list), return, raise, assign (to `name`), function (a literal
    one), handler (of an error), branch (`name` is its condition, `position` 1 on its other side), definition (of a
    function), class, decorator, opaque (a place where it is no value).
    """

    kind: str
    name: str
    node: Node
    position: int = 0


class Context:
    """Works out the frames around strings of one file."""

    def __init__(self, forms: Forms, strings: Strings) -> None:
        self.forms, self.strings = forms, strings

    def frames(self, node: Node) -> list[Frame]:
        """Return the frames around an expression, inner ones first, up to the function with a name around it."""
        found: list[Frame] = []
        child, parent = node, node.parent
        for _ in range(LEVELS):
            if parent is None:
                break
            role = self.forms.role.get(parent.type, "")
            step = getattr(self, f"_at_{role}", None) if role else None
            if step is not None:
                child, parent, frame = step(child, parent)
                if frame is not None:
                    found.append(frame)
                    if frame.kind in ("definition", "opaque"):
                        break
            else:
                child, parent = parent, parent.parent
        return found

    def _at_pair(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        key = self._field(parent, "key")
        value = self._field(parent, "value")
        if value is None:  # a grammar without fields: the first child is the key
            named = parent.named_children
            key, value = (named[0], named[-1]) if len(named) > 1 else (None, parent)
        if key is not None and child == key:
            return parent, None, Frame("opaque", "key", parent)
        name = self.key_text(key) if key is not None else ""
        holder = parent.parent
        if holder is not None and self.forms.role.get(holder.type) == "arguments" and holder.parent is not None:
            call = holder.parent
            return call, call.parent, Frame("key", name, call)
        return parent, holder, Frame("key", name, holder or parent)

    def _at_arguments(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        call = parent.parent
        if call is None:
            return parent, None, None
        position = sum(1 for other in parent.named_children if other.start_byte < child.start_byte)
        return call, call.parent, Frame("argument", self.strings.callee(call), call, position)

    def _at_tokens(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        """Tokens of a macro: a value behind `key:` or `key =` belongs to that key; else it is an argument."""
        outer = parent.parent
        key = self._token_key(child)
        if key is not None:
            return parent, outer, Frame("key", key, parent)
        if outer is not None and outer.type in self.forms.nodes["macro"]:
            position = sum(1 for other in parent.named_children if other.start_byte < child.start_byte)
            return outer, outer.parent, Frame("argument", self.strings.callee(outer), outer, position)
        return parent, outer, None

    def _token_key(self, value: Node) -> str | None:
        # A call in tokens is a name and a group: its key stands before the name.
        before = value.prev_sibling
        while before is not None and before.is_named and before.type not in self.forms.literals:
            before = before.prev_sibling
        if before is None or before.type not in (":", "="):
            return None
        key = before.prev_sibling
        return self.key_text(key) if key is not None else None

    def _at_member(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        call = parent.parent
        if call is not None and self.forms.role.get(call.type) == "call":
            return call, call.parent, Frame("method", self.strings.callee(call), call)
        return parent, parent.parent, None

    def _at_list(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return parent, parent.parent, Frame("element", "", parent)

    def _at_return(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return parent, parent.parent, Frame("return", "", parent)

    def _at_tail(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        """A block whose last expression is its value."""
        last = next((c for c in reversed(parent.named_children) if "comment" not in c.type), None)
        return parent, parent.parent, Frame("tail", "", parent) if last == child else None

    def _at_raise(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return parent, parent.parent, Frame("raise", "", parent)

    def _at_assign(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        target = self._field(parent, "target")
        if target is not None and (child == target or target.start_byte >= child.start_byte):
            return parent, parent.parent, None  # an annotation in front of the value, or the target itself
        name = self.strings.text(target.start_byte, target.end_byte) if target is not None else ""
        return parent, parent.parent, Frame("assign", re.sub(r"^(?:let|const|var|mut)\s+", "", name), parent)

    def _at_function_literal(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        body = parent.child_by_field_name("body")
        if body is not None and body == child and self.forms.role.get(body.type) not in ("tail",):
            # An arrow function whose body is an expression gives it back.
            returned = body.type not in ("statement_block", "block")
            return parent, parent.parent, Frame("arrow" if returned else "function", "", parent)
        return parent, parent.parent, Frame("function", "", parent)

    def _at_function(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return parent, parent.parent, Frame("definition", "", parent)

    def _at_class(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        name = parent.child_by_field_name("name")
        return (
            parent,
            parent.parent,
            Frame("class", self.strings.text(name.start_byte, name.end_byte) if name else "", parent),
        )

    def _at_decorator(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return parent, None, Frame("decorator", "", parent)

    def _at_handler(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return parent, parent.parent, Frame("handler", "", parent)

    def _at_conditional(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return self._at_branch(child, parent)

    def _at_branch(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        condition = self._field(parent, "condition")
        if condition is None or condition == child:
            return parent, parent.parent, None
        written = self.strings.text(condition.start_byte, min(condition.end_byte, condition.start_byte + 300))
        other = parent.child_by_field_name("alternative")
        is_other = other is not None and other == child
        return parent, parent.parent, Frame("branch", written, parent, int(is_other))

    def _at_opaque(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return parent, None, Frame("opaque", parent.type, parent)

    def _field(self, node: Node, name: str) -> Node | None:
        for field in self.forms.fields.get(name, ()):
            if (found := node.child_by_field_name(field)) is not None:
                return found
        return None

    def key_text(self, key: Node) -> str:
        """Return a key as a text: of a string, its value."""
        inner = key.named_children[0] if key.type == "literal_element" and key.named_children else key
        if inner.type in self.forms.literals and (pieces := self.strings.pieces(inner)) is not None:
            return "".join(piece.text for piece in pieces)
        return self.strings.text(inner.start_byte, inner.end_byte)

    def entries(self, holder: Node) -> Mapping[str, Node]:
        """Return the values of an object, a struct literal or the keyword arguments of a call by key."""
        role = self.forms.role.get(holder.type, "")
        if role in ("call", "macro"):
            inside = next(
                (c for c in holder.named_children if self.forms.role.get(c.type) in ("arguments", "tokens")), None
            )
            if inside is None:
                return {}
            holder = inside
            role = self.forms.role.get(holder.type, "")
        found: dict[str, Node] = {}
        if role == "tokens":
            for child in holder.named_children:
                if (key := self._token_key(child)) is not None:
                    found.setdefault(key, child)
            return found
        for child in holder.named_children:
            if self.forms.role.get(child.type) != "pair":
                # A method, or a name that stands for itself.
                name = child.child_by_field_name("name")
                if name is not None:
                    found.setdefault(self.strings.text(name.start_byte, name.end_byte), child)
                elif child.type.startswith("shorthand"):
                    found.setdefault(self.strings.text(child.start_byte, child.end_byte), child)
                continue
            key_node, value = self._field(child, "key"), self._field(child, "value")
            if value is None and len(child.named_children) > 1:
                key_node, value = child.named_children[0], child.named_children[-1]
            if key_node is not None and value is not None:
                if value.type == "literal_element" and value.named_children:
                    value = value.named_children[0]
                found.setdefault(self.key_text(key_node), value)
        return found

    def constructor(self, holder: Node) -> str:
        """Return the name of the type or function whose object this is; empty for a plain object."""
        role = self.forms.role.get(holder.type, "")
        if role in ("call", "macro"):
            return self.strings.callee(holder)
        node: Node | None = holder
        for _ in range(2):
            if node is None:
                return ""
            if self.forms.role.get(node.type) == "struct":
                for field in self.forms.fields.get("type", ()):
                    if (name := node.child_by_field_name(field)) is not None:
                        return self.strings.text(name.start_byte, name.end_byte)
            node = node.parent
        return ""
