"""The edits of a finding: each the smallest stretch of the file that makes its text what is proposed."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from scaup.pipeline import git
from scaup.pipeline.text.rows import AgentText
from scaup.rules.fixes import place
from scaup.rules.fixes.hunks import Hunk, PlaceholderError, hunks
from scaup.rules.fixes.literals import Literal, Source
from scaup.rules.fixes.proposals import Proposal
from scaup.rules.fixes.quoting import UnwritableError, is_plain_yaml, quoted_yaml, written
from scaup.rules.fixes.rewrite import Edit, spliced
from scaup.rules.model import Adjudication

# What could be a mark of a format string or template in new text, by host: whether it is one, only its use tells.
_MARKS = {
    "python": re.compile(r"[{}%]"),
    "rust": re.compile(r"[{}]"),
    "go": re.compile(r"%|\{\{|\}\}"),
}
_TEMPLATE = re.compile(r"[{}]|<%")


@dataclass(frozen=True)
class Fix:
    """What would make a finding go: edits, in order, or the reason why there are none."""

    rule: str
    path: str
    line: int
    safe: bool
    text: AgentText
    stretch: tuple[int, int]
    hunks: tuple[Hunk, ...] = ()
    edits: tuple[Edit, ...] = ()
    reason: str | None = None


class Planner:
    """Plans the fixes of an audit; each file is read and parsed once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        # By the fingerprint of the finding.
        self.fixes: dict[str, Fix] = {}
        self._sources: dict[str, Source | str] = {}

    def source(self, path: str) -> Source | str:
        """Return a file, or the reason why it cannot be edited."""
        if path not in self._sources:
            self._sources[path] = self._read(path)
        return self._sources[path]

    def _read(self, path: str) -> Source | str:
        try:
            return Source(path, place.read(self.root / os.fsdecode(git.decode_path(path))).content)
        except place.RefusedError as error:
            return error.reason
        except UnicodeDecodeError:
            return "not_utf8"

    def plan(
        self, fingerprint: str, text: AgentText, decided: Adjudication, proposal: Proposal, line: int
    ) -> list[dict[str, Any]]:
        """Plan the fix of a finding, and return its edits as answers have them; nothing where it proposes nothing."""
        if proposal.wording is None:
            return []
        fix = Fix(decided.rule, text.path, line, proposal.safe, text, (decided.start, decided.end))
        source = self.source(text.path)
        try:
            if isinstance(source, str):
                raise _UnfixableError(source)
            placed = _Text(text, source)
            changes = placed.hunks(decided.start, decided.end, proposal.wording)
            edits = placed.edits(changes)
        except _UnfixableError as error:
            self.fixes[fingerprint] = replace(fix, reason=error.reason)
            return []
        self.fixes[fingerprint] = replace(fix, hunks=tuple(changes), edits=tuple(edits))
        return [_shown(source, text.path, edit, proposal.safe) for edit in edits]


def _shown(source: Source, path: str, edit: Edit, safe: bool) -> dict[str, Any]:
    span = source.lines.span(edit.start, edit.end)
    return {"path": path, "span": dict(span._asdict()), "text": edit.text, "safe": safe}


