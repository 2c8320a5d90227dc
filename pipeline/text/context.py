"""What stands around a string expression: keys, arguments, returns, branches and functions that it flows through."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from scaup.pipeline.text.forms import Forms
from scaup.pipeline.text.strings import Strings, attribute_name
from scaup.pipeline.text.tokens import Element

# Who speaks, in messages that are written as pairs.
ROLES = frozenset(("system", "developer", "human", "user", "ai", "assistant"))
# Levels that are climbed; text that stands deeper is in code that no person wrote.
LEVELS = 400
# Frames that are looked at: what stands further away tells nothing of a string.
FRAMES = 60


class Frame(NamedTuple):
    """One step outwards from a string.

    kind: key (`name` in the object, struct or keyword arguments of `node`), argument (`position` in a call of `name`),
    method (of which it is the receiver), element (of a list), return, raise, assign (to `name`), function (a literal
    one), handler (of an error), branch (`name` is its condition, `position` 1 on its other side), definition (of a
    function), class, decorator, annotation (an attribute; `name` is its path), statement (a value that nothing takes),
    opaque (a place where it is no value).
    """

    kind: str
    name: str
    node: Node
    position: int = 0


class Context:
    """Works out the frames around strings of one file."""

    def __init__(self, forms: Forms, strings: Strings) -> None:
        self.forms, self.strings = forms, strings
        # What objects hold: asked for by each string in them.
        self._entries: dict[int, Mapping[str, Node]] = {}
        self._starts: dict[int, list[int]] = {}
        self._steps: dict[int, tuple[Node, Node | None, Frame | None]] = {}

    def frames(self, node: Node) -> list[Frame]:
        """Return the frames around an expression, inner ones first, up to the function with a name around it."""
        found: list[Frame] = []
        child, parent = node, node.parent
        self._byte = node.start_byte
        for _ in range(LEVELS):
            if parent is None:
                break
            child, parent, frame = self._step(child, parent)
            if frame is not None:
                found.append(frame)
                if frame.kind in ("definition", "opaque", "annotation") or len(found) > FRAMES:
                    break
        return found

    def _step(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        """Return the next step outwards. Strings beside each other share most steps: each is worked out once."""
        if (known := self._steps.get(child.id)) is not None:
            return known
        role = self.forms.role.get(parent.type, "")
        step = getattr(self, f"_at_{role}", None) if role else None
        found: tuple[Node, Node | None, Frame | None]
        found = step(child, parent) if step is not None else (parent, parent.parent, None)
        if role != "assign":  # which of several names gets a value, is told by where the string is
            self._steps[child.id] = found
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
        if self.strings.passes(call):
            return call, call.parent, None  # it is the string itself: Some("…"), Ok("…")
        return call, call.parent, Frame("argument", self.strings.callee(call), call, self._position(parent, child))

    def _position(self, parent: Node, child: Node) -> int:
        """Return how many named nodes stand in front of one."""
        if (starts := self._starts.get(parent.id)) is None:
            starts = self._starts[parent.id] = [node.start_byte for node in parent.named_children]
        return bisect_left(starts, child.start_byte)

    def _at_tokens(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        """Tokens of a macro: a value behind `key:` or `key =` belongs to that key; else it is as its head says."""
        tokens, outer = self.strings.tokens, parent.parent
        found = tokens.element(parent, child.start_byte)
        node, around = parent, outer
        if outer is not None and outer.type in self.forms.nodes["macro"]:
            node, around = outer, outer.parent
        if found is None:
            return node, around, None
        position, element = found
        head, opening = tokens.head(parent), tokens.brackets(parent)
        if element.key is not None:
            if child.start_byte < element.nodes[0].start_byte:
                return parent, None, Frame("opaque", "key", parent)
            kind = "assign" if self.source_at(element.start, 4) == b"let " else "key"
            return node, around, Frame(kind, self.key_text(element.key), parent)
        if element.nodes[0].type == "return":
            return node, around, Frame("return", "", parent)
        if opening == "{" and not head.endswith("!"):
            return node, around, None
        if head == "vec!" or (not head and opening == "["):
            return node, around, Frame("element", "", parent)
        if not head:
            key = self._first_of_two(tokens.elements(parent), position)
            return node, around, Frame("key", key, parent) if key is not None else None
        if self.strings.passes_name(head) or (head.endswith("!") and opening == "{"):
            return node, around, None
        return node, around, Frame("argument", head, node, position)

    def _first_of_two(self, elements: Sequence[Element], position: int) -> str | None:
        """Return the key of a pair that is written as a tuple of a string and a value."""
        if len(elements) != 2 or position != 1 or elements[0].nodes[0].type not in self.forms.literals:
            return None
        return self.key_text(elements[0].nodes[0])

    def source_at(self, byte: int, length: int) -> bytes:
        """Return some bytes of the file."""
        return self.strings.source[byte : byte + length]

    def _at_plus(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        """An operation: what is compared is no value of what stands around it."""
        if self.strings.compares(parent):
            return parent, None, Frame("opaque", parent.type, parent)
        return parent, parent.parent, None

    def _at_member(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        call = parent.parent
        if call is not None and self.strings.joins(call):
            return call, call.parent, None
        if call is not None and self.forms.role.get(call.type) == "call":
            return call, call.parent, Frame("method", self.strings.callee(call), call)
        return parent, parent.parent, None

    def _at_list(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        if child.type in self.forms.nodes["pair"]:
            return parent, parent.parent, None  # a literal with keys is no list
        if "tuple" in parent.type or parent.named_child_count == 2:
            # ("key", value), as the entries of maps are written; [key, value] where a language has no tuples.
            named = parent.named_children
            key = self.strings.pieces(named[0]) if len(named) == 2 and named[1] == child else None
            if key is not None and self._is_entry(parent):
                return parent, parent.parent, Frame("key", "".join(piece.text for piece in key), parent)
        return parent, parent.parent, Frame("element", "", parent)

    def _is_entry(self, pair: Node) -> bool:
        """Whether a pair in a list is an entry of a map: in a language without tuples by what stands in it."""
        if pair.parent is None or pair.parent.type not in self.forms.nodes["list"]:
            return False
        return "tuple" in pair.type or (pair.type == "array" and self.key_text(pair.named_children[0]) in ROLES)

    def _at_object(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        if child.type.startswith("shorthand"):  # a name that is key and value
            return parent, parent.parent, Frame("key", self.strings.text(child.start_byte, child.end_byte), parent)
        return parent, parent.parent, None

    def _at_return(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return parent, parent.parent, Frame("return", "", parent)

    def _at_tail(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        """A block whose last expression is its value: of a function, what it gives back."""
        outer, after = parent.parent, child.next_named_sibling
        while after is not None and "comment" in after.type:
            after = after.next_named_sibling
        if after is not None or self.source_at(child.end_byte - 1, 1) == b";":
            return parent, outer, Frame("statement", "", parent)
        role = self.forms.role.get(outer.type, "") if outer is not None else ""
        is_body = role in ("function", "function_literal", "deferred")
        return parent, outer, Frame("tail", "", parent) if is_body else None

    def _at_raise(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return parent, parent.parent, Frame("raise", "", parent)

    def _at_assign(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        target = self._field(parent, "target")
        if target is not None and (child == target or target.start_byte >= child.start_byte):
            return parent, parent.parent, None  # an annotation in front of the value, or the target itself
        name = self.strings.text(target.start_byte, target.end_byte) if target is not None else ""
        other = parent.child_by_field_name("alternative")
        if other is not None and other == child:  # let Some(x) = y else { … }
            return parent, parent.parent, Frame("branch", name, parent, 1)
        if "," in name or (child.type in self.forms.nodes["targets"] and child.named_child_count > 1):
            name = self._target(parent, child, name)
        return parent, parent.parent, Frame("assign", re.sub(r"^(?:let|const|var|mut)\s+", "", name), parent)

    def _target(self, parent: Node, child: Node, names: str) -> str:
        """Return the name that a value goes to where several names get values: the one of its position."""
        targets = [node for field in self.forms.fields["target"] for node in parent.children_by_field_name(field)]
        if len(targets) == 1 and targets[0].type in self.forms.nodes["targets"]:
            targets = targets[0].named_children
        targets = [node for node in targets if node.is_named]
        values = child.named_children if child.type in self.forms.nodes["targets"] else [child]
        at = next((index for index, value in enumerate(values) if value.end_byte > self._byte >= value.start_byte), 0)
        if at >= len(targets):
            return names
        return self.strings.text(targets[at].start_byte, targets[at].end_byte)

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
        name = parent.child_by_field_name("name") or parent.child_by_field_name("type")
        written = self.strings.text(name.start_byte, name.end_byte) if name is not None else ""
        return parent, parent.parent, Frame("class", written, parent)

    def _at_decorator(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return parent, None, Frame("decorator", "", parent)

    def _at_annotation(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        path = attribute_name(self.strings, parent)
        return parent, None, Frame("annotation", path, parent)

    def _at_handler(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return parent, parent.parent, Frame("handler", "", parent)

    def _at_conditional(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        return self._at_branch(child, parent)

    def _at_branch(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        condition = self._field(parent, "condition")
        if condition is None:
            return parent, parent.parent, None
        if condition == child:
            return parent, None, Frame("opaque", "condition", parent)
        written = self.strings.text(condition.start_byte, min(condition.end_byte, condition.start_byte + 300))
        other = parent.child_by_field_name("alternative")
        is_other = other is not None and other == child
        return parent, parent.parent, Frame("branch", written, parent, int(is_other))

    def _at_typed(self, child: Node, parent: Node) -> tuple[Node, Node | None, Frame | None]:
        """A type says nothing; what is annotated to that of a parameter or a field does: `Annotated[str, "…"]`."""
        node: Node | None = parent
        annotated = behind = False
        while node is not None and node.type in self.forms.nodes["typed"]:
            inside = node.named_children
            if node.type.endswith("parameter"):
                behind = child != inside[0]  # and not the type itself
            elif node.type != "type" and not annotated:
                name = self.source_at(max(inside[0].end_byte - 9, inside[0].start_byte), 9)
                behind = behind if inside[-1].type.endswith("parameter") else child not in inside[:2]
                if name[:9] != b"Annotated" or not behind:
                    break
                annotated = True
            child, node = node, node.parent
        if node is None or not annotated:
            return parent, None, Frame("opaque", parent.type, parent)
        named = node.child_by_field_name("name") or next(iter(node.named_children), None)
        role = self.forms.role.get(node.type, "")
        if role == "function" or named is None:
            return parent, None, Frame("opaque", parent.type, parent)  # of what it gives back
        if role == "assign" and child == node.child_by_field_name("right"):
            return child, node, None  # a name for a type
        return node, node.parent, Frame("parameter", self.strings.text(named.start_byte, named.end_byte), node)

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
        if (known := self._entries.get(holder.id)) is None:
            known = self._entries[holder.id] = self._read_entries(holder)
        return known

    def _read_entries(self, holder: Node) -> Mapping[str, Node]:
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
            for element in self.strings.tokens.elements(holder):
                if element.key is not None and element.nodes:
                    found.setdefault(self.key_text(element.key), self.strings.token_value(element))
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
        if role == "tokens":
            return self.strings.tokens.head(holder)
        node: Node | None = holder
        for _ in range(2):
            if node is None:
                return ""
            if node.type in self.forms.nodes["struct"]:
                return self._type(node)
            node = node.parent
        return self._element_type(holder)

    def _type(self, struct: Node) -> str:
        for field in self.forms.fields.get("type", ()):
            if (name := struct.child_by_field_name(field)) is not None:
                return self.strings.text(name.start_byte, min(name.end_byte, name.start_byte + 200))
        return ""

    def _element_type(self, holder: Node) -> str:
        """Return the type of an element that leaves it out: `map[string]*Schema{"p": {…}}`."""
        node, inner = holder.parent, "literal_value"
        for _ in range(3):
            if node is None or node.type in self.forms.nodes["struct"]:
                break
            node = node.parent
        kind = (
            node.child_by_field_name("type") if node is not None and node.type in self.forms.nodes["struct"] else None
        )
        if kind is None or holder.type != inner:
            return ""
        for field in self.forms.fields.get("element", ()):
            if (element := kind.child_by_field_name(field)) is not None:
                return self.strings.text(element.start_byte, min(element.end_byte, element.start_byte + 200)).lstrip(
                    "*"
                )
        return ""
