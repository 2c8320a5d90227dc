"""What strings look like in a language, and what stands around them: `strings.toml` and `strings.scm` of its folder."""

from __future__ import annotations

import functools
import re
import tomllib
from typing import Any

from tree_sitter import Query
from tree_sitter_language_pack import get_language

from scaup.pipeline import languages

# Every list of node types that strings.toml may have.
NODES = (
    "delimiters", "escape", "interpolation", "adjacent", "plus", "transparent", "list", "conditional", "call",
    "arguments", "member", "pair", "object", "struct", "return", "raise", "assign", "function", "function_literal",
    "class", "decorator", "handler", "branch", "opaque", "tail", "macro", "tokens", "tagged", "annotation", "deferred",
    "conversion", "targets", "model", "typed", "parameter",
)  # fmt: skip


class Forms:
    """One language, as the extraction of strings needs it. Each list of node types is a set with its name."""

    def __init__(self, language: languages.Language) -> None:
        folder, table = sources(language)
        self.escapes: str = table["escapes"]
        self.literals: dict[str, str] = table["literals"]
        nodes: dict[str, list[str]] = table.get("nodes", {})
        if unknown := set(nodes) - set(NODES):
            raise ValueError(f"{folder}/strings.toml: unknown lists of nodes: {', '.join(sorted(unknown))}")
        self.nodes: dict[str, frozenset[str]] = {name: frozenset(nodes.get(name, ())) for name in NODES}
        # The first list that a type is in says what becomes of a value there.
        self.role: dict[str, str] = {}
        for name in reversed(NODES):
            self.role.update(dict.fromkeys(nodes.get(name, ()), name))
        self.fields: dict[str, list[str]] = table.get("fields", {})
        calls: dict[str, Any] = table.get("calls", {})
        self.calls: dict[str, str] = {name: kind for kind, names in calls.items() for name in names}
        # What calls among these cut away of their string: strip, dedent, cleandoc.
        self.trims: dict[str, str] = table.get("trims", {})
        self.percent: str | None = table.get("percent", {}).get("node")
        # The field of a function that holds the type of its result, where that tells what it is.
        self.returns: str = table.get("returns", "")
        self.doc_comments: dict[str, Any] = table.get("doc_comments", {})
        query = "\n".join((languages.FOLDER / name / "strings.scm").read_text(encoding="utf-8") for name in folder)
        self.query = Query(get_language(language.grammar), query)  # type: ignore[arg-type]  # a name it does not list
        # What a module gives to others, by an expression over the source: where its members are those of a tool.
        exports = table.get("exports", {}).get("pattern")
        self.exports = re.compile(exports.encode(), re.MULTILINE) if exports else None
        # Files that become texts, by an expression over the source: `path` and, where it has one, the text's `name`.
        self.embeds = re.compile(table.get("embeds", {}).get("pattern", r"(?!)").encode(), re.MULTILINE)


def sources(language: languages.Language) -> tuple[list[str], dict[str, Any]]:
    """Return the folders whose strings.scm count, and the table: its own, else that of the language it is like."""
    name = language.name
    while not (languages.FOLDER / name / "strings.toml").exists():
        like = languages.load()[name].table.get("strings_like") or languages.like(name)
        if like is None:
            raise FileNotFoundError(f"no strings.toml for {language.name}")
        name = like
    table = tomllib.loads((languages.FOLDER / name / "strings.toml").read_text(encoding="utf-8"))
    folders = [name]
    own = language.folder / "strings.scm"
    if own.exists() and language.name != name:
        folders.append(language.name)
    return folders, table


@functools.cache
def forms(name: str) -> Forms | None:
    """Return the forms of a language: one a process; None where the language has none."""
    try:
        return Forms(languages.load()[name])
    except FileNotFoundError:
        return None
