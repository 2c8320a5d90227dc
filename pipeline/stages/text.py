"""Stage text: tells which of the strings that parsing found are agent-facing; the algorithm is text.sql."""

from __future__ import annotations

from collections.abc import Iterable

from scaup.pipeline.stages.graph import sql
from scaup.pipeline.store import Writer

COLUMNS = (
    "text_id, path, start_line, start_column, end_line, end_column, segments, surface, tool, parameter, text, "
    "placeholders, symbol_id, context, branch, evidence, evidence_detail"
)


def run(writer: Writer, configured: Iterable[tuple[str, str, str]] = ()) -> None:
    """Make the rows of agent_text anew. `configured` has (path, surface, file that says so)."""
    con = writer.con
    con.execute("DELETE FROM internal.configured_surfaces")
    writer.append_rows("internal.configured_surfaces", ("path", "surface", "origin"), list(configured))
    con.execute("CREATE OR REPLACE TEMP TABLE text_scope AS SELECT DISTINCT path FROM internal.strings")
    con.execute(sql("text"))
    con.execute("DELETE FROM agent_text")
    con.execute(
        f"INSERT INTO agent_text ({COLUMNS}) SELECT {COLUMNS} FROM agent_text_rows "
        "ORDER BY path, start_line, start_column, end_line, end_column, text_id"
    )
