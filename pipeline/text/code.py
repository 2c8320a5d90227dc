"""The strings of a file of code: found by the language's `strings.scm`, valued, and told by what stands around them."""

from __future__ import annotations

import re

from tree_sitter import Node, QueryCursor

from scaup.pipeline.languages.unit import Unit
from scaup.pipeline.text import attached
from scaup.pipeline.text.context import Context, Frame
from scaup.pipeline.text.forms import Forms
from scaup.pipeline.text.found import Embed, Found, Handler, Lines, Piece, Reference, StringRow, joined
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
        seen: set[int] = {node.id for node in self.captures.get("tag", ())}
        for literal in sorted(self.captures.get("string", ()), key=lambda node: node.start_byte):
            if not PROSE.search(self.unit.source, literal.start_byte, literal.end_byte):
                continue
            whole = self.strings.whole(literal)
            if whole.id in seen:
                continue
            seen.add(whole.id)
            self._string(whole, is_doc=literal.id in docs)
        self._tags()
        self._annotated()
        self._tool_classes()
        self._references()
        self._handlers()
        for match in self.forms.embeds.finditer(self.unit.source):
            name = match["name"].decode("utf-8", "replace")
            path = match["path"].decode("utf-8", "replace")
            self.found.embeds.append(Embed(path, name, self.known.embedded(name)))
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
            model = self._model(frames) if surface is not None and surface.surface == "parameter_description" else None
            if surface is not None and model is not None:
                # Whether a model reads the fields of a class, tells what the class is registered as.
                row.context, row.name, row.parameter, surface = "field", model, surface.parameter, None
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

    def _model(self, frames: list[Frame]) -> str | None:
        """Return the name of the class whose field a description is of; None in a tool's class, and elsewhere."""
        for frame in frames:
            if frame.kind in ("definition", "function"):
                return None
            if frame.kind == "class":
                return None if self.surfaces.is_tool_class(frame.node) else frame.name
        return None

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
                    self._argument_models(definition, owner.symbol_id, tool)

    def _argument_models(self, definition: Node, symbol: int, tool: str) -> None:
        """Note the classes that the parameters of a tool are annotated with: the model fills in their fields."""
        parameters = definition.child_by_field_name("parameters")
        if parameters is None:
            return
        names = set(IDENTIFIER.findall(self.unit.source, parameters.start_byte, parameters.end_byte))
        for name in sorted(names):
            if name[:1].isupper():
                self.found.references.append(
                    Reference(symbol, name.decode(), "parameter_description", tool, None, f"argument of {tool}")
                )

    def _docstring(self, node: Node) -> Surface | None:
        holder = node.parent
        while holder is not None and holder.type not in self.forms.nodes["function"] | self.forms.nodes["class"]:
            holder = holder.parent
        return self.decorated.get(holder.id) if holder is not None else None

    # ------------------------------------------------------------------------------------ tags, attributes, doc comments

    def _tags(self) -> None:
        """Add the descriptions in tags of struct fields."""
        if not self.surfaces.speaks:
            return
        for node in self.captures.get("tag", ()):
            for parameter, pieces in attached.tag_texts(self.unit.source, node):
                self._attached(pieces, Surface("parameter_description", "struct tag", None, parameter))

    def _annotated(self) -> None:
        """Add the doc comments and descriptions of functions and fields that attributes make tools and parameters."""
        source = self.unit.source
        for node in self.captures.get("annotated", ()):
            definition = attached.definition_behind(node)
            callee = attached.attribute_name(self.strings, node)
            name_node = definition.child_by_field_name("name") if definition is not None else None
            if definition is None or name_node is None or plain(callee) not in self.known.decorators:
                continue
            if not self.surfaces.speaks:
                continue
            tool = self.strings.text(name_node.start_byte, name_node.end_byte)
            owner = self.unit.ownership.owner_at(name_node.start_byte)
            if owner is not None:
                self.found.handlers.append(Handler(owner.symbol_id, owner.name, tool))
            self._attached(attached.doc_pieces(source, definition), Surface("tool_description", f"#[{callee}]", tool))
        for node in self.captures.get("derived", ()):
            definition = attached.definition_behind(node)
            body = definition.child_by_field_name("body") if definition is not None else None
            for field in body.named_children if body is not None and self.surfaces.speaks else ():
                name_node = field.child_by_field_name("name") if field.type == "field_declaration" else None
                if name_node is not None:
                    name = self.strings.text(name_node.start_byte, name_node.end_byte)
                    surface = Surface("parameter_description", "doc comment of a schema", None, name)
                    self._attached(attached.doc_pieces(source, field), surface)

    def _attached(self, pieces: list[Piece], surface: Surface) -> None:
        """Add a text that is no expression."""
        if not pieces:
            return
        text, segments, names = joined(pieces, self.lines)
        owner = self.unit.ownership.owner_at(pieces[0].start)
        if text.strip():
            self.found.strings.append(
                StringRow(
                    text,
                    self.lines.span(pieces[0].start, pieces[-1].end),
                    segments,
                    names,
                    symbol_id=owner.symbol_id if owner is not None else None,
                    context="docstring",
                    surface=surface.surface,
                    detail=surface.detail,
                    tool=surface.tool,
                    parameter=surface.parameter,
                )  # fmt: skip
            )

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
            owner = self.unit.ownership.owner_at(node.start_byte)
            symbol = owner.symbol_id if owner is not None else None
            if (schema := self._schema(frames)) is not None:
                detail = f"schema of {schema}"
                reference = Reference(symbol, self.strings.name(node), "parameter_description", None, None, detail)
                self.found.references.append(reference)
                continue
            surface = self.surfaces.classify(frames)
            if surface is None or surface.detail.startswith(("name ", "given back")):
                continue
            name = self.strings.name(node)
            if name:
                told = (surface.surface, surface.tool, surface.parameter, surface.detail)
                self.found.references.append(Reference(symbol, name, *told))

    def _schema(self, frames: list[Frame]) -> str | None:
        """Return what registers a class as a schema, where its name stands as such."""
        frame = next((f for f in frames if f.kind != "element"), None)
        if frame is None or not self.surfaces.speaks:
            return None
        if frame.kind == "key" and plain(frame.name) in self.known.schema_arguments:
            return self.context.constructor(frame.node) or frame.name
        return frame.name if frame.kind == "argument" and plain(frame.name) in self.known.schema_calls else None

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
