"""Which surface a string of code has, by what stands around it: registrations, schemas, results, errors, prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from scaup.pipeline.text import attached
from scaup.pipeline.text.context import Context, Frame
from scaup.pipeline.text.registry import Registry, plain
from scaup.pipeline.text.strings import Strings


class Surface(NamedTuple):
    """What a string is to an agent, and how that is known."""

    surface: str
    detail: str
    tool: str | None = None
    parameter: str | None = None


class Surfaces:
    """Tells surfaces in one file. `speaks` is whether the file speaks of agents: weak names count only then."""

    def __init__(self, registry: Registry, context: Context, strings: Strings, speaks: bool) -> None:
        self.registry, self.context, self.strings, self.speaks = registry, context, strings, speaks
        # Registrations met, by place: their handlers are looked for once.
        self.registrations: dict[tuple[int, int], tuple[Node, str | None]] = {}

    def classify(self, frames: Sequence[Frame]) -> Surface | None:
        """Return the surface of a string in these frames, inner ones first; None where they do not tell."""
        for index, frame in enumerate(frames):
            if frame.kind == "opaque":
                return None
            outer = frames[index + 1 :]
            found = None
            if frame.kind == "key":
                found = self._at_key(frame, outer)
            elif frame.kind in ("argument", "method"):
                # What a key of an argument holds is for that key to say.
                if frame.kind == "argument" and not any(f.kind == "key" for f in frames[:index]):
                    found = self._at_argument(frame, outer)
                if found is None and self.registry.logs(frame.name):
                    return None
            elif frame.kind == "assign":
                return self._at_assignment(frame, outer, frames[:index])
            elif frame.kind in ("return", "arrow", "tail", "raise"):
                return self._given_back(frame, outer)
            elif frame.kind in ("function", "definition", "class"):
                return None
            if found is not None:
                return found
        return None

    # ------------------------------------------------------------------------------------------------------- keys

    def _at_key(self, frame: Frame, outer: Sequence[Frame]) -> Surface | None:
        key = plain(frame.name)
        name = plain(self.context.constructor(frame.node))
        known = self.registry
        if key in known.description_keys:
            return self._description(frame, outer, name)
        if name in known.results and key in known.result_keys:
            return Surface("tool_result", f"{frame.name} of {name}", self.tool(outer))
        if (name in known.results or name in known.error_calls) and key in known.error_keys | {"message"}:
            return Surface("error_message", f"{frame.name} of {name}", self.tool(outer))
        if key == "text" and self._literal(frame.node, "type") == "text":
            wrong = any(f.kind == "key" and plain(f.name) == "content" and self._is_error(f.node) for f in outer)
            if wrong or self._speaks_of_results(outer):
                return Surface("error_message" if wrong else "tool_result", "text content", self.tool(outer))
        if key in known.prompt_keys or (
            key in known.weak_prompt_keys and self.speaks and name != "" and key != "prompt"
        ):
            return Surface("instructions" if "instruction" in key else "prompt", f"key {frame.name}")
        if key == "content" and self._literal(frame.node, "role") in ("system", "developer"):
            return Surface("prompt", "system message")
        if key == "content" and name in known.prompt_calls:
            return Surface("prompt", f"content of {name}")
        return None

    def _description(self, frame: Frame, outer: Sequence[Frame], name: str) -> Surface | None:
        """Return the surface of the member `description` of an object or call."""
        known = self.registry
        entries = self.context.entries(frame.node)
        attribute = self._attribute(frame.node)
        if attribute is not None:
            return self._of_attribute(attribute, entries)
        keys = {plain(key) for key in entries}
        is_tool = name in known.tool_calls or (name in known.weak_tool_calls and self.speaks)
        looks_like_tool = "name" in keys and keys & known.schema_keys and "in" not in keys
        if is_tool or looks_like_tool or self._is_registration(outer):
            decorator = next((f.node for f in outer if f.kind == "decorator"), None)
            tool = self._tool_name(entries) or self._registered_name(outer)
            if tool is None and decorator is not None:
                tool = self._decorated_name(decorator)
            holder = frame.node
            self._register(holder, tool)
            for around in outer[:1]:
                if around.kind == "argument":
                    self._register(around.node, tool)
            return Surface("tool_description", f"description of {name or 'a tool object'}", tool)
        # properties: {p: {description}}
        path = [f.name for f in outer if f.kind == "key"]
        if len(path) > 1 and plain(path[1]) in known.containers and (self.speaks or self.tool(outer)):
            return Surface("parameter_description", "schema", self.tool(outer), path[0])
        if name in known.parameter_calls or (name in known.weak_parameter_calls and self.speaks):
            return Surface("parameter_description", f"description of {name}", self.tool(outer), self._parameter(outer))
        return None

    def _attribute(self, holder: Node) -> Node | None:
        """Return the attribute whose arguments a group of tokens is."""
        node = holder.parent
        for _ in range(2):
            if node is not None and node.type in self.context.forms.nodes["annotation"]:
                return node
            node = node.parent if node is not None else None
        return None

    def _of_attribute(self, attribute: Node, entries: Mapping[str, Node]) -> Surface | None:
        """Return the surface of the description in an attribute: of a tool, or of a field of a schema."""
        name = attached.attribute_name(self.strings, attribute)
        definition = attached.definition_behind(attribute)
        named = definition.child_by_field_name("name") if definition is not None else None
        written = self.strings.text(named.start_byte, named.end_byte) if named is not None else None
        if plain(name) in self.registry.decorators and self.speaks:
            return Surface("tool_description", f"#[{name}]", self._tool_name(entries) or written)
        if plain(name) == "schemars" and self.speaks:
            return Surface("parameter_description", f"#[{name}]", None, written)
        return None

    # -------------------------------------------------------------------------------------------------- arguments

    def _at_argument(self, frame: Frame, outer: Sequence[Frame]) -> Surface | None:
        known, name, last = self.registry, frame.name, plain(frame.name)
        dotted = name.replace("_", "").lower()
        if last in known.parameter_methods and self.speaks:
            return Surface(
                "parameter_description", f"{name.rpartition('.')[2]}()", self.tool(outer), self._parameter(outer)
            )
        if last in known.parameter_descriptions and self._inside(outer, known.parameter_calls):
            around = next(f for f in outer if f.kind == "argument" and plain(f.name) in known.parameter_calls)
            return Surface("parameter_description", name, self.tool(outer), self._first_argument(around.node))
        if last in known.tool_descriptions:
            return Surface("tool_description", name, self.tool(outer))
        if dotted.endswith(tuple(known.scoped_results)) or last in known.results:
            return Surface("tool_result", name, self.tool(outer))
        scope = name.rpartition("::")[0] or name.rpartition(".")[0]
        if last in known.error_calls or plain(scope) in known.error_scopes:
            return Surface("error_message", name, self.tool(outer))
        if last in known.prompt_calls:
            return Surface("prompt", name)
        registers = last in known.tool_calls or (last in known.weak_tool_calls and self.speaks)
        if registers and frame.position == 1:
            tool = self._first_argument(frame.node)
            self._register(frame.node, tool)
            return Surface("tool_description", f"{name}()", tool)
        decorator = next((f.node for f in outer if f.kind == "decorator"), None)
        if decorator is not None and last in known.decorators and frame.position == 0 and self.speaks:
            return Surface("tool_description", f"@{name}", self._decorated_name(decorator))
        return None

    # ------------------------------------------------------------------------------------------------ assignments

    def _at_assignment(self, frame: Frame, outer: Sequence[Frame], inner: Sequence[Frame]) -> Surface | None:
        if any(f.kind in ("argument", "method") for f in inner):
            return None
        in_class = next((f for f in outer if f.kind in ("class", "definition", "function")), None)
        if in_class is not None and in_class.kind == "class" and plain(frame.name) in self.registry.description_keys:
            if self.is_tool_class(in_class.node):
                return Surface("tool_description", f"description of class {in_class.name}", in_class.name)
            return None
        if self.speaks and (surface := self.registry.named(frame.name)) is not None:
            return Surface(surface, f"name {frame.name}")
        return None

    def is_tool_class(self, node: Node) -> bool:
        """Whether a class is a tool, by its name and what it inherits from."""
        head = self.strings.text(node.start_byte, min(node.start_byte + 300, node.end_byte)).partition("{")[0]
        words = head.partition(":\n")[0].replace("(", " ").replace(")", " ").replace(",", " ").replace("<", " ").split()
        return self.speaks and any(word.rstrip(":").lower().endswith(self.registry.classes) for word in words)

    # ------------------------------------------------------------------------------------------------- given back

    def _given_back(self, frame: Frame, outer: Sequence[Frame]) -> Surface | None:
        """Return the surface of what a function gives back that stands in a registration as a literal."""
        for index, around in enumerate(outer):
            if around.kind == "definition":
                return None
            if around.kind == "function" or (frame.kind == "arrow" and index == 0):
                rest = outer[index + 1 :] if around.kind == "function" else outer
                if self._is_handler(rest):
                    surface = "error_message" if frame.kind == "raise" else "tool_result"
                    return Surface(surface, "given back by a handler", self.tool(rest))
                return None
        return None

    def _is_handler(self, outer: Sequence[Frame]) -> bool:
        """Whether a function literal in these frames answers calls of a tool."""
        for frame in outer[:2]:
            if frame.kind == "argument":
                return self._registers(frame.name) and frame.position > 0
            if frame.kind == "key" and plain(frame.name) in self.registry.handler_keys:
                keys = {plain(key) for key in self.context.entries(frame.node)}
                return bool(keys & self.registry.description_keys) and bool(keys & {"name", *self.registry.schema_keys})
        return False

    # --------------------------------------------------------------------------------------------------- questions

    def tool(self, outer: Sequence[Frame]) -> str | None:
        """Return the name of the tool that frames are in, as far as it is written there."""
        for frame in outer:
            if frame.kind == "key":
                entries = self.context.entries(frame.node)
                keys = {plain(key) for key in entries}
                if "name" in keys and keys & self.registry.schema_keys:
                    return self._tool_name(entries)
            if frame.kind == "argument" and self._registers(frame.name):
                return self._first_argument(frame.node)
            if frame.kind == "class" and self.is_tool_class(frame.node):
                return frame.name
        return None

    def _registers(self, callee: str) -> bool:
        last = plain(callee)
        return last in self.registry.tool_calls or (last in self.registry.weak_tool_calls and self.speaks)

    def _is_registration(self, outer: Sequence[Frame]) -> bool:
        """Whether an object is the argument of a call that registers a tool."""
        return bool(outer) and outer[0].kind == "argument" and self._registers(outer[0].name)

    def _registered_name(self, outer: Sequence[Frame]) -> str | None:
        return self._first_argument(outer[0].node) if self._is_registration(outer) else None

    def _register(self, node: Node, tool: str | None) -> None:
        self.registrations.setdefault((node.start_byte, node.end_byte), (node, tool))

    def _inside(self, outer: Sequence[Frame], names: frozenset[str]) -> bool:
        return any(frame.kind == "argument" and plain(frame.name) in names for frame in outer[:3])

    def _speaks_of_results(self, outer: Sequence[Frame]) -> bool:
        """Whether a text content is a result and not a message to a model: it stands in a list called content."""
        return (
            self.speaks
            and any(f.kind == "key" and plain(f.name) == "content" for f in outer[:4])
            and not any(f.kind == "key" and "role" in self.context.entries(f.node) for f in outer[:4])
        )

    def _is_error(self, holder: Node) -> bool:
        value = next((v for key, v in self.context.entries(holder).items() if plain(key) == "iserror"), None)
        return value is not None and self.strings.text(value.start_byte, value.end_byte).lower() == "true"

    def _literal(self, holder: Node, name: str) -> str | None:
        value = next((v for key, v in self.context.entries(holder).items() if plain(key) == name), None)
        return self._value(value) if value is not None else None

    def _tool_name(self, entries: Mapping[str, Node]) -> str | None:
        value = next((v for key, v in entries.items() if plain(key) == "name"), None)
        return self._value(value) if value is not None else None

    def _first_argument(self, call: Node) -> str | None:
        arguments = self.strings.arguments(call)
        return self._value(arguments[0]) if arguments else None

    def _value(self, node: Node) -> str | None:
        """Return a string's value, or the name of what stands there."""
        pieces = self.strings.pieces(node)
        if pieces is not None:
            return "".join(piece.text for piece in pieces)[:200]
        return self.strings.name(node) or None

    def _decorated_name(self, decorator: Node) -> str | None:
        """Return the name of the function that a decorator stands above."""
        definition = decorator.parent.child_by_field_name("definition") if decorator.parent is not None else None
        name = definition.child_by_field_name("name") if definition is not None else None
        return self.strings.text(name.start_byte, name.end_byte) if name is not None else None

    def _parameter(self, outer: Sequence[Frame]) -> str | None:
        """Return the name of the parameter or field that a description belongs to."""
        for frame in outer:
            if frame.kind == "key":
                return frame.name
            if frame.kind == "assign":
                return frame.name.partition(":")[0].strip()
            if frame.kind in ("definition", "function", "class"):
                return None
        return None
