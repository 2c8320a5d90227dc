"""The stages of an ingest, in run order. Each reads and writes the store, never another stage's Python state."""

ORDER = ("discover", "history", "parse", "graph", "metrics", "index", "text")
