"""Whether an edited file parses as well as before, and its strings say what was meant and nothing else."""

from __future__ import annotations

import ast
import json
import tomllib
import warnings
from collections.abc import Mapping
from typing import NamedTuple

from tree_sitter import Node

from scaup.pipeline.text.rows import Span
from scaup.rules.fixes.literals import tree


class Said(NamedTuple):
    """A string of a file: where it stands, and its text."""

    span: Span
    text: str


def strings(language: str, path: str, content: bytes, surface: str) -> list[Said]:
    """Return all strings of a file in order; a document counts as what it was audited as."""
    from scaup.pipeline.languages.extract import Rows, extractor
    from scaup.pipeline.text import documents, file_surfaces

    if language in ("json", "yaml", "toml", "markdown"):
        found = documents.extract(language, path, content, file_surfaces.surface_of(path) or surface)
        return sorted(Said(row.span, row.text) for row in found.strings)
    rows = Rows(None)
    extractor(language, texts_only=True).extract(path, "source", content, rows)
    return sorted(Said(Span(*row[2:6]), row[7]) for row in rows.tables["internal.strings"])


def expected(before: list[Said], meant: Mapping[Said, str]) -> list[str] | None:
    """Return what a file has to say after edits; None where a string that is edited is not there before."""
    if not meant.keys() <= set(before):
        return None
    return [meant.get(said, said.text) for said in before]


def problem(language: str, before: bytes, after: bytes) -> str | None:
    """Return why an edited file is not as sound as it was: a stable name, None where it is."""
    if language != "markdown" and errors(tree(language, after)) > errors(tree(language, before)):
        return "would_not_parse"
    if _loads(language, before) and not _loads(language, after):
        return "would_not_parse"
    return None


def errors(root: Node) -> int:
    """Return the number of error and missing nodes of a tree."""
    if not root.has_error:
        return 0
    number = 0
    todo = [root]
    while todo:
        node = todo.pop()
        number += node.is_error or node.is_missing
        if node.has_error:
            todo.extend(node.children)
    return number


def _loads(language: str, content: bytes) -> bool:
    """Whether the language's own reader takes a file; True where there is none."""
    try:
        if language == "python":
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(content)
        elif language == "json":
            json.loads(content)
        elif language == "toml":
            tomllib.loads(content.decode("utf-8-sig"))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return True
