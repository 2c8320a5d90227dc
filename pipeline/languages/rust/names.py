"""How Rust names files and modules: crates with a root file each, module files below them, use trees.

Names are resolved as in editions since 2018: the first part of a path is a crate or a name of the module itself.
Out of reach: `#[path]`, dependencies under another name, and module files that a macro declares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tree_sitter import Node

# Crates that come with the compiler.
BUILT_IN = frozenset({"std", "core", "alloc", "proc_macro", "test"})
# Items whose names a path of the same module can begin with.
ITEMS = frozenset({"mod_item", "enum_item", "struct_item", "trait_item", "union_item", "type_item"})

Bound = tuple[str, str | None, str | None]


def import_target(path: str, module: str, inside: str) -> str:
    """Return a module as seen from the top of the file: `super` in an inline module is `self`."""
    first, _, rest = module.partition("::")
    if first not in ("self", "super") or not inside:
        return module
    around = inside.split("::")
    while first == "super" and around:
        around.pop()
        first, _, rest = rest.partition("::") if rest else ("", "", "")
    if first == "super":  # more of them than inline modules: the file's own parents
        return "::".join(["super", *filter(None, [rest])])
    return "::".join(["self", *around, *filter(None, ["" if first == "self" else first, rest])])


def relative_receiver(receiver: str, inside: str) -> str | None:
    """Return a path that starts with super or self as seen from the top of the file; None for the file's module itself.

    `super` in the inline module tests becomes `tests::super`, which is a path that can be looked up as any other.
    """
    if receiver.startswith("self::"):
        receiver = receiver.removeprefix("self::")
    return f"{inside}::{receiver}" if inside else receiver or None


def generic_bounds(definition: Node) -> dict[str, Node]:
    """Return the first bound of each type parameter that a definition declares."""
    found: dict[str, Node] = {}
    parameters = definition.child_by_field_name("type_parameters")
    for parameter in parameters.named_children if parameters is not None else ():
        _bound(found, parameter, "name")
    for clause in definition.named_children if parameters is not None else ():
        if clause.type == "where_clause":
            for predicate in clause.named_children:
                _bound(found, predicate, "left")
    return found


def _bound(found: dict[str, Node], node: Node, field: str) -> None:
    name, bounds = node.child_by_field_name(field), node.child_by_field_name("bounds")
    if name is not None and bounds is not None:
        for bound in bounds.named_children:
            if bound.type in ("type_identifier", "scoped_type_identifier", "generic_type"):
                found.setdefault(_text(name), bound)


def expand_import(captures: Mapping[str, Sequence[Node]], text: object) -> Iterator[Bound]:
    """Yield (module, member, bound name) for each name of a use tree; `pub use` makes it a name of this module too.

    `mod a;` binds a to the module self::a, `extern crate a as b;` binds b to the crate a.
    """
    node, module = captures["import"][0], captures["module"][0]
    if node.type == "mod_item":
        name = _text(module)
        yield f"self::{name}", None, name
    elif node.type == "extern_crate_declaration":
        alias = node.child_by_field_name("alias")
        name = "crate" if _text(module) == "self" else _text(module)
        yield name, None, _text(alias) if alias is not None else name
    else:
        for path, alias_ in _leaves(module, ()):
            yield from _bind(node, path, alias_)


def _leaves(tree: Node, prefix: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str | None]]:
    """Yield (parts of the path, alias) for each leaf of a use tree; the last part of a glob is `*`."""
    if tree.type == "use_as_clause":
        path, alias = tree.child_by_field_name("path"), tree.child_by_field_name("alias")
        if path is not None:
            yield (*prefix, *_parts(path)), _text(alias) if alias is not None else None
    elif tree.type == "use_wildcard":
        yield (*prefix, *(_parts(tree.named_children[0]) if tree.named_child_count else ()), "*"), None
    elif tree.type in ("use_list", "scoped_use_list"):
        path, inner = tree.child_by_field_name("path"), tree.child_by_field_name("list")
        below = (*prefix, *(_parts(path) if path is not None else ()))
        for child in (inner if inner is not None else tree).named_children:
            yield from _leaves(child, below)
    elif not tree.is_extra and not tree.is_error:
        yield (*prefix, *_parts(tree)), None


def _bind(node: Node, path: tuple[str, ...], alias: str | None) -> Iterator[Bound]:
    if path[-1] == "self" and len(path) > 1:  # use a::b::{self} is use a::b
        path = path[:-1]
    if not path[-1]:
        return
    bound = None if alias == "_" else alias or path[-1]
    if len(path) > 1 and path[0] not in ("self", "super", "crate") and _declares(node, path[0]):
        path = ("self", *path)
    if path[-1] == "*":
        yield "::".join(path[:-1]) or "self", "*", None
    elif len(path) == 1:
        yield path[0], None, bound
    else:
        yield "::".join(path[:-1]), path[-1], bound


def _declares(node: Node, name: str) -> bool:
    """Whether an item of that name stands in the module around a use declaration."""
    around = node.parent
    while around is not None and around.type not in ("source_file", "declaration_list"):
        around = around.parent
    for item in around.named_children if around is not None else ():
        if item.type in ITEMS:
            found = item.child_by_field_name("name")
            if found is not None and found.text == name.encode():
                return True
    return False


def _parts(path: Node) -> tuple[str, ...]:
    return tuple(part.strip() for part in _text(path).removeprefix("::").split("::"))


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


class Resolver:
    """Finds the file that a path means, seen from another file."""

    def __init__(self, paths: Iterable[str], build: Sequence[tuple[str, str, str, str]]) -> None:
        self.paths = {path for path in paths if path.endswith(".rs")}
        facts = [row for row in build if row[1] in ("cargo_package", "cargo_bin")]
        self.crates = {key: value for _, kind, key, value in facts if kind == "cargo_package" and value in self.paths}
        packages = {path.rpartition("/")[0] for path, *_ in facts}
        for path in self.paths:  # packages whose build file could not be read
            folder, _, name = path.rpartition("/")
            if name in ("lib.rs", "main.rs") and (folder == "src" or folder.endswith("/src")):
                packages.add(folder[:-4] if folder != "src" else "")
        self.packages = packages
        roots = {value for *_, value in facts if value in self.paths}
        self.roots = roots | {path for path in self.paths if self._is_root(path)}
        self.cache: dict[tuple[str, str, bool], tuple[str, str] | None] = {}

    def _is_root(self, path: str) -> bool:
        """Whether cargo takes a file for the root of a crate by its place: library, binary, test, bench or example."""
        folder, _, name = path.rpartition("/")
        package, _, place = folder.rpartition("/")
        if place == "src" and package in self.packages:
            return name in ("lib.rs", "main.rs")
        if folder in self.packages and name == "build.rs":
            return True
        if place in ("tests", "benches", "examples") and package in self.packages:
            return True
        outer, _, kind = package.rpartition("/")
        if place == "bin" and kind == "src" and outer in self.packages:
            return True
        if name != "main.rs":
            return False
        if kind in ("tests", "benches", "examples") and outer in self.packages:
            return True
        return kind == "bin" and outer.endswith("src") and outer.removesuffix("src").rstrip("/") in self.packages

    def unit(self, path: str) -> str:
        """Return the namespace that a file's top-level names belong to: the file itself."""
        return path

    def resolve(self, path: str, module: str, member: str | None) -> tuple[str, str] | None:
        """Return (file, names left over inside it) for a module and a member of it, or None outside the repository.

        A member that is a module stays a name of the module around: a function can have the same name there
        (`mod sleep; pub use sleep::sleep;`), and `mod sleep;` says that it is the module too.
        """
        whole = member is None or member == "*"
        key = (path, module if whole else f"{module}::{member}", whole)
        if key not in self.cache:
            parts = [part.removeprefix("r#") for part in key[1].split("::")]
            self.cache[key] = self._resolve(path, parts, whole)
        return self.cache[key]

    def _resolve(self, path: str, parts: list[str], whole: bool) -> tuple[str, str] | None:
        place: tuple[str, list[str]] | None = (path, [])
        root, certain = "", True
        for position, part in enumerate(parts):
            if part == "super":
                place = self._parent(*place) if place else None
            elif part in ("crate", "$crate"):
                root, certain = self._root(path)
                place = (root, []) if root else None
            elif part == "self":
                pass
            elif position == 0 and "super" not in parts and (crate := self._crate(path, part)) is not None:
                if not crate:
                    return None
                place = (crate, [])
            elif place is not None:
                name_only = not whole and position and position == len(parts) - 1 and (certain or place[0] != root)
                place = (place[0], [*place[1], part]) if name_only else self._child(*place, part)
            if place is None:
                return None
        if place is None or (not certain and place[0] == root):
            return None
        return place[0], "::".join(place[1])

    def _crate(self, path: str, name: str) -> str | None:
        """Return the root file of the crate that a path begins with, '' for one outside, None where it is no crate."""
        if self._module_file(self._folder(path), name):
            return None
        if name in BUILT_IN:
            return ""
        if name in self.crates:
            return self.crates[name]
        # Types begin with a capital; anything else that this module does not have is a crate.
        return None if name[:1].isupper() else ""

    def _child(self, file: str, inside: list[str], name: str) -> tuple[str, list[str]]:
        """Return the place of a name in a module: a file where there is one, else a name inside of the same file."""
        found = self._module_file("/".join([self._folder(file), *inside]).lstrip("/"), name)
        return (found, []) if found and found != file else (file, [*inside, name])

    def _parent(self, file: str, inside: list[str]) -> tuple[str, list[str]] | None:
        if inside:
            return file, inside[:-1]
        if file in self.roots:
            return None
        folder = file.rpartition("/")[0]
        if file.endswith("/mod.rs"):
            folder = folder.rpartition("/")[0]
        beside = self._beside(folder)
        above: list[str] = []
        while (owner := self._owner(folder)) is None or owner == file:
            # Files below tests/ and src/bin/ belong to the root beside them, if it is the only one.
            if beside or not folder:
                return (beside[0], above) if len(beside) == 1 and beside[0] != file else None
            # A folder without a file of its own belongs to an inline module.
            folder, _, name = folder.rpartition("/")
            above.insert(0, name)
        return owner, above

    def _owner(self, folder: str) -> str | None:
        """Return the file whose modules stand in a folder."""
        prefix = f"{folder}/" if folder else ""
        for candidate in (prefix + "mod.rs", folder + ".rs", prefix + "lib.rs", prefix + "main.rs"):
            if candidate in self.paths and (not candidate.endswith(("lib.rs", "main.rs")) or candidate in self.roots):
                return candidate
        return None

    def _beside(self, folder: str) -> list[str]:
        return sorted(root for root in self.roots if root.rpartition("/")[0] == folder)

    def _root(self, path: str) -> tuple[str, bool]:
        """Return the root file of a file's crate ('' where there is none), and whether that is certain.

        Several roots in one folder share the modules in it: then any of them leads to these.
        """
        seen: set[str] = set()
        while path not in self.roots and path not in seen:
            seen.add(path)
            parent = self._parent(path, [])
            if parent is None:
                folder = path.rpartition("/")[0]
                if path.endswith("/mod.rs"):
                    folder = folder.rpartition("/")[0]
                return next(iter(self._beside(folder)), ""), False
            path = parent[0]
        return path, True

    def _folder(self, file: str) -> str:
        """Return the folder in which a file's modules stand."""
        folder, _, name = file.rpartition("/")
        if file in self.roots or name == "mod.rs":
            return folder
        return file.removesuffix(".rs")

    def _module_file(self, folder: str, name: str) -> str | None:
        stem = f"{folder}/{name}" if folder else name
        return next((file for file in (f"{stem}.rs", f"{stem}/mod.rs") if file in self.paths), None)
