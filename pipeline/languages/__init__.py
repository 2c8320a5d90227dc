"""The languages that Scaup reads: one folder each, found by itself.

A folder holds `language.toml` (names, suffixes, node types and word lists), `tags.scm` (definitions, references,
imports, bindings, branches: see TAGS.md beside this file), `known.txt` (names that the standard library and
built-in types define) and, where modules have names of their own, `names.py`.
Nothing here imports tree-sitter: grammars are loaded by `extract`, for the languages that are met.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from scaup.pipeline.versions import version

FOLDER = Path(__file__).parent
# What strings become rows of, which is worked out with the other rows of a file.
TEXT = FOLDER.parent / "text"


@dataclass(frozen=True)
class Language:
    """What `language.toml` says. `table` is the whole document, for the parts that one reader needs."""

    name: str
    grammar: str
    separator: str
    suffixes: tuple[str, ...]
    filenames: tuple[str, ...]
    interpreters: tuple[str, ...]
    family: str
    table: Mapping[str, Any]

    @property
    def folder(self) -> Path:
        """The folder of the language."""
        return FOLDER / self.name

    def tags(self) -> str:
        """Return the tags query, with the queries that `inherit` names before it: of a language, or a file of one."""
        inherited = self.table.get("inherit", [])
        parts = [FOLDER / (other if other.endswith(".scm") else f"{other}/tags.scm") for other in inherited]
        own = self.folder / "tags.scm"
        if own.exists():
            parts.append(own)
        return "\n".join(part.read_text(encoding="utf-8") for part in parts)

    def names(self) -> ModuleType:
        """Return the module that knows how files and modules of this language are named."""
        return importlib.import_module(f"scaup.pipeline.languages.{self.table.get('names', self.name)}.names")


def _table(name: str) -> dict[str, Any]:
    """Return the table of a language; what that of a dialect does not say, that of the language in `like` does."""
    table = tomllib.loads((FOLDER / name / "language.toml").read_text(encoding="utf-8"))
    return _table(table["like"]) | table if "like" in table else table


def like(name: str) -> str | None:
    """Return the language that a dialect is like, or None."""
    table = tomllib.loads((FOLDER / name / "language.toml").read_text(encoding="utf-8"))
    return table.get("like")


@functools.cache
def load() -> dict[str, Language]:
    """Return all languages by name, in order of name."""
    found = {}
    for file in sorted(FOLDER.glob("*/language.toml")):
        name = file.parent.name
        table = _table(name)
        found[name] = Language(
            name=name,
            grammar=table.get("grammar", name),
            separator=table.get("separator", "."),
            suffixes=tuple(table.get("suffixes", ())),
            filenames=tuple(table.get("filenames", ())),
            interpreters=tuple(table.get("interpreters", ())),
            family=table.get("family", name),
            table=table,
        )
    return found


@functools.cache
def _by_suffix() -> dict[str, str]:
    return {suffix: language.name for language in load().values() for suffix in language.suffixes}


@functools.cache
def _by_filename() -> dict[str, str]:
    return {name: language.name for language in load().values() for name in language.filenames}


def identify(path: str) -> str | None:
    """Return the language of a file by its name, or None."""
    name = path.rpartition("/")[2]
    _, dot, suffix = name.rpartition(".")
    if dot and (language := _by_suffix().get("." + suffix)):
        return language
    return _by_filename().get(name)


def identify_interpreter(first_line: bytes) -> str | None:
    """Return the language that a `#!` line names, or None."""
    if not first_line.startswith(b"#!"):
        return None
    words = first_line[2:].split(b"\n", 1)[0].decode("utf-8", "replace").split()
    if words and words[0].rpartition("/")[2] == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    if not words:
        return None
    program = words[0].rpartition("/")[2].rstrip("0123456789.")
    return next((lang.name for lang in load().values() if program in lang.interpreters), None)


@functools.cache
def digest(name: str) -> str:
    """Return a digest of what decides the rows of a file of a language: engine, query, table, grammar version."""
    language = load()[name]
    folders = [language.folder, *(FOLDER / other.partition("/")[0] for other in language.table.get("inherit", []))]
    folders.append(FOLDER / str(language.table.get("names", name)))
    files = [
        *FOLDER.glob("*.py"),
        *TEXT.rglob("*"),
        *(file for folder in folders for file in folder.iterdir() if file.name != "known.toml"),
    ]
    packages = ("tree-sitter", "tree-sitter-language-pack")
    return _digest(files, [f"{package}={version(package)}" for package in packages])


@functools.cache
def code_digest() -> str:
    """Return a digest of what decides all other facts: the stages and all that is known of languages."""
    stages = FOLDER.parent / "stages"
    files = [file for folder in (FOLDER, stages, TEXT) for file in folder.rglob("*") if file.suffix in _CODE]
    return _digest(files, [f"PyStemmer={version('PyStemmer')}"])


_CODE = frozenset({".py", ".scm", ".toml", ".sql"})


def _digest(files: list[Path], versions: list[str]) -> str:
    state = hashlib.sha256("\n".join(versions).encode())
    for file in sorted(set(files)):
        if file.suffix in _CODE:
            state.update(file.relative_to(FOLDER.parent).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return state.hexdigest()[:16]
