"""The strings of a file of code: found by the language's `strings.scm`, valued, and told by what stands around them."""

from __future__ import annotations

import re

from tree_sitter import Node, QueryCursor

from scaup.pipeline.languages.unit import Unit
from scaup.pipeline.text.context import Context, Frame
from scaup.pipeline.text.forms import Forms
from scaup.pipeline.text.found import Found, Handler, Lines, Reference, StringRow, joined
from scaup.pipeline.text.registry import Registry, plain, registry
from scaup.pipeline.text.strings import Strings
from scaup.pipeline.text.surfaces import Surface, Surfaces

# What may be prose: two words with white space between them. Anything else can only be known by its place.
PROSE = re.compile(rb"[A-Za-z{}\]\)>'`\"][ \n\t]+[\[({<'`\"%$]*[A-Za-z]")
IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")


class CodeText:
    """Extracts the strings of one file."""

    def __init__(self, unit: Unit, root: Node, forms: Forms) -> None:
        self.unit, self.forms = unit, forms
        self.known: Registry = registry()
        self.strings = Strings(forms, unit.source)
        self.context = Context(forms, self.strings)
        speaks = bool(self.known.speaks.search(unit.source) or self.known.speaks.search(unit.path.encode()))
        self.surfaces = Surfaces(self.known, self.context, self.strings, speaks)
        self.found = Found()
        self.lines = Lines(unit.source)
        self.captures = QueryCursor(forms.query).captures(root)
        self.results = self._results()

    def extract(self) -> Found:
        """Return what the file yields."""
        self._decorated()
        docs = {node.id: node for node in self.captures.get("docstring", ())}
        seen: set[int] = set()
        for literal in sorted(self.captures.get("string", ()), key=lambda node: node.start_byte):
            if not PROSE.search(self.unit.source, literal.start_byte, literal.end_byte):
                continue
            whole = self.strings.whole(literal)
            if whole.id in seen:
                continue
            seen.add(whole.id)
            self._string(whole, is_doc=literal.id in docs)
        self._tool_classes()
        self._references()
        self._handlers()
        return self.found

    def _string(self, node: Node, *, is_doc: bool) -> None:
        pieces = self.strings.pieces(node)
        if not pieces:
            return
        text, segments, names = joined(pieces, self.lines)
        if not text.strip():
            return
        frames = self.context.frames(node)
        owner = self.unit.ownership.owner_at(node.start_byte)
        row = StringRow(
            text, self.lines.span(node.start_byte, node.end_byte), segments, names,
            symbol_id=owner.symbol_id if owner is not None else None,
        )  # fmt: skip
        if is_doc:
            row.context = "docstring"
            surface = self._docstring(node)
        else:
            row.context, row.name = self._fate(frames, owner.symbol_id if owner is not None else None)
            row.branch = self._branch(frames)
            surface = self.surfaces.classify(frames)
        if surface is not None:
            row.surface, row.detail, row.tool, row.parameter = (
                surface.surface,
                surface.detail,
                surface.tool,
                surface.parameter,
            )
        elif is_doc:
            return
        self.found.strings.append(row)

    def _fate(self, frames: list[Frame], owner: int | None) -> tuple[str, str | None]:
        """Return what becomes of a string, and the name that it is assigned to."""
        for frame in frames:
            if frame.kind in ("return", "arrow", "tail"):
                return "return", None
            if frame.kind == "raise":
                return "raise", None
            if frame.kind in ("argument", "method"):
                if self.known.logs(frame.name):
                    return "log", None
                last = plain(frame.name)
                if frame.name.lower() in self.known.error_values or last in self.known.error_values:
                    return "raise", None
                if last in self.known.append:
                    return "append", None
                if last.endswith(("error", "exception")):
                    continue
                return "argument", None
            if frame.kind == "assign":
                result = frame.name in self.results.get(owner or 0, ())
                return ("return" if result else "assign"), frame.name
            if frame.kind in ("opaque", "function", "definition", "class", "decorator"):
                break
        return "other", None

    def _branch(self, frames: list[Frame]) -> str | None:
        for frame in frames:
            if frame.kind == "handler":
                return "error"
            if frame.kind == "branch" and (kind := self.known.branch(frame.name, bool(frame.position))):
                return kind
            if frame.kind in ("function", "definition"):
                break
        return None

    def _results(self) -> dict[int, set[str]]:
        """Return by function the names that stand in what it gives back."""
        found: dict[int, set[str]] = {}
        for node in self.captures.get("result", ()):
            owner = self.unit.ownership.owner_at(node.start_byte)
            names = found.setdefault(owner.symbol_id if owner is not None else 0, set())
            names.update(name.decode() for name in IDENTIFIER.findall(self.unit.source, node.start_byte, node.end_byte))
        return found

    # -------------------------------------------------------------------------------------- decorators, docstrings

    def _decorated(self) -> None:
        """Note the functions that decorators make tools, resources or prompts."""
        self.decorated: dict[int, Surface] = {}
        known = self.known
        for node in self.captures.get("decorated", ()):
            definition = node.child_by_field_name("definition")
            name_node = definition.child_by_field_name("name") if definition is not None else None
            if definition is None or name_node is None:
                continue
            for decorator in node.named_children:
                if decorator.type not in self.forms.nodes["decorator"] or not decorator.named_children:
                    continue
                inner = decorator.named_children[0]
                callee = self.strings.callee(inner) or self.strings.text(inner.start_byte, inner.end_byte)
                last = plain(callee)
                is_tool = last in known.decorators and (self.surfaces.speaks)
                if not is_tool and not (last in known.prompt_decorators and self.surfaces.speaks and "." in callee):
                    continue
                tool = self.strings.text(name_node.start_byte, name_node.end_byte)
                entries = self.context.entries(inner) if self.strings.callee(inner) else {}
                tool = self.surfaces._tool_name(entries) or tool
                surface = "tool_description" if is_tool else "prompt"
                self.decorated[definition.id] = Surface(surface, f"@{callee}", tool)
                owner = self.unit.ownership.owner_at(definition.start_byte)
                if owner is not None and is_tool:
                    self.found.handlers.append(Handler(owner.symbol_id, owner.name, tool))

    def _docstring(self, node: Node) -> Surface | None:
        holder = node.parent
        while holder is not None and holder.type not in self.forms.nodes["function"] | self.forms.nodes["class"]:
            holder = holder.parent
        return self.decorated.get(holder.id) if holder is not None else None

    # ------------------------------------------------------------------------------------- references and handlers

    def _tool_classes(self) -> None:
        """Note the methods that run a tool, in classes that are tools."""
        for definition in self.unit.ownership.named:
            parent = definition.parent
            if definition.kind != "method" or definition.name.lower() not in self.known.methods:
                continue
            if parent is not None and parent.kind == "class" and parent.node is not None:
                if self.surfaces.is_tool_class(parent.node):
                    self.found.handlers.append(Handler(definition.symbol_id, definition.name, parent.name))
            elif definition.owner and self.surfaces.speaks and definition.owner.lower().endswith(self.known.classes):
                self.found.handlers.append(Handler(definition.symbol_id, definition.name, definition.owner))

    def _references(self) -> None:
        """Note the names that stand where a text is registered: constants defined elsewhere."""
        for node in self.captures.get("reference", ()):
            frames = self.context.frames(node)
            surface = self.surfaces.classify(frames)
            if surface is None or surface.detail.startswith(("name ", "given back")):
                continue
            owner = self.unit.ownership.owner_at(node.start_byte)
            name = self.strings.name(node)
            if name:
                symbol = owner.symbol_id if owner is not None else None
                told = (surface.surface, surface.tool, surface.parameter, surface.detail)
                self.found.references.append(Reference(symbol, name, *told))

    def _handlers(self) -> None:
        """Note the functions that registrations name as what runs a tool."""
        known = self.known
        for holder, tool in self.surfaces.registrations.values():
            entries = self.context.entries(holder)
            named = [value for key, value in entries.items() if plain(key) in known.handler_keys]
            if self.strings.callee(holder):
                named += self.strings.arguments(holder)[1:]
            for value in named:
                name = self.strings.name(value)
                if name:
                    self.found.handlers.append(Handler(None, name, tool))


def extract(unit: Unit, root: Node, forms: Forms) -> Found:
    """Return the strings of a file of code."""
    return CodeText(unit, root, forms).extract()
