"""What build files say about the names under which code is imported, as rows of `internal.build_facts`.

A row is (path of the build file, kind, key, value). Paths in values are relative to the root of the repository, with
`/` and without `./`; the root itself is the empty string. A value can name what does not exist (the output of a build).

| kind | key | value |
| --- | --- | --- |
| go_module | empty | module path; its folder is that of the go.mod |
| cargo_package | name of the library crate, `-` as `_` | its root file, such as `crates/a/src/lib.rs` |
| cargo_bin | name of the binary, `-` as `_` | its root file, such as `src/main.rs` |
| npm_package | name of the package | its folder |
| npm_entry | what is imported: the name, or name/subpath, where `*` stands for a part | a file that it can mean |
| npm_workspace | empty | pattern of the folders of the workspace's packages |
| ts_path | a pattern of compilerOptions.paths, such as `@/*` | a target, such as `src/*`; for the folder of the path |
| ts_base_url | empty | folder from which bare names of modules are found; for the folder of the path |
| python_root | empty, or the package that the folder stands for | folder in which top-level packages are found |
"""

from __future__ import annotations

import configparser
import json
import os
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scaup.pipeline import git
from scaup.pipeline.stages.discover import open_file

Row = tuple[str, str, str, str]

_MAX_BYTES = 4 * 1024 * 1024  # a build file that a person wrote is never larger
_TSCONFIG = re.compile(r"(ts|js)config(\.[^/]*)?\.json")
_MODULE = re.compile(r'^\s*module\s+("[^"\n]+"|`[^`\n]+`|[^\s"`(/]\S*)', re.MULTILINE)
# A string or a comment: what stands in a string is no comment. Where an end is missing, it takes all that is left.
_JSON_PART = re.compile(r'"(?:[^"\\]|\\.)*+"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_JSON_COMMA = re.compile(r'"(?:[^"\\]|\\.)*+"?|,(?=\s*+[}\]])', re.DOTALL)


@dataclass
class BuildFacts:
    """Rows in a total order, and what could not be read, by name."""

    rows: list[Row] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class _InvalidError(Exception):
    """A build file that cannot be read, and why."""


@dataclass(frozen=True)
class _Source:
    """A build file that is being read, and the files of the repository around it."""

    root: Path
    path: str
    paths: frozenset[str]
    folders: frozenset[str]  # folders that hold Python files, directly
    binaries: frozenset[str]  # files in a folder in which cargo looks for binaries

    def text(self, path: str | None = None) -> str:
        try:
            with os.fdopen(open_file(self.root, git.decode_path(path or self.path)), "rb") as file:
                content = file.read(_MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            raise _InvalidError(getattr(error, "strerror", None) or "unreadable") from error
        if len(content) > _MAX_BYTES:
            raise _InvalidError(f"larger than {_MAX_BYTES // 1024 // 1024} MiB")
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise _InvalidError("not UTF-8") from error

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.path)

    def place(self, *parts: str) -> str | None:
        """Return a path relative to the build file's folder as one relative to the root; None outside of it."""
        return _inside(self.folder, *parts)


def is_build_file(path: str) -> bool:
    """Return whether a file of that name says something about names."""
    name = posixpath.basename(path)
    return name in _READERS or _TSCONFIG.fullmatch(name) is not None


def read(root: Path, paths: Iterable[str]) -> BuildFacts:
    """Read the build files among `paths`, which are the files of the repository that may be read."""
    known = frozenset(paths)
    folders = frozenset(posixpath.dirname(path) for path in known if path.endswith(".py"))
    binaries = frozenset(path for path in known if "src/bin/" in path)
    facts = BuildFacts()
    rows: set[Row] = set()
    for path in sorted(filter(is_build_file, known)):
        reader = _READERS.get(posixpath.basename(path), _tsconfig)
        try:
            found = list(reader(_Source(root, path, known, folders, binaries)))
        except _InvalidError as error:
            facts.warnings.append(f"{path} was passed over: {error}")
        except RecursionError:
            facts.warnings.append(f"{path} was passed over: nested too deeply")
        else:
            rows.update((path, kind, _storable(key), _storable(value)) for kind, key, value in found)
    facts.rows = sorted(rows)
    return facts


_Facts = Iterator[tuple[str, str, str]]

# ------------------------------------------------------------------------------------------------------ go and rust


def _go_mod(source: _Source) -> _Facts:
    text = source.text()
    match = _MODULE.search(text)
    if match is None:
        if not text.strip():
            return  # an empty go.mod keeps a folder out of the module around it
        raise _InvalidError("no module line")
    yield "go_module", "", match[1].strip('"`')


