"""Strings of documents: data (JSON, YAML, TOML) by keys and tool schemas, prose (Markdown) block by block."""

from __future__ import annotations

from scaup.pipeline.text.found import Found


def extract(language: str, path: str, source: bytes, surface: str | None) -> Found:
    """Return the agent-facing strings of a document; `surface` is what its name or configuration says that it is."""
    if language == "markdown":
        if surface is None:
            return Found()
        from scaup.pipeline.text.documents import markdown

        return markdown.extract(source, surface)
    from scaup.pipeline.text.documents import data

    return data.extract(language, path, source, surface)
