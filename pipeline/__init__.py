"""Facts of a repository: from a working tree into DuckDB, and the readers of DuckDB."""