def _cargo(source: _Source) -> _Facts:
    manifest = _toml(source)
    package = _table(manifest, "package")
    name = package.get("name")
    if not isinstance(name, str):
        return  # a workspace without a package
    lib = _table(manifest, "lib")
    crate = lib.get("name") if isinstance(lib.get("name"), str) else name
    place = source.place(_string(lib, "path") or "src/lib.rs")
    if place is not None and (lib or place in source.paths):
        yield "cargo_package", str(crate).replace("-", "_"), place
    binaries = manifest.get("bin")
    for binary in binaries if isinstance(binaries, list) else []:
        key, path = _string(binary, "name"), _string(binary, "path")
        if key:
            candidates = [path] if path else [f"src/bin/{key}.rs", f"src/bin/{key}/main.rs", "src/main.rs"]
            places = [place for place in map(source.place, candidates) if place in source.paths]
            if places and places[0]:
                yield "cargo_bin", key.replace("-", "_"), places[0]
    main = source.place("src/main.rs")
    if main in source.paths and main:
        yield "cargo_bin", name.replace("-", "_"), main
    prefix = posixpath.join(source.folder, "src/bin/")
    for path in source.binaries:
        if path.startswith(prefix):
            key, _, rest = path.removeprefix(prefix).removesuffix(".rs").partition("/")
            if (not rest and path.endswith(".rs")) or rest == "main":
                yield "cargo_bin", key.replace("-", "_"), path


# ------------------------------------------------------------------------------------------------------- javascript


def _package_json(source: _Source) -> _Facts:
    manifest = _json(source.text())
    workspaces = manifest.get("workspaces")
    if isinstance(workspaces, dict):
        workspaces = workspaces.get("packages")
    for pattern in _strings(workspaces):
        place = source.place(pattern)
        if place:
            yield "npm_workspace", "", place
    name = _string(manifest, "name")
    if not name:
        return
    yield "npm_package", name, source.folder
    for key in ("main", "module", "types", "typings", "source", "browser"):
        yield from _entry(source, name, manifest.get(key))
    exports = manifest.get("exports")
    if isinstance(exports, dict) and any(key.startswith(".") for key in exports):
        for subpath, target in exports.items():
            for value in _targets(target):
                yield from _entry(source, posixpath.normpath(posixpath.join(name, subpath)), value)
    else:
        for value in _targets(exports):
            yield from _entry(source, name, value)


def _entry(source: _Source, key: str, value: object) -> _Facts:
    place = source.place(value) if isinstance(value, str) else None
    if place:
        yield "npm_entry", key, place


def _targets(target: object) -> Iterator[str]:
    """Yield the files of an export, whatever the conditions under which it means them."""
    if isinstance(target, str):
        yield target
    elif isinstance(target, list):
        for value in target:
            yield from _targets(value)
    elif isinstance(target, dict):
        for value in target.values():
            yield from _targets(value)


def _tsconfig(source: _Source) -> _Facts:
    base_url, base, paths = _compiler_options(source, source.path, frozenset())
    if base_url is not None:
        yield "ts_base_url", "", base_url
    for pattern, targets in paths.items():
        for target in _strings(targets):
            place = _inside(base, target)
            if place is not None:
                yield "ts_path", pattern, place


def _compiler_options(source: _Source, path: str, above: frozenset[str]) -> tuple[str | None, str, Mapping[str, Any]]:
    """Return baseUrl, the folder from which targets of `paths` count, and `paths`, with what `extends` brings in.

    Only files of the repository are followed. Of what is set twice, the extending file's counts, and of two that are
    extended the later one's.
    """
    config = _json(source.text(path))
    base_url: str | None = None
    base, paths = posixpath.dirname(path), dict[str, Any]()
    for name in _strings(config.get("extends")):
        place = _extended(source, path, name)
        if place is not None and place not in above | {path}:
            inherited, folder, targets = _compiler_options(source, place, above | {path})
            base_url = base_url if inherited is None else inherited
            if targets:
                base, paths = folder, dict(targets)
    options = _table(config, "compilerOptions")
    own = _string(options, "baseUrl")
    if own is not None:
        base_url = _inside(posixpath.dirname(path), own)
    if isinstance(options.get("paths"), dict):
        base, paths = posixpath.dirname(path), options["paths"]
    return base_url, base if base_url is None else base_url, paths


def _extended(source: _Source, path: str, name: str) -> str | None:
    """Return the file that `extends` names; None for one of a package."""
    if not name.startswith("."):
        return None
    place = _inside(posixpath.dirname(path), name)
    candidates = [place, f"{place}.json", f"{place}/tsconfig.json"] if place is not None else []
    return next((candidate for candidate in candidates if candidate in source.paths), None)


# ----------------------------------------------------------------------------------------------------------- python

