"""Agent-facing strings of documents: JSON, YAML, TOML, Markdown and prompt templates, which are read as Markdown."""

from __future__ import annotations

from scaup.pipeline.text.documents import data, markdown
from scaup.pipeline.text.documents.places import valid
from scaup.pipeline.text.found import Found


def extract(language: str, path: str, source: bytes, surface: str | None) -> Found:
    """Return the strings of a document that an agent reads.

    `language` is json, yaml, toml or markdown; `surface` is what the file's name or a configured glob says, None where
    neither does: then Markdown yields nothing, and data only tool schemas and known keys of prompts.
    """
    if language == "markdown":
        return markdown.extract(path, valid(source), surface) if surface is not None else Found()
    return data.extract(language, path, valid(source), surface)
