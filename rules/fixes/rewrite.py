"""Edits put into the bytes of a file: by exact places, in Python through its concrete syntax tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import libcst

BOM = b"\xef\xbb\xbf"


class Edit(NamedTuple):
    """Bytes `start` to `end` of a file become `text`."""

    start: int
    end: int
    text: str


class RewriteError(Exception):
    """A file does not parse, or an edit is not where a string is."""


def spliced(content: bytes, edits: Sequence[Edit]) -> bytes:
    """Return a content with edits, which do not overlap, put in."""
    for edit in sorted(edits, reverse=True):
        content = content[: edit.start] + edit.text.encode() + content[edit.end :]
    return content


def rewritten(language: str, content: bytes, edits: Sequence[Edit]) -> bytes:
    """Return a file with edits put in. Raises `RewriteError`."""
    exact = spliced(content, edits)
    if language == "python" and _python(content, edits) != exact:
        raise RewriteError
    return exact


def _python(content: bytes, edits: Sequence[Edit]) -> bytes:
    """Return Python with edits of its strings put in by nodes; all else of the tree stays as it is written."""
    import libcst as cst
    from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

    # Places in the tree do not count a byte order mark.
    shift = len(BOM) if content.startswith(BOM) else 0
    left = [Edit(edit.start - shift, edit.end - shift, edit.text) for edit in edits]
    body = content[shift:]

    class Strings(cst.CSTTransformer):
        """Gives strings the text of edits that are within them; of nested ones the innermost has it."""

        METADATA_DEPENDENCIES = (ByteSpanPositionProvider,)

        def _edited(self, node: cst.CSTNode) -> str | None:
            span = self.get_metadata(ByteSpanPositionProvider, node)
            start, end = span.start, span.start + span.length
            mine = [edit for edit in left if start < edit.start and edit.end < end]
            if not mine:
                return None
            for edit in mine:
                left.remove(edit)
            moved = [Edit(edit.start - start, edit.end - start, edit.text) for edit in mine]
            return spliced(body[start:end], moved).decode()

        def leave_SimpleString(  # noqa: N802  # the name that libcst calls
            self, original_node: cst.SimpleString, updated_node: cst.SimpleString
        ) -> cst.SimpleString:
            value = self._edited(original_node)
            return updated_node if value is None else updated_node.with_changes(value=value)

        def leave_FormattedString(  # noqa: N802  # as above
            self, original_node: cst.FormattedString, updated_node: cst.FormattedString
        ) -> cst.BaseExpression:
            value = self._edited(original_node)
            if value is None:
                return updated_node
            if not original_node.deep_equals(updated_node):
                raise RewriteError  # edits within the values of a string and in it itself
            made = cst.parse_expression(value)
            return made.with_changes(lpar=updated_node.lpar, rpar=updated_node.rpar)

    try:
        wrapper = MetadataWrapper(cst.parse_module(content), unsafe_skip_copy=True)
        module: libcst.Module = wrapper.visit(Strings())
    except (cst.ParserSyntaxError, cst.CSTValidationError, RecursionError, UnicodeError) as error:
        raise RewriteError from error
    if left:
        raise RewriteError
    return module.bytes
