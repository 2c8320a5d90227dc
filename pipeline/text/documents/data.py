"""Strings of JSON, YAML and TOML: descriptions in tool schemas, prompts under their keys, all prose of configured files."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator

from scaup.pipeline.text.documents.pieces import stripped
from scaup.pipeline.text.documents.places import Places, valid
from scaup.pipeline.text.documents.templates import templated
from scaup.pipeline.text.documents.tree import Document, Holder, Scalar, Value, walk
from scaup.pipeline.text.found import Found, StringRow, joined
from scaup.pipeline.text.registry import Registry, plain, registry

# Bytes without which a document holds nothing that would be known by a key.
_HINTS = re.compile(rb"description|prompt|instruction", re.IGNORECASE)
_PROSE = re.compile(r"[^\W\d_]\W*\s+\W*[^\W\d_]")
# Keys beside a prompt that say that a model reads it.
_AGENT_KEYS = frozenset(
    ("model", "models", "tools", "agent", "agents", "temperature", "role", "llm", "subagents", "mcpservers")
)
# What is described where a tool is no function: OpenAPI's operations, packages.
_NO_TOOL = frozenset(
    ("operationid", "responses", "dependencies", "devdependencies", "scripts", "version", "license", "in")
)


def extract(language: str, path: str, source: bytes, surface: str | None) -> Found:
    """Return the strings of a data file that an agent reads; with a surface, all its prose."""
    found = Found()
    if surface is None and not _HINTS.search(source):
        return found
    reader = importlib.import_module(f"scaup.pipeline.text.documents.{language}_tree")
    document: Document = reader.document(valid(source))
    Data(document, found, surface).extract()
    return found


class Data:
    """Extracts the strings of one data file."""

    def __init__(self, document: Document, found: Found, surface: str | None) -> None:
        self.document, self.found, self.surface = document, found, surface
        self.known: Registry = registry()
        self.lines = Places(document.source)
        self.seen: set[int] = set()

    def extract(self) -> None:
        """Add the strings of all tools, then of prompts, then of all else where the file is configured."""
        holders = list(walk(self.document.roots))
        for holder in holders:
            if holder.keyed:
                self._tool(holder)
        for holder in holders:
            if holder.keyed:
                self._prompts(holder)
        if self.surface is not None:
            for holder in holders:
                for key, value in holder.members:
                    if isinstance(value, Scalar) and _PROSE.search(self.document.text(value)):
                        self._add(value, self.surface, f"file name, key {key}" if key else "file name")

    def _tool(self, holder: Holder) -> None:
        """Add the descriptions of a tool and its parameters, if the holder is one."""
        members = {plain(key): value for key, value in holder.members}
        schemas = [members[key] for key in self.known.schema_keys if isinstance(members.get(key), Holder)]
        schema = next((s for s in schemas if isinstance(s, Holder) and s.keyed and _is_schema(s)), None)
        name = members.get("name")
        if schema is None or not isinstance(name, Scalar) or members.keys() & _NO_TOOL:
            return
        tool = self.document.text(name)[:200]
        for key, value in holder.members:
            if plain(key) in self.known.description_keys and isinstance(value, Scalar):
                self._add(value, "tool_description", "tool schema", tool)
        for parameter, value in self._parameters(schema, ""):
            self._add(value, "parameter_description", "tool schema", tool, parameter)

    def _parameters(self, schema: Holder, prefix: str) -> Iterator[tuple[str, Scalar]]:
        """Yield the descriptions in a schema with the dotted path of the property that each is of."""
        todo: list[tuple[Holder, str]] = [(schema, prefix)]
        while todo:
            holder, path = todo.pop(0)
            for key, value in holder.members:
                if key == "properties" and isinstance(value, Holder):
                    for name, one in value.members:
                        if isinstance(one, Holder):
                            todo.append((one, f"{path}.{name}" if path else name))
                elif key == "description" and isinstance(value, Scalar):
                    yield path, value
                elif isinstance(value, Holder) and key in (
                    "items",
                    "anyOf",
                    "oneOf",
                    "allOf",
                    "additionalProperties",
                    "",
                ):
                    todo.append((value, path))

    def _prompts(self, holder: Holder) -> None:
        keys = {plain(key) for key, _ in holder.members}
        for key, value in holder.members:
            if not isinstance(value, Scalar) or value.form == "bare":
                continue
            name = plain(key)
            weak = name in self.known.weak_prompt_keys and keys & _AGENT_KEYS
            if (name in self.known.prompt_keys or weak) and _PROSE.search(self.document.text(value)):
                self._add(value, "instructions" if "instruction" in name else "prompt", f"key {key}")

    def _add(
        self, value: Value, surface: str, detail: str, tool: str | None = None, parameter: str | None = None
    ) -> None:
        if not isinstance(value, Scalar) or value.form == "bare" or value.start in self.seen:
            return
        self.seen.add(value.start)
        pieces = templated(stripped(self.document.pieces(value)))
        text, segments, names = joined(pieces, self.lines)
        if text.strip():
            span = self.lines.span(value.start, value.end)
            self.found.strings.append(
                StringRow(
                    text, span, segments, names, surface=surface, tool=tool, parameter=parameter or None, detail=detail
                )
            )


def _is_schema(holder: Holder) -> bool:
    """Whether a map is a JSON schema of an object."""
    members = dict(holder.members)
    return isinstance(members.get("properties"), Holder) or ("type" in members and isinstance(members["type"], Scalar))
