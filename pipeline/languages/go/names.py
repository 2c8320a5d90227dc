"""How Go names packages: import paths below the modules of go.mod files, and one namespace a folder.

A path binds the name of the imported package, which stands in that package's files and not in the path. It is taken
from the path as goimports assumes it: the last part, without a version, a leading `go-` and what follows an identifier.
A package that is named otherwise is not found through its import. External test packages (`package x_test`) share their
folder's namespace: no file of theirs can use a name of the other without importing it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tree_sitter import Node

_VERSION = re.compile(r"v\d+")
_IDENTIFIER = re.compile(r"\w*")
# The package in the root folder; a unit is never empty.
ROOT = "."


def package_name(module: str) -> str:
    """Return the name that a package most likely has, by its import path."""
    parent, _, last = module.rpartition("/")
    if _VERSION.fullmatch(last) and parent:
        last = parent.rpartition("/")[2]
    match = _IDENTIFIER.match(last.removeprefix("go-"))
    return (match[0] if match else "") or last


def import_target(path: str, module: str, inside: str) -> str:
    """Return the import path; a relative one against the file's folder, as it is outside modules."""
    if module.startswith(("./", "../")) or module in (".", ".."):
        return "./" + posixpath.normpath(posixpath.join(posixpath.dirname(path), module))
    return module


def expand_import(captures: Mapping[str, Sequence[Node]], text: object) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield (module, member, bound name): a dot imports all names, a blank binds none."""
    module = _text(captures["module"][0]).strip('"`')
    alias = _text(captures["alias"][0]) if "alias" in captures else package_name(module)
    if alias == ".":
        yield module, "*", None
    else:
        yield module, None, None if alias == "_" else alias


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


class Resolver:
    """Finds the folder of the package that an import path means, seen from a file."""

    def __init__(self, paths: Iterable[str], build: Sequence[tuple[str, str, str, str]]) -> None:
        self.folders = {posixpath.dirname(path) for path in paths if path.endswith(".go")}
        # Folder of a go.mod -> module path; the standard library's own module is called std, and is no prefix.
        self.modules = {
            posixpath.dirname(path): "" if value == "std" else value
            for path, kind, _, value in sorted(build)
            if kind == "go_module"
        }
        self.roots: dict[str, list[str]] = {}
        for folder, module in self.modules.items():
            self.roots.setdefault(module, []).append(folder)
        self.cache: dict[tuple[str, str], str | None] = {}

    def unit(self, path: str) -> str:
        """Return the namespace that a file's top-level names belong to: its folder."""
        return posixpath.dirname(path) or ROOT

    def resolve(self, path: str, module: str, member: str | None) -> tuple[str, str] | None:
        """Return (folder, member) for a package and a name of it, or None outside the repository."""
        key = (posixpath.dirname(path), module)
        if key not in self.cache:
            self.cache[key] = self.find(*key)
        found = self.cache[key]
        return None if found is None else (found or ROOT, "" if member in (None, "*") else member or "")

    def find(self, folder: str, module: str) -> str | None:
        """Return the folder of a package that code in `folder` imports."""
        if module.startswith("./"):
            place = posixpath.normpath(module)
            place = "" if place == "." else place
            return place if place in self.folders else None
        own = self.root_of(folder)
        if own is None:
            return self.outside_modules(folder, module)
        prefix = module
        while True:
            places = self.roots.get(prefix, [])
            # The same module twice (a copy, a fixture): the importing one's own counts.
            for root in [own] if own in places else places if len(places) == 1 else ():
                place = posixpath.join(root, module[len(prefix) :].strip("/")).rstrip("/")
                if place in self.folders and self.root_of(place) == root:
                    return place
            if not prefix:
                break
            prefix = prefix.rpartition("/")[0]
        return self.vendored(own, module)

    def vendored(self, root: str, module: str) -> str | None:
        place = posixpath.join(root, "vendor", module)
        return place if place in self.folders else None

    def outside_modules(self, folder: str, module: str) -> str | None:
        """Return a package below GOPATH: a folder `src` around the importing one, or `vendor` next to it."""
        parts = folder.split("/") if folder else []
        for position in range(len(parts), -1, -1):
            around = "/".join(parts[:position])
            if (found := self.vendored(around, module)) is not None:
                return found
            if parts[position - 1 : position] == ["src"]:
                place = posixpath.join(around, module)
                if place in self.folders:
                    return place
        return None

    def root_of(self, folder: str) -> str | None:
        """Return the folder of the nearest go.mod around, or None outside modules."""
        while folder not in self.modules:
            if not folder:
                return None
            folder = posixpath.dirname(folder)
        return folder
