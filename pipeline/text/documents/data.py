"""Agent-facing strings of JSON, YAML and TOML: tool schemas, prompts under known keys, files that are known by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scaup.pipeline.text.documents import json_tree, toml_tree, yaml_tree
from scaup.pipeline.text.documents.places import Places
from scaup.pipeline.text.documents.templates import templated
from scaup.pipeline.text.documents.tree import Document, Holder, Scalar, Value, walk
from scaup.pipeline.text.found import Found, StringRow, joined
from scaup.pipeline.text.registry import Registry, plain, registry

_READERS = {"json": json_tree.document, "yaml": yaml_tree.document, "toml": toml_tree.document}
_LETTER = re.compile(r"[^\W\d_]")
# Scripts that write no words apart.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4}")
# Members of a JSON Schema that hold schemas by name, and members that hold data rather than schemas.
_NAMED_SCHEMAS = frozenset({"properties", "patternproperties", "$defs", "definitions", "dependentschemas"})
_DATA = frozenset({"default", "example", "examples", "enum", "const", "required", "type", "title", "format", "pattern"})
_OPTION_TEXTS = frozenset({"enumdescriptions", "markdownenumdescriptions"})
# Maps of tools by name.
_TOOL_MAPS = frozenset({"tools", "functions"})
# Members that say what a file is to those who manage it: no instruction, whatever the file is.
_METADATA = frozenset(
    {
        "name",
        "title",
        "displayname",
        "author",
        "authors",
        "license",
        "version",
        "model",
        "url",
        "homepage",
        "icon",
        "id",
    }
)
# Translations for people speak of models, tools and prompts too.
_TRANSLATIONS = re.compile(r"(?:^|/)(?:locales?|i18n|l10n|langs?|languages?|translations?|messages)/")
# A dotted path longer than this tells nobody more.
_LONGEST_PATH = 1_000


class Place(NamedTuple):
    """Where in a tool's schema a map or list stands. `maps` is whether its keys are the names of parameters."""

    tool: str | None
    parameter: str
    output: bool
    maps: bool = False


class _Member(NamedTuple):
    """A value still to be read: its key, the key of the map around, and where in a schema it stands."""

    value: Value
    key: str = ""
    owner: str = ""
    place: Place | None = None


class _Surface(NamedTuple):
    surface: str
    detail: str
    tool: str | None = None
    parameter: str | None = None


def extract(language: str, path: str, source: bytes, surface: str | None) -> Found:
    """Return the strings of a file. Without a surface only tool schemas and known keys of prompts make one."""
    if surface is None and not may_hold(language, source):
        return Found()
    return _Reading(_READERS[language](source), path, surface).found()


# How a key is written. One with an escape in it is not looked for.
_KEYS = {"json": ('"%s"',), "yaml": ("%s:", '%s":', "%s':", "%s :"), "toml": ("%s",)}


def may_hold(language: str, source: bytes) -> bool:
    """Whether a file has the words for a tool schema or a prompt: all that most files are looked at for."""
    flat = source.lower().translate(None, b"_-")
    known = registry()

    def has(names: frozenset[str]) -> bool:
        return any((form % name).encode() in flat for name in names for form in _KEYS[language])

    if (b"object" in flat or b"properties" in flat) and has(known.description_keys) and has(known.schema_keys):
        return True
    if has(known.prompt_keys) or (has(known.weak_prompt_keys) and has(_NUMBERS | _MODELS | _COLLECTIONS)):
        return True
    return has(frozenset({"role"})) and any(role.encode() in flat for role in _SYSTEM_ROLES)


_SYSTEM_ROLES = frozenset({"system", "developer"})
# Keys by which a file speaks of models and agents: with numbers, with names, with lists and maps.
_NUMBERS = frozenset({"temperature", "topp", "topk", "maxtokens", "maxturns", "maxsteps"})
_MODELS = frozenset({"model", "modelid", "modelname", "llm", "agent"})
_COLLECTIONS = frozenset({"tools", "agents", "allowedtools", "subagents", "mcpservers"})


