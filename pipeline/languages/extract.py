"""From source bytes to rows: runs a language's query over a file's syntax tree and lays out what it found.

One `Extractor` a language and process. Each node is met once, by the query; all else is lookups by position.
The rows of a file depend on its bytes, path and role alone, so they can be kept until the file changes.

    syntax        what language.toml and tags.scm say; expressions: names and types in normal form
    matches       what the query found, in the tree and in the arguments of macros (embedded)
    definitions   symbols and scopes, nested, with their comments; ownership: which of them a byte belongs to
    calls, imports, parameters, bindings, effects, complexity, symbols, word_counts: the rows, by table
"""

from __future__ import annotations

import functools

from scaup.pipeline import languages
from scaup.pipeline.languages import calls, definitions, effects, imports, symbols, word_counts
from scaup.pipeline.languages.bindings import Bindings
from scaup.pipeline.languages.matches import Matches
from scaup.pipeline.languages.ownership import Ownership
from scaup.pipeline.languages.rows import FIELDS, NULL_INT, NULLABLE, TABLES, Rows
from scaup.pipeline.languages.syntax import Syntax
from scaup.pipeline.languages.unit import Unit
from scaup.pipeline.languages.word_counts import Vocabulary
from scaup.pipeline.text import code
from scaup.pipeline.text.forms import forms
from scaup.pipeline.text.found import Found

__all__ = ["FIELDS", "NULLABLE", "NULL_INT", "TABLES", "Extractor", "Rows", "extractor"]


class Extractor:
    """Extracts the rows of files of one language."""

    def __init__(self, language: languages.Language, leads: frozenset[str] | None = None) -> None:
        self.syntax = Syntax(language, leads)
        self.vocabulary = Vocabulary()
        self.forms = forms(language.name)

    def extract(self, path: str, role: str, source: bytes, rows: Rows, surface: str | None = None) -> int:
        """Add the rows of one file to `rows` and return the number of error nodes in its tree.

        `surface` is what configuration says that an agent reads the file as: its strings count whatever its role.
        """
        syntax = self.syntax
        root, errors = syntax.parse(source)
        matches = Matches(syntax, source, root)
        found = definitions.collect(path, role, source, syntax, matches)
        unit = Unit(path, source, syntax, matches, Ownership(path, source, root, found), rows.tables)
        symbols.extend(unit)
        # Bindings matter for the names that calls go through; effects, for what bindings and imports do not declare.
        calls.write(unit)
        imports.write(unit)
        bindings = Bindings(unit)
        bindings.write()
        effects.write_field_uses(unit)
        effects.write(unit, bindings)
        # All that runs at the top of the file is known: its body is a symbol if there is any.
        texts = symbols.write(unit)
        word_counts.write(self.vocabulary, unit, texts, rows)
        # Tests and what is not the project's own are no text of its agents.
        if (role == "source" or surface) and self.forms is not None:
            write(code.extract(unit, root, self.forms), path, rows)
        return errors


class DocumentExtractor:
    """Extracts the strings of documents: data and prose, which have no symbols."""

    def __init__(self, language: languages.Language) -> None:
        self.name = language.name

    def extract(self, path: str, role: str, source: bytes, rows: Rows, surface: str | None = None) -> int:
        """Add the rows of one document to `rows`; nothing counts its error nodes: what parses is kept."""
        from scaup.pipeline.text import documents, file_surfaces

        if surface or role not in ("test", "vendored", "generated"):
            write(documents.extract(self.name, path, source, surface or file_surfaces.surface_of(path)), path, rows)
        return 0


def write(found: Found, path: str, rows: Rows) -> None:
    """Add what a file yields of agent-facing text."""
    tables = rows.tables
    tables["internal.strings"].extend(row.values(path) for row in found.strings)
    tables["internal.text_references"].extend((path, *row) for row in found.references)
    tables["internal.handlers"].extend((path, *row) for row in found.handlers)
    tables["internal.swallows"].extend((path, *row) for row in found.swallows)
    tables["internal.embeds"].extend((path, *row) for row in found.embeds)


# What tells whose strings are whose; without calls, bindings and branches a query compiles in half the time.
TEXT_LEADS = frozenset({"definition", "scope", "span", "extends", "comment", "import", "field", "embedded"})


@functools.cache
def extractor(name: str, *, texts_only: bool = False) -> Extractor | DocumentExtractor:
    """Return the extractor of a language: one a process; with `texts_only`, rows of calls and the like are left out."""
    language = languages.load()[name]
    if language.table.get("documents"):
        return DocumentExtractor(language)
    return Extractor(language, TEXT_LEADS if texts_only else None)