class _UnfixableError(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Part(NamedTuple):
    """A segment with its bytes in the file: `verbatim` where these are its text, else an escape or a value."""

    at: int
    end: int
    start_byte: int
    end_byte: int
    verbatim: bool
    placeholder: bool


class _Text:
    """One text, and where it stands in its file."""

    def __init__(self, text: AgentText, source: Source) -> None:
        self.text, self.source = text, source
        self.parts = self._parts()

    def _parts(self) -> list[_Part]:
        segments = self.text.segments
        if not segments:
            raise _UnfixableError("place_unknown")
        names = {f"{{{name}}}" for name in self.text.placeholders}
        ends = [*(segment.at for segment in segments[1:]), len(self.text.text)]
        parts = []
        for segment, end in zip(segments, ends, strict=True):
            start_byte = self.source.byte(segment.start_line, segment.start_column)
            end_byte = self.source.byte(segment.end_line, segment.end_column)
            piece = self.text.text[segment.at : end]
            verbatim = self.source.content[start_byte:end_byte] == piece.encode()
            parts.append(_Part(segment.at, end, start_byte, end_byte, verbatim, piece in names))
        if sum(part.placeholder for part in parts) != len(self.text.placeholders):
            # Text that looks like a placeholder beside it, or a file that is no longer what was audited.
            raise _UnfixableError("placeholder_ambiguous")
        return parts

    def hunks(self, start: int, end: int, wording: str) -> list[Hunk]:
        """Return what changes in the text where a stretch of it becomes `wording`."""
        places = []
        for part in self.parts:
            if part.placeholder and part.at < end and part.end > start:
                if part.at < start or part.end > end:
                    raise _UnfixableError("placeholder_lost")
                places.append((part.at - start, part.end - start))
        try:
            found = hunks(self.text.text[start:end], wording, places)
        except PlaceholderError as error:
            raise _UnfixableError("placeholder_lost") from error
        if not found:
            raise _UnfixableError("nothing_to_change")
        return [Hunk(hunk.start + start, hunk.end + start, hunk.new) for hunk in found]

    def edits(self, changes: Sequence[Hunk]) -> list[Edit]:
        """Return the edits of the file that make these changes of the text."""
        placed = [(self._placed(hunk), hunk) for hunk in changes]
        edits = []
        plain: dict[Literal, list[Edit]] = {}
        for (start, end, literal), hunk in placed:
            self._check_marks(hunk.new, literal)
            try:
                new = written(hunk.new, literal)
            except UnwritableError as error:
                raise _UnfixableError("cannot_be_written") from error
            if "\n" in new and self.source.content.count(b"\r\n") * 2 > self.source.content.count(b"\n"):
                new = new.replace("\n", "\r\n")
            if literal.host == "yaml" and literal.opening == "plain":
                plain.setdefault(literal, []).append(Edit(start, end, new))
            else:
                edits.append(Edit(start, end, new))
        for literal, listed in plain.items():
            edits += self._plain(literal, listed)
        return sorted(edits)

    def _plain(self, literal: Literal, edits: Sequence[Edit]) -> list[Edit]:
        """Return edits of a plain scalar, which gets quotes where it cannot be plain any more."""
        whole = self.source.content[: literal.end]
        new = spliced(whole, edits)[literal.start :].decode()
        if is_plain_yaml(new, flow="flow" in literal.inner):
            return list(edits)
        return [Edit(literal.outer_start, literal.outer_end, quoted_yaml(new))]

    def _check_marks(self, new: str, literal: Literal) -> None:
        """Refuse text with what a format string or a template would read as a mark."""
        host = literal.host
        if host == "python" and "f" in literal.opening.rstrip("\"'").lower():
            return  # its braces are doubled, and percent signs are none of its marks
        marks = _MARKS.get(host, _TEMPLATE if host in ("json", "yaml", "toml", "markdown") else None)
        if marks is not None and marks.search(new):
            raise _UnfixableError("may_be_format_mark")

    def _placed(self, hunk: Hunk) -> tuple[int, int, Literal]:
        """Return the bytes of a hunk and what they stand in."""
        candidates = [self._stretch(hunk)] if hunk.end > hunk.start else self._between(hunk.start)
        for start, end in candidates:
            literal = self.source.literal(start, end)
            if literal is not None:
                return start, end, literal
        raise _UnfixableError("crosses_literals" if hunk.end > hunk.start else "not_in_literal")

    def _between(self, offset: int) -> list[tuple[int, int]]:
        """Return the places of the file that could stand for one between two characters, the best first."""
        found = [self._byte(part, offset) for part in self.parts if part.at < offset < part.end]
        # Behind what stands before it, rather than in front of what follows; a literal rather than a value.
        before = [part for part in self.parts if part.end == offset]
        behind = [part for part in self.parts if part.at == offset and part.end > offset]
        near = [part.end_byte for part in reversed(before) if not part.placeholder]
        next_to = [part.start_byte for part in behind if not part.placeholder]
        # At the start of a line the indentation, which is none of the text, stays in front.
        found += next_to + near if self.text.text[:offset].endswith("\n") else near + next_to
        found += [part.end_byte for part in reversed(before) if part.placeholder]
        found += [part.start_byte for part in behind if part.placeholder]
        return [(byte, byte) for byte in found]

    def _byte(self, part: _Part, offset: int) -> int:
        if offset == part.at:
            return part.start_byte
        if offset == part.end:
            return part.end_byte
        if not part.verbatim:
            raise _UnfixableError("within_escape")
        return part.start_byte + len(self.text.text[part.at : offset].encode())

    def _stretch(self, hunk: Hunk) -> tuple[int, int]:
        """Return the bytes of a hunk's old text, which have to stand in one piece but for indentation."""
        covered = [
            (index, part)
            for index, part in enumerate(self.parts)
            if (part.at < hunk.end and part.end > hunk.start) or hunk.start < part.at == part.end < hunk.end
        ]
        last: _Part | None = None
        for _, part in covered:
            if last is not None and not self._adjoin(last, part):
                raise _UnfixableError("crosses_literals")
            last = part
        (_, first), (index, final) = covered[0], covered[-1]
        start = self._byte(first, max(hunk.start, first.at))
        end = self._byte(final, min(hunk.end, final.end))
        following = self.parts[index + 1] if index + 1 < len(self.parts) else None
        drops_break = self.text.text[: hunk.end].endswith("\n") and not hunk.new.endswith("\n")
        if following is not None and hunk.end == final.end and drops_break and self._adjoin(final, following):
            # The indentation of the next line, which is none of the text, would become a part of it.
            end = following.start_byte
        return start, end

    def _adjoin(self, one: _Part, other: _Part) -> bool:
        """Whether nothing but blanks stands between two parts."""
        gap = self.source.content[one.end_byte : other.start_byte]
        return one.end_byte <= other.start_byte and not gap.strip(b" \t")
