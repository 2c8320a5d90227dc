"""Functions and classes that decorators, or registrations by their names, make tools, prompts or their like."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from scaup.pipeline.languages.unit import Unit
from scaup.pipeline.text.context import Frame
from scaup.pipeline.text.found import Handler, Reference
from scaup.pipeline.text.registry import plain
from scaup.pipeline.text.surfaces import Surface, Surfaces

# A name that a decorator gives to a tool as its first argument: no text, and no address of a resource.
_NAME = re.compile(r"[\w.:-]+(?:/[\w.:-]+)*")
# Types of typing and of frameworks in which no model fills in fields.
_GENERIC = frozenset(("Annotated", "Any", "Callable", "Context", "Dict", "List", "Literal", "Optional", "RunContext",
                      "Sequence", "Tuple", "Union", "Path", "Set", "Iterable", "ToolContext"))  # fmt: skip
_FORWARD = re.compile(r"""["']([A-Z]\w*)["']""")
# A call of what a call gives back: `mcp.tool()(function)`.
_CURRIED = re.compile(r"^([\w.]+)\(.*\)$", re.DOTALL)


class Decorators:
    """What decorators and registrations say of the definitions of one file."""

    def __init__(self, unit: Unit, surfaces: Surfaces, captures: Mapping[str, Sequence[Node]]) -> None:
        self.unit, self.surfaces, self.captures = unit, surfaces, captures
        self.known, self.strings, self.context = surfaces.registry, surfaces.strings, surfaces.context
        self.nodes = self.context.forms.nodes
        # What the docstring of a definition is, by its node.
        self.docstrings: dict[int, Surface] = {}
        self.handlers: list[Handler] = []
        self.references: list[Reference] = []

    def read(self) -> None:
        """Read all decorators of the file, and the names of functions where tools are registered."""
        if not self.surfaces.speaks:
            return
        for node in self.captures.get("decorated", ()):
            definition = node.child_by_field_name("definition")
            named = definition.child_by_field_name("name") if definition is not None else None
            if definition is None or named is None:
                continue
            name = self.strings.text(named.start_byte, named.end_byte)
            for decorator in node.named_children:
                if decorator.type in self.nodes["decorator"] and decorator.named_children:
                    self._decorator(decorator.named_children[0], definition, name)
        # Where tools are structs, the first argument of a registration is the registry or the tool.
        if not self.nodes["struct"]:
            self._registered()

    # ------------------------------------------------------------------------------------------------- decorators

    def _decorator(self, inner: Node, definition: Node, name: str) -> None:
        known, callee = self.known, self.strings.callee(inner)
        is_call = bool(callee)
        callee = callee or self.strings.text(inner.start_byte, inner.end_byte)
        last = plain(callee)
        owner = self.unit.ownership.owner_at(definition.start_byte)
        if last in known.answering and is_call:
            # It answers the calls of all tools, and describes none.
            if owner is not None:
                self.handlers.append(Handler(owner.symbol_id, owner.name, None))
            return
        if last in known.prompt_decorators and "." in callee:
            self.surfaces.prompting[definition.id] = "instructions" if "instruction" in last else "prompt"
            if last == "prompt":
                self.docstrings[definition.id] = Surface("prompt", f"@{callee}", name)
            return
        if last not in known.decorators:
            return
        entries = self.context.entries(inner) if is_call else {}
        position = self._first_text(inner) if is_call else None
        has_doc = any(self._has_docstring(definition))
        tool = self.surfaces._tool_name(entries) or name
        describes = position is not None and " " in position and not (has_doc and last == "tool")
        if position is not None and not describes:
            self.surfaces.naming.add(inner.id)
            if last != "resource" and "name" not in entries and (_NAME.fullmatch(position) or " " in position):
                tool = position
        self.surfaces.decorated.setdefault(definition.id, tool)
        if not describes and not {plain(key) for key in entries} & known.description_keys:
            self.docstrings[definition.id] = Surface("tool_description", f"@{callee}", tool)
        if owner is not None:
            self.handlers.append(Handler(owner.symbol_id, owner.name, tool))
            self._arguments(definition, owner.symbol_id, tool)

    def _first_text(self, call: Node) -> str | None:
        """Return the first positional argument of a call where it is a text."""
        arguments = self.strings.arguments(call)
        pieces = self.strings.pieces(arguments[0]) if arguments else None
        return "".join(piece.text for piece in pieces) if pieces is not None else None

    def _has_docstring(self, definition: Node) -> Iterator[bool]:
        body = definition.child_by_field_name("body")
        if body is not None and body.named_children:
            yield body.named_children[0].type in self.context.forms.literals

    def _arguments(self, definition: Node, symbol: int, tool: str) -> None:
        """Note the types of a tool's parameters: the model fills in the fields of those that are classes."""
        parameters = definition.child_by_field_name("parameters")
        for parameter in parameters.named_children if parameters is not None else ():
            kind = parameter.child_by_field_name("type")
            named = parameter.child_by_field_name("name") or next(iter(parameter.named_children), None)
            if kind is None or named is None:
                continue
            name = self.strings.text(named.start_byte, named.end_byte)
            for found in sorted(set(self._types(kind)) - _GENERIC):
                self.surfaces.aliases.setdefault(found, (tool, name))
                self.references.append(
                    Reference(symbol, found, "parameter_description", tool, None, f"argument of {tool}")
                )

    def _types(self, kind: Node) -> Iterator[str]:
        """Yield the names of classes in a type, those in quotes included; what Annotated adds is no type."""
        stack = [kind]
        while stack:
            node = stack.pop()
            if node.type in self.nodes["call"]:
                continue
            if node.type in self.context.forms.literals:
                if (match := _FORWARD.fullmatch(self.strings.text(node.start_byte, node.end_byte))) is not None:
                    yield match[1]
            elif not node.named_children:
                if (name := self.strings.text(node.start_byte, node.end_byte))[:1].isupper():
                    yield name
            else:
                stack += node.named_children

    # --------------------------------------------------------------------------------------------- by their names

    def _registered(self) -> None:
        """Note the functions and classes whose names stand where tools are registered."""
        named = [d for d in reversed(self.unit.ownership.named) if d.kind in ("function", "class", "method")]
        definitions = {("self." if d.kind == "method" else "") + d.name: d for d in named}
        for node in self.captures.get("reference", ()):
            parent = node.parent
            if parent is None or not self._may_take(node, parent):
                continue
            if not (call := self._takes_function(self.context.frames(node))):
                continue
            written = self.strings.constant(node)
            if written.rpartition(".")[0] not in ("", "self", "cls"):
                continue
            name = written.rpartition(".")[2]
            made_by = self._maker(call)
            entries = self.context.entries(made_by) if made_by.type in self.nodes["call"] else {}
            position = self._first_text(made_by) if made_by is not call else None
            tool = self.surfaces._tool_name(entries) or (position if position and " " not in position else name)
            described = bool({plain(key) for key in entries} & self.known.description_keys) or " " in (position or "")
            definition = definitions.get(written.replace("cls.", "self."))
            if name[:1].isupper():
                owner = self.unit.ownership.owner_at(node.start_byte)
                symbol = owner.symbol_id if owner is not None else None
                detail = f"schema of {self.strings.callee(call) or 'tools'}"
                self.references.append(Reference(symbol, name, "parameter_description", tool, None, detail))
            if definition is None or definition.node is None:
                if not name[:1].isupper():
                    self.handlers.append(Handler(None, name, tool))
                continue
            if definition.node.id in self.surfaces.decorated:
                continue
            if definition.kind == "class":
                if not self.surfaces.is_tool_class(definition.node):
                    self.docstrings.setdefault(
                        definition.node.id, Surface("tool_description", "docstring of a class of arguments", tool)
                    )
                continue
            self.surfaces.decorated[definition.node.id] = tool
            self.handlers.append(Handler(definition.symbol_id, name, tool))
            self._arguments(definition.node, definition.symbol_id, tool)
            if not described:
                self.docstrings.setdefault(
                    definition.node.id, Surface("tool_description", f"registered as {tool}", tool)
                )

    def _may_take(self, node: Node, parent: Node) -> bool:
        """Whether a name stands first in a call that may register it, in a list or behind a key: a cheap first look."""
        if parent.type in self.nodes["arguments"]:
            call = parent.parent
            if call is None or parent.named_child(0) != node:
                return False
            callee = self.strings.callee(call)
            last = plain(curried[1] if (curried := _CURRIED.match(callee)) is not None else callee)
            return last in self.known.decorators or self.surfaces.registers(last)
        if parent.type in self.nodes["pair"]:
            key = parent.child_by_field_name("name")
            return key is not None and plain(self.strings.text(*key.byte_range)) in self.known.handler_keys
        return parent.type in self.nodes["list"]

    def _takes_function(self, frames: Sequence[Frame]) -> Node | None:
        """Return the call or the list that makes tools of functions, where a name stands in such a place."""
        in_list = bool(frames) and frames[0].kind == "element"
        frame = next((f for f in frames if f.kind != "element"), None)
        if frame is None:
            return None
        last = plain(frame.name)
        if frame.kind == "assign":
            return frame.node if in_list and last.endswith("tools") else None
        if frame.kind == "key":
            if in_list:
                return frame.node if last in self.known.tool_lists else None
            is_handler = last in self.known.handler_keys and frame.node.type in self.nodes["call"]
            return frame.node if is_handler and self.surfaces.registers(self.strings.callee(frame.node)) else None
        if frame.kind != "argument":
            return None
        if in_list:
            return frame.node if last in self.known.tool_list_calls else None
        if frame.position:
            return None
        callee = curried[1] if (curried := _CURRIED.match(frame.name)) is not None else frame.name
        last = plain(callee)
        takes = self.surfaces.registers(callee) or last in self.known.decorators
        return frame.node if takes and last not in self.known.prompt_decorators else None

    def _maker(self, call: Node) -> Node:
        """Return the call that says what a tool is called and does: of `mcp.tool(name="…")(function)` the inner one."""
        function = call.child_by_field_name("function") if call.type in self.nodes["call"] else None
        return function if function is not None and function.type in self.nodes["call"] else call
