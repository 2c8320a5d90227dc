"""Stage text: tells which of the strings that parsing found are agent-facing; the algorithm is text.sql."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from pathlib import Path

from scaup.pipeline import git, languages
from scaup.pipeline.languages.rows import TABLES
from scaup.pipeline.stages.discover import open_file
from scaup.pipeline.stages.graph import sql
from scaup.pipeline.store import Writer
from scaup.pipeline.text import documents

COLUMNS = (
    "text_id, path, start_line, start_column, end_line, end_column, segments, surface, tool, parameter, text, "
    "placeholders, symbol_id, context, branch, evidence, evidence_detail"
)


def run(writer: Writer, root: Path, configured: Iterable[tuple[str, str, str]] = ()) -> None:
    """Make the rows of agent_text anew. `configured` has (path, surface, file that says so)."""
    con = writer.con
    con.execute("DELETE FROM internal.configured_surfaces")
    writer.append_rows("internal.configured_surfaces", ("path", "surface", "origin"), list(configured))
    embedded(writer, root)
    con.execute("CREATE OR REPLACE TEMP TABLE text_scope AS SELECT DISTINCT path FROM internal.strings")
    con.execute(sql("text"))
    con.execute("DELETE FROM agent_text")
    con.execute(
        f"INSERT INTO agent_text ({COLUMNS}) SELECT {COLUMNS} FROM agent_text_rows "
        "ORDER BY path, start_line, start_column, end_line, end_column, text_id"
    )


def embedded(writer: Writer, root: Path) -> None:
    """Read the documents that code takes in as text under a name that tells their surface.

    Only the code that embeds a document knows what it is, so these are read when all code is. They are few.
    """
    con = writer.con
    con.execute("DELETE FROM internal.strings WHERE starts_with(detail, 'embedded as ')")
    known = dict(con.execute("SELECT path, language FROM files WHERE excluded_reason IS NULL").fetchall())
    taken = {path for (path,) in con.execute("SELECT DISTINCT path FROM internal.strings").fetchall()}
    loaded = languages.load()
    rows: list[tuple[object, ...]] = []
    for path, target, name, surface in con.execute(
        "SELECT path, target, name, surface FROM internal.embeds WHERE surface IS NOT NULL ORDER BY ALL"
    ).fetchall():
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        language = known.get(place)
        if place not in known or place in taken or language is None or not loaded[language].table.get("documents"):
            continue
        taken.add(place)
        try:
            with open(open_file(root, git.decode_path(place)), "rb") as file:  # noqa: PTH123  # a descriptor
                content = file.read()
        except OSError:
            continue  # it was read a moment ago: the next ingest notices the change
        found = documents.extract(language, place, content, surface)
        for row in found.strings:
            row.detail = f"embedded as {name}"
        rows.extend(row.values(place) for row in found.strings)
    writer.append_rows("internal.strings", list(TABLES["internal.strings"]), rows)
