"""Versions of installed packages."""

from __future__ import annotations


def version(package: str) -> str:
    """Return the version of an installed package. What reads metadata is loaded at the first call: it takes a while."""
    from importlib import metadata

    return metadata.version(package)
