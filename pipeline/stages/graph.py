"""Stage graph: prepares what graph_names.sql and graph.sql need of the languages, and runs them.

Which file a module name means is a matter of each language's build system, so between the two files the resolvers of
the languages (languages/*/names.py) answer; all else is SQL.
"""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from scaup.pipeline import languages
from scaup.pipeline.store import Writer


def run(writer: Writer) -> None:
    """Resolve all calls anew."""
    describe(writer)
    con = writer.con
    con.execute(sql("graph_names"))
    answer(writer)
    con.execute("DELETE FROM edges; DELETE FROM unresolved_calls")
    con.execute(sql("graph"))


def sql(stage: str) -> str:
    """Return the SQL of a stage."""
    return resources.files(__package__).joinpath(f"{stage}.sql").read_text("utf-8")


def describe(writer: Writer) -> None:
    """Write what resolution has to know of each language that the repository uses: units, names, known names."""
    con = writer.con
    loaded = languages.load()
    paths = con.execute(
        "SELECT path, language FROM files WHERE excluded_reason IS NULL AND language IS NOT NULL ORDER BY path"
    ).fetchall()
    resolvers = _resolvers(writer)
    units: list[tuple[Any, ...]] = []
    # Documents have no names that code could mean.
    paths = [(path, language) for path, language in paths if not loaded[language].table.get("documents")]
    for path, language in paths:
        about = loaded[language]
        qualified = bool(about.table.get("modules", {}).get("qualified_paths", False))
        units.append((path, resolvers[about.family].unit(path), language, about.family, about.separator, qualified))
    con.execute("DELETE FROM internal.units; DELETE FROM internal.language_facts; DELETE FROM internal.known_names")
    writer.append_rows("internal.units", ("path", "unit", "language", "family", "separator", "qualified_paths"), units)
    used = sorted({language for _, language in paths})
    facts = []
    for language in used:
        classes = loaded[language].table.get("classes", {})
        facts.append((language, classes.get("self", []), classes.get("super", []), classes.get("constructor", [])))
    for row in facts:
        con.execute("INSERT INTO internal.language_facts VALUES (?, ?, ?, ?)", list(row))
    rows = [(language, *row) for language in used for row in known_names(language)]
    writer.append_rows("internal.known_names", ("language", "pattern", "kind", "effect"), rows)


def known_names(language: str) -> list[tuple[str, str, str | None]]:
    """Return (pattern, kind, effect) for each known name of a language.

    A kind is builtin, method, pure_method or effect; only the last has an effect.
    """
    about = languages.load()[language]
    found: list[tuple[str, str, str | None]] = []
    for name in [*about.table.get("inherit", []), language]:
        file = languages.FOLDER / name / "known.toml"
        if not file.exists():
            continue
        table = tomllib.loads(file.read_text("utf-8"))
        found += [(n, "builtin", None) for n in table.get("builtins", {}).get("names", [])]
        found += [(n, "method", None) for n in table.get("methods", {}).get("names", [])]
        found += [(n, "pure_method", None) for n in table.get("methods", {}).get("pure", [])]
        found += [(n, "effect", kind) for kind, names in table.get("effects", {}).items() for n in names]
    return sorted(set(found), key=lambda row: (row[1], row[0], row[2] or ""))


def answer(writer: Writer) -> None:
    """Ask the resolvers for all module names that the first half wants."""
    con = writer.con
    con.execute(
        "CREATE OR REPLACE TEMP TABLE module_refs "
        "(path VARCHAR, module VARCHAR, member VARCHAR, unit VARCHAR, rest VARCHAR)"
    )
    resolvers = _resolvers(writer)
    rows = con.execute(
        "SELECT w.path, w.module, w.member, u.family FROM module_refs_wanted w JOIN internal.units u USING (path)"
    ).fetchall()
    found = []
    for path, module, member, family in rows:
        hit = resolvers[family].resolve(path, module, member)
        if hit is not None:
            found.append((path, module, member, *hit))
    writer.append_rows("module_refs", ("path", "module", "member", "unit", "rest"), found)


def _resolvers(writer: Writer) -> dict[str, Any]:
    con = writer.con
    build = con.execute("SELECT path, kind, key, value FROM internal.build_facts ORDER BY ALL").fetchall()
    rows = con.execute(
        "SELECT path, language FROM files WHERE excluded_reason IS NULL AND language IS NOT NULL"
    ).fetchall()
    by_family: dict[str, list[str]] = {}
    names: dict[str, languages.Language] = {}
    for path, language in sorted(rows):
        about = languages.load()[language]
        if about.table.get("documents"):
            continue
        by_family.setdefault(about.family, []).append(path)
        names[about.family] = about
    return {family: names[family].names().Resolver(paths, build) for family, paths in by_family.items()}
