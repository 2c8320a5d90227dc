"""The strings of a file of code: found by the language's `strings.scm`, valued, and told by what stands around them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from tree_sitter import Node, QueryCursor

from scaup.pipeline.languages.definitions import Definition
from scaup.pipeline.languages.unit import Unit
from scaup.pipeline.text import attached
from scaup.pipeline.text.context import Context, Frame
from scaup.pipeline.text.decorators import Decorators
from scaup.pipeline.text.forms import Forms
from scaup.pipeline.text.found import Embed, Found, Handler, Lines, Piece, Reference, StringRow, Swallow, joined
from scaup.pipeline.text.registry import Registry, plain, registry
from scaup.pipeline.text.strings import Strings, attribute_name
from scaup.pipeline.text.surfaces import Surface, Surfaces

# What may be prose: two words with white space between them. Anything else can only be known by its place.
PROSE = re.compile(rb"[A-Za-z{}\]\)>'`\".:;,!?][ \n\t]+[\[({<'`\"%$]*[A-Za-z]")
# A tool's name, where a method or a constant says it.
NAMED = re.compile(rb'(?:return\s|=|\{)\s*"([\w.:/-]{1,64})"')
NOTHING = frozenset(("", "nil", "ctx", "None", "null", "undefined", "true", "false", "this", "self"))
FIELDS = frozenset(("field_declaration", "enum_variant"))
SELF = frozenset(("self", "this", "cls"))
# The word, not the libraries of the language that are called tools.
TOOL = re.compile(rb"(?<!func)(?<!iter)(?<!more_iter)tool")
# What is prose perhaps with what it is put together with: a word, and a space beside it.
SPACED = re.compile(rb"[A-Za-z][^\w\s]* |[ ][^\w\s]*[A-Za-z]")
# An empty value that is given back; beside an error, Go says that there was none.
EMPTY = re.compile(
    rb"""return\b\s*(?:\[\s*\]|\{\s*\}|\(\s*\)|""|''|``|(?:list|dict|set|tuple)\(\)|new\s+(?:Map|Set|Array)\(\)"""
    rb"""|nil\s*,\s*nil|\[\][\w.]+\{\}\s*,\s*nil)\s*;?\s*\Z"""
)
# Errors that say that there is nothing: who gives back nothing for them hides no failure.
ABSENCE = re.compile(
    rb"not_?found|no_?such|missing|does_?not_?exist|no_?result|key_?error|index_?error|lookup_?error|stop_?iteration"
    rb"|attribute_?error|value_?error|type_?error|import_?error|cancel|abort|eof",
    re.IGNORECASE,
)
FAILED = re.compile(r"\(?\s*\w*[eE]rr\s*!=\s*nil\s*\)?")
IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")


class CodeText:
    """Extracts the strings of one file."""

    def __init__(self, unit: Unit, root: Node, forms: Forms) -> None:
        self.unit, self.forms = unit, forms
        self.known: Registry = registry()
        self.strings = Strings(forms, unit.source)
        self.context = Context(forms, self.strings)
        lowered, path = unit.source.lower(), unit.path.lower().encode()
        spoken = any(word in lowered or word in path for word in self.known.words)
        speaks = spoken and bool(self.known.speaks.search(unit.source) or self.known.speaks.search(unit.path.encode()))
        # Most files of a repository register nothing: their strings can only be reached.
        self.registers = speaks or any(word in lowered for word in self.known.registers) or bool(TOOL.search(lowered))
        self.surfaces = Surfaces(self.known, self.context, self.strings, speaks)
        self.found = Found()
        self.lines = Lines(unit.source)
        # A cursor gives captures in no order: what is found must not depend on it.
        self.captures = {
            name: sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte))
            for name, nodes in QueryCursor(forms.query).captures(root).items()
        }
        self.results = self._results()
        self.decorators = Decorators(unit, self.surfaces, self.captures)
        # Types that hold the arguments of tools, and types that are tools, by name.
        self._types: dict[str, str] | None = None
        self.models: dict[str, str] = {}
        # Descriptions in attributes of fields: whether a tool takes the type is known when all is read.
        self.fields: list[tuple[StringRow, Node]] = []
        # Places of the names of calls that have no receiver, in order.
        self._calls: list[tuple[int, int]] | None = None

    def extract(self) -> Found:
        """Return what the file yields."""
        self.decorators.read()
        self.found.handlers += self.decorators.handlers
        self.found.references += self.decorators.references
        self.surfaces.in_tools = "tool" in self.unit.path.lower()
        self.surfaces.tool_types = self._tool_types()
        docs = {node.id: node for node in self.captures.get("docstring", ())}
        seen: set[int] = {node.id for node in self.captures.get("tag", ())}
        seen.update(node.id for node in self.captures.get("bare", ()) if node.id not in docs)
        for literal in sorted(self.captures.get("string", ()), key=lambda node: node.start_byte):
            is_prose = PROSE.search(self.unit.source, literal.start_byte, literal.end_byte) is not None
            if not is_prose and not SPACED.search(self.unit.source, literal.start_byte, literal.end_byte):
                continue
            whole = self.strings.whole(literal)
            if whole.id in seen or (whole == literal and not is_prose):
                continue
            seen.add(whole.id)
            self._string(whole, is_doc=literal.id in docs, is_prose=is_prose)
        if self.registers:
            self._annotated()
            self._tool_classes()
            self._references()
            self._handlers()
        referenced = {reference.name for reference in self.found.references}
        self.found.handlers = [h for h in dict.fromkeys(self.found.handlers) if h.symbol_id or h.name not in referenced]
        # A variable of an object whose texts are told already has other texts beside them.
        told = {(row.name, row.surface) for row in self.found.strings if row.name is not None}
        references = dict.fromkeys(self.found.references)
        self.found.references = [ref for ref in references if (ref.name, ref.surface) not in told]
        self._tags()
        self._schemas()
        self._embeds()
        self._swallows()
        return self.found

    def _swallows(self) -> None:
        """Note where a failure becomes an empty value: whoever gets it cannot tell it from nothing being there."""
        source = self.unit.source
        for node in self.captures.get("result", ()):
            if not EMPTY.match(source, node.start_byte, node.end_byte):
                continue
            frames = self.context.frames(node)
            inner = next((frame for frame in frames if frame.kind in ("handler", "branch")), None)
            owner = self.unit.ownership.owner_at(node.start_byte)
            if inner is None or owner is None:
                continue
            if inner.kind == "branch":
                hides = not inner.position and FAILED.fullmatch(inner.name) is not None
            else:
                body = inner.node.named_children[-1] if inner.node.named_children else inner.node
                hides = not ABSENCE.search(source, inner.node.start_byte, body.start_byte)
            if hides:
                line = self.lines.span(node.start_byte, node.end_byte).start_line
                self.found.swallows.append(Swallow(owner.symbol_id, line))

    def _embeds(self) -> None:
        """Note the files that become texts: by the name that they get, or the place where they stand."""
        referenced = {re.split(r"\.|::", ref.name)[-1]: ref.surface for ref in self.found.references}
        seen = set()
        for match in self.forms.embeds.finditer(self.unit.source):
            name = match["name"].decode("utf-8", "replace")
            path = match["path"].decode("utf-8", "replace")
            seen.add(path)
            self.found.embeds.append(Embed(path, name, self.known.embedded(name) or referenced.get(name)))
        for node in self.captures.get("embedded", ()):
            group = next((n for n in (node, *node.named_children) if n.type in self.forms.nodes["tokens"]), None)
            elements = self.strings.tokens.elements(group) if group is not None else []
            pieces = self.strings.pieces(elements[0].nodes[0]) if elements else None
            path = "".join(piece.text for piece in pieces or ())
            surface = self.surfaces.classify(self.context.frames(node)) if path and path not in seen else None
            if surface is not None:
                self.found.embeds.append(Embed(path, surface.parameter or surface.tool or "", surface.surface))

    def _string(self, node: Node, *, is_doc: bool, is_prose: bool) -> None:
        pieces = self.strings.pieces(node)
        if not pieces:
            return
        text, segments, names = joined(pieces, self.lines)
        if not text.strip() or not (is_prose or PROSE.search(text.encode())):
            return
        frames = self.context.frames(node)
        if (callee := self.strings.formatter(node)) is not None:
            frames.insert(0, Frame("argument", callee, node))
        owner = self.unit.ownership.owner_at(node.start_byte)
        row = StringRow(
            text, self.lines.span(self.strings.start(node), node.end_byte), segments, names,
            symbol_id=owner.symbol_id if owner is not None else None,
        )  # fmt: skip
        if is_doc:
            row.context = "docstring"
            surface = self._docstring(node)
        else:
            row.context, row.name = self._fate(frames, owner.symbol_id if owner is not None else None)
            row.branch = self._branch(frames)
            surface = self.surfaces.classify(frames) if self.registers else None
            if surface is None and row.context in ("return", "append"):
                surface = self.surfaces.prompted(frames)
            if surface is None and row.context in ("return", "append", "raise") and self.surfaces.registrations:
                surface = self.surfaces.collected(frames, wrong=row.context == "raise")
            if surface is None and row.name is not None and self.registers:
                surface = self._member_of_module(frames, row.name)
            model = self._model(frames) if surface is not None and surface.surface == "parameter_description" else None
            if surface is not None and surface.detail.endswith("()"):
                model = None  # a schema that is built by calls says itself whose it is
            if surface is not None and model is not None and (surface.detail != "schema" or surface.tool is None):
                # Whether a model reads the fields of a class, tells what the class is registered as.
                row.context, row.name, row.parameter, surface = "field", model, surface.parameter, None
        if surface is not None:
            row.surface, row.detail, row.tool, row.parameter = (
                surface.surface,
                surface.detail,
                surface.tool,
                surface.parameter,
            )
            if surface.detail in ("#[schemars]", "#[schemars::schemars]"):
                self.fields.append((row, node))
        elif is_doc:
            return
        self.found.strings.append(row)

    def _member_of_module(self, frames: list[Frame], name: str) -> Surface | None:
        """Return the surface of a description that a module exports beside what its tool takes or runs."""
        is_plain = len(frames) == 1 and plain(name.partition(":")[0]) in self.known.description_keys
        if not is_plain or not self.surfaces.speaks or not self.forms.exports:
            return None
        exported = {plain(match[1].decode()) for match in self.forms.exports.finditer(self.unit.source)}
        if not exported & self.known.schema_keys or not exported & self.known.description_keys:
            return None
        named = self.surfaces.module_name() if "name" in exported else None
        return Surface("tool_description", f"export {name}", named)

    def _model(self, frames: list[Frame]) -> str | None:
        """Return the name of the class whose field a description is of; None in a tool's class, and elsewhere."""
        for frame in frames:
            if frame.kind in ("definition", "function"):
                return None
            if frame.kind == "class":
                return None if self.surfaces.runs_on_fields(frame.node) else frame.name
        return None

    def _fate(self, frames: list[Frame], owner: int | None) -> tuple[str, str | None]:
        """Return what becomes of a string, and the name that it is assigned to."""
        for index, frame in enumerate(frames):
            if frame.kind in ("return", "arrow", "tail"):
                wraps = index + 1 < len(frames) and self.surfaces.fails(frames[index + 1])
                return ("raise" if wraps else "return"), None
            if frame.kind == "raise":
                return "raise", None
            if frame.kind == "key" and plain(frame.name) in self.known.display_keys:
                return "log", None
            is_keyword = frame.kind == "key" and frame.node.type in self.forms.nodes["call"]
            if is_keyword and self.known.logs(self.strings.callee(frame.node)):
                return "log", None
            if frame.kind in ("argument", "method"):
                if self.known.logs(frame.name):
                    return "log", None
                if index + 1 < len(frames) and frames[index + 1].kind == "raise":
                    continue
                last = plain(frame.name)
                if self.surfaces.fails(frame):
                    return "raise", None
                if self.surfaces.answers(frame):
                    continue
                is_given = index + 1 < len(frames) and frames[index + 1].kind in ("return", "arrow", "tail")
                if is_given and frame.kind == "argument" and self.known.makers.search(last):
                    # return textResult("…")
                    return ("raise" if self.known.error_names.search(last) else "return"), None
                if last in self.known.append:
                    return "append", None
                if last.endswith(("error", "exception")):
                    continue
                return "argument", None
            if frame.kind == "assign":
                given_back = self.results.get(owner or 0, ())
                # reply["message"] = "…" and reply.message = "…" are parts of what `return reply` gives back.
                whole = IDENTIFIER.match(frame.name.encode())
                result = frame.name in given_back or (
                    whole is not None and whole[0].decode() not in SELF and whole[0].decode() in given_back
                )
                if frame.node.type in self.forms.nodes["parameter"]:
                    result = False  # what it is by default
                if not result and self.strings.adds(frame.node):
                    return "append", frame.name
                return ("return" if result else "assign"), frame.name
            if frame.kind in ("opaque", "function", "definition", "class", "decorator", "statement"):
                break
        return "other", None

    def _branch(self, frames: list[Frame]) -> str | None:
        for index, frame in enumerate(frames):
            if frame.kind == "handler":
                return "error"
            # x.map_err(|e| format!(…))
            outer = frames[index + 1] if index + 1 < len(frames) else None
            if frame.kind in ("function", "arrow") and outer is not None and self.surfaces.fails(outer):
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

    def _docstring(self, node: Node) -> Surface | None:
        holder = node.parent
        while holder is not None and holder.type not in self.forms.nodes["function"] | self.forms.nodes["class"]:
            holder = holder.parent
        if holder is None:
            return None
        if (found := self.decorators.docstrings.get(holder.id)) is None and holder.type in self.forms.nodes["class"]:
            return self.surfaces.class_description(holder)
        return found

    # ----------------------------------------------------------------------------------- tags, attributes, doc comments

    def _tags(self) -> None:
        """Add the descriptions in tags of the fields of structs that hold a tool's arguments."""
        if not self.surfaces.speaks:
            return
        for node in self.captures.get("tag", ()):
            texts = list(attached.tag_texts(self.unit.source, node))
            tool = self._argument_type(node) if texts else None
            for parameter, pieces in texts if tool is not None else ():
                self._attached(pieces, Surface("parameter_description", "struct tag", tool or None, parameter))

    def _argument_type(self, node: Node) -> str | None:
        """Return the tool whose arguments the type around a field holds, "" for an unknown one; None elsewhere."""
        name = self._model_of(node)
        if name is None:
            return None
        types = self._argument_types()
        if name in self.models or name in types:
            return self.models.get(name) or types[name]
        return "" if self.known.argument_types.search(name) else None

    def _model_of(self, node: Node) -> str | None:
        """Return the name of the type around a field."""
        holder = node.parent
        while holder is not None and holder.type not in self.forms.nodes["model"]:
            if holder.type in self.forms.nodes["annotation"]:
                definition = attached.definition_behind(holder)
                if definition is not None and definition.type in self.forms.nodes["model"]:
                    holder = definition
                    break
            holder = holder.parent
        named = holder.child_by_field_name("name") if holder is not None else None
        return self.strings.text(named.start_byte, named.end_byte) if named is not None else None

    def _argument_types(self) -> dict[str, str]:
        """Return the types that tools of this file take, and those in them, by name with the tool or ""."""
        if self._types is None:
            self._types = {}
            for node, tool in self._takers():
                for name in IDENTIFIER.findall(self.unit.source, node.start_byte, node.end_byte):
                    if name[:1].isupper():
                        self._types.setdefault(name.decode(), tool)
            for node in self.captures.get("model", ()):
                named = node.child_by_field_name("name")
                name_text = self.strings.text(named.start_byte, named.end_byte) if named is not None else ""
                if name_text in self._types or self.known.argument_types.search(name_text):
                    tool = self._types.get(name_text, "")
                    for field in attached.field_types(node):
                        for name in IDENTIFIER.findall(self.unit.source, field.start_byte, field.end_byte):
                            if name[:1].isupper():
                                self._types.setdefault(name.decode(), tool)
        return self._types

    def _takers(self) -> Iterator[tuple[Node, str]]:
        """Yield the parameters of what answers calls of tools, with the tool's name where it is known."""
        for node, tool in self.surfaces.registrations.values():
            for argument in self.strings.arguments(node) if self.strings.callee(node) else ():
                parameters = argument.child_by_field_name("parameters")
                if parameters is not None and argument.type in self.forms.nodes["function_literal"]:
                    yield parameters, tool or ""
        tools = {handler.symbol_id: handler.tool for handler in self.found.handlers}
        names = {re.split(r"\.|::", handler.name)[-1]: handler.tool for handler in self.found.handlers}
        for definition in self.unit.ownership.named:
            parameters = next(iter(definition.captures.get("parameters", ())), None)
            if parameters is None:
                continue
            if definition.symbol_id in tools or definition.name in names:
                yield parameters, tools.get(definition.symbol_id) or names.get(definition.name) or ""

    def _annotated(self) -> None:
        """Add the doc comments and descriptions of functions and fields that attributes make tools and parameters."""
        source = self.unit.source
        for node in self.captures.get("annotated", ()):
            definition = attached.definition_behind(node)
            callee = attribute_name(self.strings, node)
            name_node = definition.child_by_field_name("name") if definition is not None else None
            if definition is None or name_node is None or not self.surfaces.speaks:
                continue
            if plain(callee) not in self.known.decorators | self.known.prompt_decorators:
                continue
            group = self.strings.tokens_of(node)
            entries = self.context.entries(group) if group is not None else {}
            written = self.strings.text(name_node.start_byte, name_node.end_byte)
            tool = self.surfaces._tool_name(entries) or written
            owner = self.unit.ownership.owner_at(name_node.start_byte)
            is_function = definition.type in self.forms.nodes["function"]
            if owner is not None and is_function and plain(callee) in self.known.decorators:
                self.found.handlers.append(Handler(owner.symbol_id, owner.name, tool))
            if definition.type in self.forms.nodes["model"]:
                self.models[written] = tool
            described = {plain(key) for key in entries} & self.known.description_keys
            if not described and not (group is not None and self._sole_text(group)):
                detail = f"doc comment under #[{callee}]"
                self._attached(attached.doc_pieces(source, definition), Surface("tool_description", detail, tool))

    def _schemas(self) -> None:
        """Add the doc comments of fields that a tool takes; drop the descriptions of others."""
        source = self.unit.source
        for row, node in self.fields:
            tool_of = self._argument_type(node)
            if tool_of is not None:
                row.tool = tool_of or None
            elif self._model_of(node) is not None:
                row.surface = row.detail = row.parameter = None
            else:
                row.tool = next((h.tool for h in self.found.handlers if h.symbol_id == row.symbol_id), None)
        for node in self.captures.get("derived", ()) if self.surfaces.speaks else ():
            definition = attached.definition_behind(node)
            body = definition.child_by_field_name("body") if definition is not None else None
            if definition is None or body is None:
                continue
            tool_of = self._argument_type(body)
            for field in body.named_children if tool_of is not None else ():
                name_node = field.child_by_field_name("name") if field.type in FIELDS else None
                if name_node is not None:
                    name = self.strings.text(name_node.start_byte, name_node.end_byte)
                    name = attached.renamed_field(source, field) or name
                    surface = Surface("parameter_description", "doc comment of a schema", tool_of or None, name)
                    self._attached(attached.doc_pieces(source, field), surface)

    def _sole_text(self, group: Node) -> bool:
        """Whether an attribute has a text as its first argument: the description of a tool."""
        elements = self.strings.tokens.elements(group)
        return bool(elements) and elements[0].key is None and elements[0].nodes[0].type in self.forms.literals

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
                )
            )

    # ------------------------------------------------------------------------------------- references and handlers

    def _tool_classes(self) -> None:
        """Note the methods that run a tool, in classes that are tools."""
        for definition in self.unit.ownership.named:
            parent = definition.parent
            if self._answers_calls(definition):
                tool = self.surfaces.owner(definition.node) if definition.node is not None else None
                self.found.handlers.append(Handler(definition.symbol_id, definition.name, tool))
                continue
            if definition.kind != "method" or definition.name.lower() not in self.known.methods:
                continue
            owned = self.surfaces.owner(definition.node) if definition.owner and definition.node is not None else None
            if owned is not None:
                self.found.handlers.append(Handler(definition.symbol_id, definition.name, owned))
                continue
            if parent is not None and parent.kind == "class" and parent.node is not None:
                if self.surfaces.is_tool_class(parent.node):
                    tool = self.surfaces.class_tool(parent.node, parent.name)
                    self.found.handlers.append(Handler(definition.symbol_id, definition.name, tool))
            elif definition.owner and self.surfaces.speaks and definition.owner.lower().endswith(self.known.classes):
                self.found.handlers.append(Handler(definition.symbol_id, definition.name, definition.owner))

    def _answers_calls(self, definition: Definition) -> bool:
        """Whether a function is a handler by its types: it takes a call of a tool and gives the result of one."""
        parameters = next(iter(definition.captures.get("parameters", ())), None)
        returns = definition.node.child_by_field_name(self.forms.returns) if definition.node is not None else None
        if not self.forms.returns or parameters is None or returns is None:
            return False
        if plain(definition.name) == "calltool" or "client" in (definition.owner or "").lower():
            return False  # it passes the call on
        taken = self.strings.text(parameters.start_byte, parameters.end_byte)
        given = self.strings.text(returns.start_byte, returns.end_byte)
        return bool(self.known.handler_types.search(taken) and self.known.result_types.search(given))

    def _tool_types(self) -> set[str]:
        """Return the types that are tools by their methods: one describes, one runs, one tells what the tool takes."""
        methods: dict[str, set[str]] = {}
        if self.surfaces.speaks:
            for definition in self.unit.ownership.named:
                if definition.kind == "method" and definition.owner:
                    methods.setdefault(definition.owner, set()).add(plain(definition.name))
        in_tools = "tool" in self.unit.path.lower()
        for definition in self.unit.ownership.named if self.surfaces.speaks else ():
            # fn name(&self) -> String { "add".into() }, and the constant NAME
            if (
                definition.owner
                and plain(definition.name) in ("name", "toolname")
                and definition.end - definition.start < 300
            ):
                match = NAMED.search(self.unit.source, definition.start, definition.end)
                if match is not None:
                    self.surfaces.tool_names.setdefault(definition.owner, match[1].decode("utf-8", "replace"))
        return {
            owner
            for owner, names in methods.items()
            if names & self.known.methods
            and (
                names & {"info", "declaration", "toolinfo", "definition"}
                or ("description" in names and (in_tools or names & self.known.schema_keys))
            )
        }

    def _references(self) -> None:
        """Note the names that stand where a text is registered: constants defined elsewhere."""
        functions = {d.name for d in self.unit.ownership.named if d.kind in ("function", "method")}
        for node in self.captures.get("reference", ()):
            if not self._may_register(node):
                continue
            self._requested(node)
            constant = self.strings.constant(node)
            if constant in NOTHING or constant in functions:
                continue
            frames = self.context.frames(node)
            owner = self.unit.ownership.owner_at(node.start_byte)
            symbol = owner.symbol_id if owner is not None else None
            if (schema := self._schema(frames)) is not None:
                detail = f"schema of {schema}"
                reference = Reference(symbol, self.strings.constant(node), "parameter_description", None, None, detail)
                self.found.references.append(reference)
                continue
            surface = self.surfaces.classify(frames) if self.surfaces.takes_reference(frames) else None
            if surface is None or surface.detail.startswith(("name ", "given back")):
                continue
            # A prompt that is registered under its name has its text where others have a description.
            named = self.known.named(constant) if surface.surface == "tool_description" else None
            told = (named or surface.surface, surface.tool, surface.parameter, surface.detail)
            self.found.references.append(Reference(symbol, constant, *told))

    def _requested(self, node: Node) -> None:
        """Note a call that sets up what answers the calls of all tools, by the name of the request."""
        call = node.parent.parent if node.parent is not None else None
        is_call = call is not None and call.type in self.forms.nodes["call"]
        if call is not None and is_call and self.surfaces.asks(Frame("argument", self.strings.callee(call), call)):
            self.surfaces.register(call, None)

    def _may_register(self, node: Node) -> bool:
        """Whether the key or call that a name stands in is one of those that mean anything here."""
        parent = node.parent
        for _ in range(3):
            role = self.forms.role.get(parent.type) if parent is not None else None
            if parent is None or role not in ("list", "transparent"):
                break
            parent = parent.parent
        if role == "object":
            return plain(self.strings.text(node.start_byte, node.end_byte)) in self.known.names
        if parent is None or role not in ("pair", "arguments"):
            return True
        if role == "arguments":
            call = parent.parent
            callee = self.strings.callee(call) if call is not None else ""
            parts = re.split(r"\.|::", callee)
            return any(plain(part) in self.known.names for part in parts[-2:])
        key = next(
            (parent.child_by_field_name(f) for f in self.forms.fields.get("key", ()) if parent.child_by_field_name(f)),
            None,
        )
        return key is None or plain(self.context.key_text(key)) in self.known.names

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
            self._handled(named, tool)
            self._decorates(holder, tool)
        for node in self.captures.get("registration", ()):
            arguments = self.strings.arguments(node)
            if len(arguments) < 2 or not self.surfaces.registers(self.strings.callee(node)):
                continue
            tool = self.surfaces.registered(node)
            self.surfaces.register(node, tool)
            self._handled(arguments[1:], tool)
        for holder, tool in self.surfaces.registrations.values():
            self._literal_handlers(holder, tool)

    def _decorates(self, holder: Node, tool: str | None) -> None:
        """Note the method behind a decorator that registers it."""
        node: Node | None = holder.parent
        while node is not None and node.type in self.forms.nodes["decorator"]:
            node = node.next_named_sibling
        if node is not None and node != holder.parent and node.type in self.forms.nodes["function"]:
            owner = self.unit.ownership.owner_at(node.start_byte)
            if owner is not None and owner.symbol_id not in {handler.symbol_id for handler in self.found.handlers}:
                self.found.handlers.append(Handler(owner.symbol_id, owner.name, tool))

    def _literal_handlers(self, holder: Node, tool: str | None) -> None:
        """Note what a function calls that stands in a registration: it has no symbol, and gives back what these do."""
        if self.strings.callee(holder):
            values = self.strings.arguments(holder)
        else:
            entries = self.context.entries(holder).items()
            values = [value for key, value in entries if plain(key) in self.known.handler_keys]
        if holder.parent is not None and holder.parent.type in self.forms.nodes["targets"]:
            values = [*values, *holder.parent.named_children]  # return NewTool(…), func(…) …
        literals = [value for value in values if value.type in self.forms.nodes["function_literal"]]
        if literals and self._calls is None:
            matches = self.unit.matches.captures("reference.call")
            names = [call["name"][0] for call in matches if "name" in call and "receiver" not in call]
            self._calls = sorted((name.start_byte, name.end_byte) for name in names)
        for literal in literals:
            calls = self._calls or []
            first, last = bisect_left(calls, (literal.start_byte, 0)), bisect_left(calls, (literal.end_byte, 0))
            for start, end in calls[first:last]:
                self.found.handlers.append(Handler(None, self.strings.text(start, end), tool))

    def _handled(self, values: Iterable[Node], tool: str | None) -> None:
        """Note functions by name, those in a call that wraps them included."""
        for value in values:
            inner = self.strings.arguments(value) if value.type in self.forms.nodes["call"] else ()
            for node in (value, *inner):
                if node.type in self.forms.nodes["function"]:  # {execute() {…}}
                    owner = self.unit.ownership.owner_at(node.start_byte)
                    if owner is not None and owner.kind in ("function", "method"):
                        others = [h for h in self.found.handlers if h.symbol_id != owner.symbol_id]
                        self.found.handlers = [*others, Handler(owner.symbol_id, owner.name, tool)]
                    continue
                name = self.strings.name(node)
                if name not in NOTHING:
                    self.found.handlers.append(Handler(None, name, tool))


def extract(unit: Unit, root: Node, forms: Forms) -> Found:
    """Return the strings of a file of code."""
    return CodeText(unit, root, forms).extract()
