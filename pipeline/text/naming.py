"""Languages of files by their names, those among them that only agents read."""

from __future__ import annotations

from scaup.pipeline import languages

# Templates of Markdown files: what code embeds as a text is read as Markdown, wherever it is.
_TEMPLATES = tuple(f".md{suffix}" for suffix in (".tpl", ".tmpl", ".j2", ".jinja", ".jinja2", ".hbs", ".mustache"))


def identify(path: str) -> str | None:
    """Return the language of a file by its suffix or name, `markdown` where its name says that an agent reads it."""
    if (known := languages.identify(path)) is not None:
        return known
    from scaup.pipeline.text import file_surfaces

    return "markdown" if path.lower().endswith(_TEMPLATES) or file_surfaces.is_document(path) else None
