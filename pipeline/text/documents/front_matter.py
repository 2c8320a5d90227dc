"""The front matter of skills, agents, commands and rules: what it says about when they apply is read by an agent."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.documents import yaml_tree
from scaup.pipeline.text.documents.tree import Holder, Scalar
from scaup.pipeline.text.found import Piece
from scaup.pipeline.text.registry import plain, registry

# Beside descriptions: when a skill is to be used, in a member of its own.
_USE = frozenset({"whentouse"})


def descriptions(source: bytes) -> Iterator[tuple[tuple[int, int], list[Piece]]]:
    """Yield the place and the pieces of each description in a front matter, which the source starts with."""
    document = yaml_tree.document(source)
    for root in document.roots:
        if isinstance(root, Holder):
            for name, value in root.members:
                if isinstance(value, Scalar) and plain(name) in registry().description_keys | _USE:
                    yield (value.start, value.end), document.pieces(value)
