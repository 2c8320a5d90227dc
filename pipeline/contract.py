"""The SQL contract as the database itself tells it: public tables and views, their columns, and a comment on each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

_RELATIONS = """
SELECT kind, name, comment
FROM (
    SELECT 'table' AS kind, table_name AS name, comment FROM duckdb_tables()
    WHERE database_name = current_database() AND schema_name = 'main'
    UNION ALL
    SELECT 'view', view_name, comment FROM duckdb_views()
    WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal
)
ORDER BY kind, name
"""
_COLUMNS = """
SELECT table_name, column_name, data_type, is_nullable, comment
FROM duckdb_columns()
WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal
ORDER BY table_name, column_index
"""


def tables(con: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Return the public tables, then the views, by name."""
    columns: dict[str, list[dict[str, Any]]] = {}
    for table, name, kind, nullable, comment in con.execute(_COLUMNS).fetchall():
        row = {"name": name, "type": kind, "nullable": nullable, "comment": comment}
        columns.setdefault(table, []).append(row)
    return [
        {"name": name, "kind": kind, "comment": comment, "columns": columns.get(name, [])}
        for kind, name, comment in con.execute(_RELATIONS).fetchall()
    ]
