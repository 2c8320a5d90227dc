"""How JavaScript and TypeScript name files and modules: relative specifiers, packages of workspaces, tsconfig paths.

The target of an import that starts with `/` is a path from the root of the repository. What imports bind: imports.py.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node

from scaup.pipeline.languages.javascript.imports import expand_import
from scaup.pipeline.languages.javascript.repair import repair

__all__ = ["Resolver", "expand_import", "generic_bounds", "import_target", "repair"]

SUFFIXES = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".d.mts", ".d.cts")
# A specifier names the file that a compiler writes; these are the files that it is written from.
WRITTEN_FROM = {
    ".js": (".ts", ".tsx", ".d.ts", ".jsx"),
    ".jsx": (".tsx", ".ts"),
    ".mjs": (".mts", ".d.mts", ".ts"),
    ".cjs": (".cts", ".d.cts", ".ts"),
}
# Folders that a build writes, and names of the folder that it reads.
BUILT = re.compile(
    r"^(?:dist|lib|build|out|output|esm|cjs|es|types|typings|\.output)(?:/(?:esm|cjs|es|module|types|src))?(?=/)"
)
SOURCES = ("src", "lib", "source", "")


def import_target(path: str, module: str, inside: str) -> str:
    """Return a relative module as a path from the root with a `/` before it, and others without `node:`."""
    if not module:
        return "/" + path
    if module.startswith("."):
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
        return module if place.startswith("..") else "/" + place.removeprefix(".")
    return module.removeprefix("node:")


def generic_bounds(node: Node) -> dict[str, Node]:
    """Return what the type parameters of a definition extend, by name: a value of T has the members of its bound."""
    holder = node.child_by_field_name("value") or node
    parameters = holder.child_by_field_name("type_parameters") or node.child_by_field_name("type_parameters")
    found = {}
    for parameter in parameters.named_children if parameters is not None else ():
        name, bound = parameter.child_by_field_name("name"), parameter.child_by_field_name("constraint")
        if name is not None and bound is not None and bound.named_children:
            found[(name.text or b"").decode("utf-8", "replace")] = bound.named_children[0]
    return found


class Resolver:
    """Finds the file that a specifier means, seen from another file."""

    def __init__(self, paths: Iterable[str], build: Sequence[tuple[str, str, str, str]]) -> None:
        self.paths = frozenset(paths)
        self.packages: dict[str, list[str]] = {}
        self.entries: dict[str, list[str]] = {}
        self.aliases: dict[str, list[tuple[str, str]]] = {}
        self.base_urls: dict[str, str] = {}
        folders: dict[str, str] = {}
        for path, kind, key, value in build:
            folder = posixpath.dirname(path)
            if kind == "npm_package":
                self.packages.setdefault(key, []).append(value)
                folders[value] = key
            elif kind == "npm_entry":
                self.entries.setdefault(key, []).append(value)
            elif kind == "ts_path":
                self.aliases.setdefault(folder, []).append((key, value))
            elif kind == "ts_base_url":
                self.base_urls[folder] = value
        self.package_at = folders
        # Of two patterns that fit, the one with the longer fixed beginning counts; a pattern without `*` beats both.
        for rows in self.aliases.values():
            rows.sort(key=lambda row: ("*" in row[0], -len(row[0].partition("*")[0])))
        self.cache: dict[tuple[str, str], str | None] = {}

    def unit(self, path: str) -> str:
        """Return the namespace that a file's top-level names belong to: the file itself."""
        return path

    def resolve(self, path: str, module: str, member: str | None) -> tuple[str, str] | None:
        """Return (file, names left over inside it) for a module and a member of it, or None outside the repository."""
        if module in ("", "/" + path):
            return path, member or ""
        key = (posixpath.dirname(path), module)
        if key not in self.cache:
            self.cache[key] = self.find(key[0], re.sub(r"[?#].+$", "", module) if module[:1] in "./@" else module)
        file = self.cache[key]
        return None if file is None else (file, member or "")

    def find(self, folder: str, module: str) -> str | None:
        """Return the file that a specifier in a file of a folder means."""
        if module.startswith("."):
            return self.file(posixpath.normpath(posixpath.join(folder, module)))
        return self.aliased(folder, module) or (
            self.file(module[1:]) if module.startswith("/") else self.packaged(module) or self.based(folder, module)
        )

    def aliased(self, folder: str, module: str) -> str | None:
        """Return the file that compilerOptions.paths of the nearest configuration gives to a specifier."""
        for above in _upwards(folder):
            for pattern, target in self.aliases.get(above, ()):
                if (part := _fit(pattern, module)) is not None and (found := self.file(target.replace("*", part, 1))):
                    return found
        return None

    def based(self, folder: str, module: str) -> str | None:
        """Return the file that a bare specifier means below the nearest baseUrl."""
        for above in _upwards(folder):
            if above in self.base_urls:
                return self.file(posixpath.join(self.base_urls[above], module))
        return None

    def packaged(self, module: str) -> str | None:
        """Return the file that a package of the repository, or a path in it, means."""
        for key in (module, *self.patterns(module)):
            for entry in self.entries.get(key, ()):
                part = _fit(key, module) or ""
                if found := self.source_of(key, entry.replace("*", part)):
                    return found
        parts = module.split("/")
        name = "/".join(parts[:2] if module.startswith("@") else parts[:1])
        rest = module[len(name) + 1 :]
        for folder in self.packages.get(name, ()):
            if not rest:
                places = ["src/index", "index", "src/main", "lib/index", f"src/{parts[-1]}", "mod", "src/mod", "main"]
            else:
                places = [rest, f"src/{rest}", f"lib/{rest}"]
            for place in places:
                if found := self.file(posixpath.join(folder, place)):
                    return found
        return None

    def patterns(self, module: str) -> list[str]:
        """Return the patterns among the entries of packages that fit a specifier, longest first."""
        if not self.packages or "/" not in module:
            return []
        found = [key for key in self.entries if "*" in key and _fit(key, module) is not None]
        return sorted(found, key=lambda key: (-len(key), key))

    def source_of(self, key: str, entry: str) -> str | None:
        """Return the file that an entry names, or the source that a build would make it from."""
        if found := self.file(entry):
            return found
        name = "/".join(key.split("/")[: 2 if key.startswith("@") else 1])
        for folder in self.packages.get(name, ()):
            prefix = folder + "/" if folder else ""
            inner = entry.removeprefix(prefix)
            if not entry.startswith(prefix) or not BUILT.match(inner):
                continue
            inside = BUILT.sub("", inner).lstrip("/")
            stem = re.sub(r"(?:\.d)?\.[cm]?[jt]sx?$", "", inside)
            for source in SOURCES:
                # dist/name.js can be made from src/name.ts and from src/name/index.ts
                if found := self.file(posixpath.join(folder, source, stem)):
                    return found
        return None

    def file(self, place: str) -> str | None:
        """Return the file of the repository that a path means, as written or with what a specifier leaves out."""
        if place.startswith(("../", "/")) or place == "..":
            return None
        stem, suffix = posixpath.splitext(place)
        for written in WRITTEN_FROM.get(suffix, ()):
            if stem + written in self.paths:
                return stem + written
        if place in self.paths:
            return place
        for ending in SUFFIXES:
            if place + ending in self.paths:
                return place + ending
        folder = "" if place == "." else place
        if folder in self.package_at:
            for entry in self.entries.get(self.package_at[folder], ()):
                if entry in self.paths:
                    return entry
        for ending in SUFFIXES:
            index = posixpath.join(folder, "index" + ending)
            if index in self.paths:
                return index
        return None


def _upwards(folder: str) -> Iterator[str]:
    """Yield a folder and all above it, the root as the empty string last."""
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def _fit(pattern: str, module: str) -> str | None:
    """Return what the `*` of a pattern stands for in a specifier; None where it does not fit."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == module else None
    if len(module) >= len(before) + len(after) and module.startswith(before) and module.endswith(after):
        return module[len(before) : len(module) - len(after) if after else None]
    return None