class _Reading:
    """One file read."""

    def __init__(self, document: Document, path: str, surface: str | None) -> None:
        self.document, self.given = document, surface
        self.known: Registry = registry()
        self.places = Places(document.source)
        self.weak = not _TRANSLATIONS.search(path.lower()) and self._speaks()
        self.rows = Found()

    def found(self) -> Found:
        """Return the strings in order of the file."""
        todo = [_Member(root) for root in reversed(self.document.roots)]
        while todo:
            member = todo.pop()
            if isinstance(member.value, Scalar):
                self._fallback(member.value, member.key)
            elif member.value.keyed:
                todo.extend(reversed(list(self._members(member.value, member))))
            else:
                # What stands in a list has the key and the place of the list.
                todo.extend(member._replace(value=value) for _, value in reversed(member.value.members))
        self.rows.strings.sort(key=lambda row: row.span)
        return self.rows

    def _members(self, holder: Holder, at: _Member) -> Iterator[_Member]:
        """Write down what is known of a map's members, and yield the members that are still to be read."""
        place = at.place
        if place is not None and place.maps:
            for name, value in holder.members:
                yield _Member(value, name, at.key, _parameter(place, name))
            return
        facts = {plain(name): value for name, value in holder.members}
        tool = None if place is not None else self._tool(facts, at)
        system = self._word(facts.get("role")) in _SYSTEM_ROLES
        for name, value in holder.members:
            known = plain(name)
            surface = self._surface(known, name, tool, place, system)
            if surface is not None and self._emit(value, surface):
                continue
            inner = place
            if tool is not None and known in self.known.schema_keys and self._is_schema(value):
                inner = Place(tool.tool, "", known.startswith("output"))
            elif place is not None and known in _NAMED_SCHEMAS:
                inner = place._replace(maps=True)
            elif known in _DATA:
                inner = None
            yield _Member(value, name, at.key, inner)

    def _surface(
        self, known: str, name: str, tool: _Surface | None, place: Place | None, system: bool
    ) -> _Surface | None:
        """Return the surface of a member by its key and what the map is."""
        if known in self.known.description_keys:
            if tool is not None:
                return tool
            if place is not None:
                return _described(place)
        if place is not None:
            return _described(place) if known in _OPTION_TEXTS else None
        if system and known == "content":
            return _Surface(self.given or "prompt", "system message")
        if known in self.known.prompt_keys or (known in self.known.weak_prompt_keys and self.weak):
            surface = "instructions" if "instruction" in known else "prompt"
            return _Surface(self.given or surface, f"key {name}")
        return None

    def _emit(self, value: Value, surface: _Surface) -> bool:
        """Write down a string or a list of strings; False for anything else."""
        strings = [value] if isinstance(value, Scalar) else [member for _, member in value.members]
        if isinstance(value, Holder) and (value.keyed or not strings):
            return False
        described = surface.surface in ("tool_description", "parameter_description")
        taken = False
        for string in strings:
            if isinstance(string, Scalar) and string.form != "bare":
                taken = True
                self._row(string, surface, prose=not described)
        return taken

    def _fallback(self, scalar: Scalar, key: str) -> None:
        if self.given is not None and scalar.form != "bare" and plain(key) not in _METADATA:
            self._row(scalar, _Surface(self.given, "file name"), prose=True)

    def _row(self, scalar: Scalar, surface: _Surface, *, prose: bool) -> None:
        pieces = self.document.pieces(scalar)
        # The grammar's end of a block scalar is before or behind its last line breaks.
        end = pieces[-1].end if scalar.form == "block" and pieces else scalar.end
        text, segments, names = joined(templated(pieces), self.places)
        if not text.strip() or (prose and not _is_prose(text)):
            return
        self.rows.strings.append(
            StringRow(
                text, self.places.span(scalar.start, end), segments, names,
                surface=surface.surface, tool=surface.tool, parameter=surface.parameter, detail=surface.detail,
            )
        )  # fmt: skip

    # --------------------------------------------------------------------------------------------------- questions

    def _tool(self, facts: Mapping[str, Value], at: _Member) -> _Surface | None:
        """Return the surface of a tool's description where a map is one: a description, a schema, and a name."""
        if "in" in facts or not any(self._is_text(facts.get(name)) for name in self.known.description_keys):
            return None
        if not any(name in self.known.schema_keys and self._is_schema(value) for name, value in facts.items()):
            return None
        name = facts.get("name")
        if isinstance(name, Scalar):
            return _Surface("tool_description", "tool schema", self.document.text(name))
        return _Surface("tool_description", "tool schema", at.key) if plain(at.owner) in _TOOL_MAPS else None

    def _is_schema(self, value: Value | None) -> bool:
        """Whether a value is the JSON Schema of an object."""
        if not isinstance(value, Holder) or not value.keyed:
            return False
        facts = {plain(name): member for name, member in value.members}
        properties = facts.get("properties")
        return self._word(facts.get("type")) == "object" or (isinstance(properties, Holder) and properties.keyed)

    def _is_text(self, value: Value | None) -> bool:
        return isinstance(value, Scalar) and value.form != "bare"

    def _word(self, value: Value | None) -> str | None:
        """Return a short value in lower case."""
        if isinstance(value, Scalar) and value.end - value.start < 100:
            return self.document.text(value).strip().lower()
        return None

    def _speaks(self) -> bool:
        """Whether keys of the file speak of agents, models or tools, with values as these have."""
        return any(
            self._speaks_of(plain(name), value)
            for holder in walk(self.document.roots)
            if holder.keyed
            for name, value in holder.members
        )

    def _speaks_of(self, key: str, value: Value) -> bool:
        if key in _NUMBERS:
            return isinstance(value, Scalar) and value.form == "bare"
        if key in _MODELS:
            if isinstance(value, Holder):
                return value.keyed and key != "agent"
            word = self.document.text(value) if value.end - value.start < 100 else ""
            return _MODEL.fullmatch(word) is not None
        if key in _COLLECTIONS:
            # In translations these are maps of texts.
            if not isinstance(value, Holder):
                return False
            return not value.keyed or not any(self._is_text(member) for _, member in value.members)
        return False


# The name of a model or agent: no word that a person would read on a button.
_MODEL = re.compile(r"[a-z0-9$][\w.:/@{}$-]*")


def _is_prose(text: str) -> bool:
    """Whether a text has two words, or as much of a script that writes none apart."""
    words = (word for word in text.split() if _LETTER.search(word))
    return (next(words, None) is not None and next(words, None) is not None) or _UNSPACED.search(text) is not None


def _parameter(place: Place, name: str) -> Place:
    path = f"{place.parameter}.{name}" if place.parameter else name
    return Place(place.tool, path[:_LONGEST_PATH], place.output)


def _described(place: Place) -> _Surface:
    """Return the surface of a description in a schema. Fields of what a tool gives back are no parameters of it."""
    if place.output:
        return _Surface("parameter_description", "output schema of a tool", place.tool)
    return _Surface("parameter_description", "tool schema", place.tool, place.parameter or None)
