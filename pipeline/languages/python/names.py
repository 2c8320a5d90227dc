"""How Python names files and modules: packages by `__init__.py`, source roots, relative imports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tree_sitter import Node


def import_target(path: str, module: str, inside: str) -> str:
    """Return a module's name with leading dots as written kept: they are resolved against the file's place."""
    return module


def expand_import(captures: Mapping[str, Sequence[Node]], text: object) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield (module, member, bound name): `import a.b` binds a, `import a.b as c` binds c to the module a.b."""

    def read(name: str) -> str:
        return (captures[name][0].text or b"").decode("utf-8", "replace")

    module = read("module")
    if "wildcard" in captures:
        yield module, "*", None
    elif "name" in captures:
        name = read("name")
        yield module, name, read("alias") if "alias" in captures else name
    elif "alias" in captures:
        yield module, None, read("alias")
    else:
        first = module.partition(".")[0]
        yield first, None, first
        if first != module:
            yield module, None, None


class Resolver:
    """Finds the file that a dotted name means, seen from another file."""

    def __init__(self, paths: Iterable[str], build: Sequence[tuple[str, str, str, str]]) -> None:
        self.paths = {path for path in paths if path.endswith((".py", ".pyi"))}
        self.packages = {
            path.rpartition("/")[0] for path in self.paths if path.endswith(("__init__.py", "__init__.pyi"))
        }
        self.folders = {""}
        for path in self.paths:
            folder = path.rpartition("/")[0]
            while folder and folder not in self.folders:
                self.folders.add(folder)
                folder = folder.rpartition("/")[0]
        self.mapped = sorted(
            ((key, value) for _, kind, key, value in build if kind == "python_root"),
            key=lambda row: -len(row[0]),
        )
        roots = {self.root_of(path) for path in self.paths}
        self.roots = sorted(roots | {value for key, value in self.mapped if not key})
        self.cache: dict[tuple[str, str], tuple[str, str] | None] = {}

    def root_of(self, path: str) -> str:
        """Return the folder that has to be on sys.path for a file: above its outermost package."""
        folder = path.rpartition("/")[0]
        while folder in self.packages:
            folder = folder.rpartition("/")[0]
        return folder

    def unit(self, path: str) -> str:
        """Return the namespace that a file's top-level names belong to: the file itself."""
        return path

    def resolve(self, path: str, module: str, member: str | None) -> tuple[str, str] | None:
        """Return (file, names left over inside it) for a module and a member of it, or None outside the repository."""
        full = module + ("" if not member else member if module.endswith(".") else "." + member)
        folder = path.rpartition("/")[0]
        if full.startswith("."):
            dots = len(full) - len(full.lstrip("."))
            base = folder
            for _ in range(dots - 1):
                base = base.rpartition("/")[0]
            return self.find(base, full[dots:])
        key = (folder, full)
        if key not in self.cache:
            self.cache[key] = self.absolute(path, full)
        return self.cache[key]

    def absolute(self, path: str, full: str) -> tuple[str, str] | None:
        for prefix, folder in self.mapped:
            if prefix and (full == prefix or full.startswith(prefix + ".")):
                found = self.find(folder, full[len(prefix) + 1 :])
                if found:
                    return found
        own = self.root_of(path)
        first = [own] if own in self.roots else []
        hits = {found for root in first if (found := self.find(root, full))}
        if not hits:
            hits = {found for root in self.roots if (found := self.find(root, full))}
        # The same module under two roots is two modules: which one is meant is not known from here.
        return hits.pop() if len(hits) == 1 else None

    def find(self, folder: str, name: str) -> tuple[str, str] | None:
        """Return the file that the longest prefix of a dotted name means below a folder, and the rest of the name."""
        parts = name.split(".") if name else []
        place = folder
        found: tuple[str, str] | None = None
        if not parts:
            init = self.file(f"{folder}/__init__" if folder else "__init__")
            return (init, "") if init else None
        for position, part in enumerate(parts):
            place = f"{place}/{part}" if place else part
            rest = ".".join(parts[position + 1 :])
            if (init := self.file(f"{place}/__init__")) or (init := self.file(place)):
                found = (init, rest)
            elif place not in self.folders:
                break
        if (
            found is None
            and folder in self.packages
            and (init := self.file(f"{folder}/__init__" if folder else "__init__"))
        ):
            found = (init, name)
        return found

    def file(self, stem: str) -> str | None:
        return next((stem + suffix for suffix in (".py", ".pyi") if stem + suffix in self.paths), None)