# Keys of pyproject.toml whose value is the folder of the packages.
_PYTHON_FOLDERS = (
    ("tool", "setuptools", "packages", "find", "where"),
    ("tool", "pdm", "build", "package-dir"),
    ("tool", "uv", "build-backend", "module-root"),
    ("tool", "maturin", "python-source"),
    ("tool", "hatch", "build", "sources"),
    ("tool", "hatch", "build", "targets", "wheel", "sources"),
    ("tool", "pytest", "ini_options", "pythonpath"),
)
# Keys whose value is a list of packages by their place: the folder above is where they are found.
_PYTHON_PACKAGES = (
    ("tool", "hatch", "build", "targets", "wheel", "packages"),
    ("tool", "hatch", "build", "packages"),
)


def _pyproject(source: _Source) -> _Facts:
    project = _toml(source)
    tool = _table(project, "tool")
    if not ({"project", "build-system"} & project.keys() or {"poetry", "setuptools", "flit"} & tool.keys()):
        return  # settings of a linter: no package
    yield from _layout(source)
    for keys in _PYTHON_FOLDERS:
        value = _dig(project, keys)
        if keys[-1] == "sources" and isinstance(value, dict):
            # hatch: a folder, and the package that it stands for
            yield from _roots(source, {str(prefix): folder for folder, prefix in value.items()})
        yield from (row for folder in _strings(value) for row in _roots(source, {"": folder}))
    for keys in _PYTHON_PACKAGES:
        for package in _strings(_dig(project, keys)):
            yield from _roots(source, {"": posixpath.dirname(package.rstrip("/"))})
    yield from _roots(source, _table(_table(tool, "setuptools"), "package-dir"))
    packages = _table(tool, "poetry").get("packages")
    for package in packages if isinstance(packages, list) else []:
        if isinstance(package, dict) and isinstance(package.get("from", ""), str):
            yield from _roots(source, {_string(package, "to") or "": package.get("from", "")})


def _setup_cfg(source: _Source) -> _Facts:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(source.text())
    except configparser.Error as error:
        raise _InvalidError(f"not valid: {str(error).splitlines()[0]}") from error
    if not (parser.has_section("metadata") or parser.has_section("options")):
        return
    yield from _layout(source)
    for line in parser.get("options", "package_dir", fallback="").replace(",", "\n").splitlines():
        package, equals, folder = line.partition("=")
        if equals:
            yield from _roots(source, {package.strip(): folder.strip()})
    where = parser.get("options.packages.find", "where", fallback="")
    for folder in where.replace(",", "\n").split():
        yield from _roots(source, {"": folder})


def _layout(source: _Source) -> _Facts:
    """Yield the places that build tools find by themselves: the project's folder, and `src` in it."""
    yield "python_root", "", source.folder
    place = source.place("src")
    if place is not None and any(folder == place or folder.startswith(place + "/") for folder in source.folders):
        yield "python_root", "", place


def _roots(source: _Source, folders: Mapping[str, Any]) -> _Facts:
    for package, folder in folders.items():
        place = source.place(folder) if isinstance(folder, str) else None
        if place is not None:
            yield "python_root", package, place


# ---------------------------------------------------------------------------------------------------------- reading

_READERS: dict[str, Callable[[_Source], _Facts]] = {
    "go.mod": _go_mod,
    "Cargo.toml": _cargo,
    "package.json": _package_json,
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "setup.py": _layout,
}


def _inside(folder: str, *parts: str) -> str | None:
    """Return a path relative to the root; None for one outside of it."""
    place = posixpath.normpath(posixpath.join(folder, *parts))
    if place == ".":
        return ""
    return None if place == ".." or place.startswith(("../", "/")) else place


def _storable(text: str) -> str:
    """Return a text without lone surrogates, which JSON can write and the store does not take."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _toml(source: _Source) -> dict[str, Any]:
    try:
        return tomllib.loads(source.text())
    except ValueError as error:
        raise _InvalidError(f"not valid TOML: {error}") from error


def _json(text: str) -> dict[str, Any]:
    """Return an object of JSON in which comments and trailing commas are allowed, as they are in tsconfig.json."""
    text = _JSON_PART.sub(lambda part: part[0] if part[0].startswith('"') else " ", text)
    text = _JSON_COMMA.sub(lambda part: part[0] if part[0].startswith('"') else "", text)
    try:
        value = json.loads(text, strict=False)
    except ValueError as error:
        raise _InvalidError(f"not valid JSON: {error}") from error
    if not isinstance(value, dict):
        raise _InvalidError("not a JSON object")
    return value


def _table(value: object, key: str) -> dict[str, Any]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _string(value: object, key: str) -> str | None:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else None


def _strings(value: object) -> list[str]:
    """Return the strings of a value that may be one or a list of them."""
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]


def _dig(value: object, keys: Iterable[str]) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
