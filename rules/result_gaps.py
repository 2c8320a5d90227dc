"""Which formatters drop the gap that a result reports: who calls whom, what is written, and what is mentioned where.

The SQL files find producers of results with gaps, formatters that render them, and who could have looked. Whether one
has looked is told here, from the members that it reads and the words of its body: any mention counts as a look.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from scaup.pipeline.languages.tokens import terms_of
from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import DroppedGap
from scaup.rules.mentions import SHORTEST, Body, Said, plain, stem_of

if TYPE_CHECKING:
    import duckdb

# Strings of one function that stand this far apart say nothing of each other: registrations of many tools share one.
_TOGETHER = 60


@cache
def table() -> dict[str, Any]:
    """Return gap_fields.toml."""
    return tomllib.loads(files("scaup.rules").joinpath("gap_fields.toml").read_text("utf-8"))


def sql(name: str) -> str:
    """Return one of the queries of this package."""
    return files("scaup.rules").joinpath(f"{name}.sql").read_text("utf-8")


def find_producers(con: duckdb.DuckDBPyConnection) -> bool:
    """Make the temporary tables of gap_producers.sql; return whether anything gives back a gap.

    Where no member has the name of a gap they are not made: their queries are long, and cost more than to look.
    """
    kinds = table()["kinds"]
    rows = [
        (plain(name), terms_of(name)[-1], kind, about["nothing"], about["gap"])
        for kind, about in kinds.items()
        for name in about["names"]
    ]
    con.execute(
        "CREATE OR REPLACE TEMP TABLE gap_names AS "
        "SELECT unnest($1::VARCHAR[]) AS name, unnest($2::VARCHAR[]) AS stem, "
        "unnest($3::VARCHAR[]) AS kind, unnest($4::VARCHAR[][]) AS nothing, unnest($5::VARCHAR[][]) AS gap",
        [list(column) for column in zip(*rows, strict=True)],
    )
    if not _exists(con, "field_uses JOIN gap_names ON name = lower(replace(field, '_', '')) WHERE use = 'produced'"):
        return False
    status = sorted({plain(name) for name in table()["status"]["names"]})
    con.execute("CREATE OR REPLACE TEMP TABLE status_names AS SELECT unnest($1::VARCHAR[]) AS name", [status])
    con.execute(
        "CREATE OR REPLACE TEMP TABLE sink_words AS SELECT unnest($1::VARCHAR[]) AS word", [table()["linking"]["sinks"]]
    )
    con.execute(sql("gap_producers"))
    return _exists(con, "gap_members")


def _exists(con: duckdb.DuckDBPyConnection, source: str) -> bool:
    return con.execute(f"SELECT 1 FROM {source} LIMIT 1").fetchone() is not None


class Gap(NamedTuple):
    """A member of a result that says that something is missing."""

    field: str
    name: str
    kind: str
    line: int
    certain: bool
    status: str | None


class Link(NamedTuple):
    """How a formatter comes to a result, and who stands near enough to have looked at it."""

    formatter: int
    producer: int
    via: int | None
    linked: str
    exact: bool
    lines: tuple[int, ...]
    readers: frozenset[int]


class ResultGaps:
    """Formatters of results that can have a gap, over an open store in which `find_producers` found some."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self.con = con
        con.execute("CREATE OR REPLACE TEMP TABLE gap_window AS SELECT $1 AS lines", [table()["linking"]["window"]])
        con.execute(sql("gap_links"))
        self.gaps, self.others = self._gaps()
        self.bodies: dict[int, Body] = defaultdict(Body)
        self.modules: dict[str, int] = {}
        self.links: dict[int, list[Link]] = defaultdict(list)
        for link in self._links():
            self.links[link.formatter].append(link)
        if self.links:
            self._read_bodies()

    def of(self, text: AgentText) -> DroppedGap | None:
        """Return the gap behind a text: the first that nobody looks at, else one with who does; None without any."""
        symbol = text.symbol_id if text.symbol_id is not None else self.modules.get(text.path)
        seen: DroppedGap | None = None
        for link in self.links.get(symbol, ()) if symbol is not None else ():
            if not self._speaks_of(link, text) or not self._renders(link):
                continue
            for gap in self.gaps[link.producer]:
                producer, formatter = self.bodies[link.producer], self.bodies[link.formatter]
                found = DroppedGap(
                    gap.field, producer.qualname, producer.path, gap.line, formatter.qualname, link.linked,
                    gap.certain and link.exact and link.linked != "through", self._looked(link, gap, text),
                )  # fmt: skip
                if found.looked is None:
                    return found
                seen = seen or found
        return seen

    # ------------------------------------------------------------------------------------------------ the verdicts

    @staticmethod
    def _speaks_of(link: Link, text: AgentText) -> bool:
        """Whether a text stands where the result of a call is at hand."""
        linking, line = table()["linking"], text.span.start_line
        before, behind = linking["text_before"], linking["text_behind"]
        return not link.lines or any(-before <= line - at <= behind for at in link.lines)

    def _renders(self, link: Link) -> bool:
        """Whether a formatter reads this very result: it names a member that says no gap."""
        formatter, common = self.bodies[link.formatter], _common()
        gaps = {gap.name for gap in self.gaps[link.producer]}
        for member in self.others[link.producer]:
            name = plain(member)
            if name in gaps:
                continue
            if (formatter.reads[name] or formatter.members[name]) and (link.linked == "calls" or name not in common):
                return True
            if name not in common and formatter.mentions(member, exactly=True):
                return True
        return False

    def _looked(self, link: Link, gap: Gap, text: AgentText) -> str | None:
        """Return how a gap is looked at; None where nobody does."""
        kind = table()["kinds"][gap.kind]
        as_good = [other.field for other in self.gaps[link.producer] if other.kind in kind["read_with"]]
        as_good += [gap.status] if gap.status and kind["status"] else []
        written = {plain(member) for member in as_good}
        for reader in link.readers:
            body = self.bodies[reader]
            for member in as_good:
                if body.reads[plain(member)] or body.members[plain(member)]:
                    return "reads-gap"
                # What else they call may speak of something of its own: only the very name counts there.
                is_near = reader in (link.formatter, link.via)
                if (is_near or not body.writes & written) and body.mentions(member, exactly=not is_near):
                    return "reads-gap"
        formatter = self.bodies[link.formatter]
        if self._given_out(formatter, text):
            return "gives-result-out"
        near = [
            one.text for one in formatter.strings
            if one.is_result and not one.is_error and abs(one.line - text.span.start_line) <= _TOGETHER
        ]  # fmt: skip
        said = _said(gap.kind)
        return "names-gap" if any(said.search(one) for one in (text.text, *near)) else None

    @staticmethod
    def _given_out(formatter: Body, text: AgentText) -> bool:
        given = table()["given_out"]
        objects = {name.lower() for name in given["objects"]}
        near = (one for one in formatter.strings if abs(one.line - text.span.start_line) <= _TOGETHER)
        return bool(
            formatter.calls.intersection(given["serialisers"])
            or formatter.writes.intersection(plain(name) for name in given["members"])
            or any(name.lower().lstrip("&*") in objects for one in near for name in one.placeholders)
        )

    # --------------------------------------------------------------------------------------------------- the facts

    def _gaps(self) -> tuple[dict[int, list[Gap]], dict[int, list[str]]]:
        gaps: dict[int, list[Gap]] = defaultdict(list)
        for symbol, *rest in self.con.execute(
            "SELECT symbol_id, field, name, kind, line, certain, status FROM gap_members "
            "ORDER BY symbol_id, NOT certain, line, field"
        ).fetchall():
            gaps[symbol].append(Gap(*rest))
        others: dict[int, list[str]] = defaultdict(list)
        for symbol, member in self.con.execute(
            "SELECT DISTINCT symbol_id, field FROM result_members "
            "WHERE symbol_id IN (SELECT symbol_id FROM gap_members) ORDER BY ALL"
        ).fetchall():
            others[symbol].append(member)
        return gaps, others

    def _links(self) -> list[Link]:
        readers: dict[int, set[int]] = defaultdict(set)
        for link, reader in self.con.execute("SELECT link, reader FROM gap_readers").fetchall():
            readers[link].add(reader)
        rows = self.con.execute(
            "SELECT link, formatter, producer, via, linked, exact, lines FROM gap_links ORDER BY exact DESC, link"
        ).fetchall()
        return [
            Link(formatter, producer, via, linked, exact, tuple(lines), frozenset(readers[link]))
            for link, formatter, producer, via, linked, exact, lines in rows
        ]

    def _read_bodies(self) -> None:
        con, bodies = self.con, self.bodies
        members = sorted({m for listed in self.others.values() for m in listed})
        con.execute(
            "CREATE OR REPLACE TEMP TABLE member_stems AS SELECT DISTINCT unnest($1::VARCHAR[]) AS stem",
            [sorted({stem for member in members if len(stem := stem_of(member)) >= SHORTEST})],
        )
        con.execute(
            "CREATE OR REPLACE TEMP TABLE gap_bodies AS SELECT reader AS symbol_id FROM gap_readers "
            "UNION SELECT producer FROM gap_links"
        )
        for symbol, name, qualname, path, line, language, kind in con.execute(
            "SELECT symbol_id, name, qualname, path, start_line, language, kind "
            "FROM symbols JOIN gap_bodies USING (symbol_id)"
        ).fetchall():
            body = bodies[symbol]
            body.name, body.qualname, body.path, body.line, body.language = name, qualname, path, line, language
            if kind == "module":
                self.modules[path] = symbol
        for symbol, member, use in con.execute(
            "SELECT symbol_id, field, use FROM field_uses JOIN gap_bodies USING (symbol_id)"
        ).fetchall():
            if use == "read":
                bodies[symbol].reads[plain(member)] += 1
            else:
                bodies[symbol].writes.add(plain(member))
        for symbol, callee in con.execute(
            "SELECT DISTINCT caller, callee FROM calls JOIN gap_bodies ON symbol_id = caller"
        ).fetchall():
            bodies[symbol].calls.add(callee)
        for symbol, term, *counts in con.execute(sql("gap_mentions")).fetchall():
            bodies[symbol].terms[term] = (counts[0], counts[1], counts[2])
        self._read_strings()

    def _read_strings(self) -> None:
        for symbol, path, line, text, placeholders, branch, is_result in self.con.execute(
            "SELECT symbol_id, path, start_line, text, coalesce(from_json(placeholders, '[\"VARCHAR\"]'), []), branch, "
            "context NOT IN ('log', 'raise') "
            "AND coalesce(surface, '') NOT IN ('tool_description', 'parameter_description') "
            "FROM internal.strings WHERE context <> 'docstring' ORDER BY ALL"
        ).fetchall():
            owner = symbol if symbol is not None else self.modules.get(path)
            if owner in self.bodies:
                self.bodies[owner].strings.append(Said(line, text, tuple(placeholders), branch == "error", is_result))


@cache
def _said(kind: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w){re.escape(word)}" for word in table()["kinds"][kind]["said"]), re.IGNORECASE)


@cache
def _common() -> frozenset[str]:
    return frozenset(plain(name) for name in table()["linking"]["common"])
