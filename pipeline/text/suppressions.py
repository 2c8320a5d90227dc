"""Comments that silence the audit: `scaup: ignore[C101] reason="why" until=2027-01-31`, in a file of any language.

Only the host language's comments count: the same words in a string are text. What a comment silences is told by its
place: one that stands alone on its line is about the next line that is neither blank nor such a comment, one behind
code about its own.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from tree_sitter import Node, Parser
from tree_sitter_language_pack import get_language

from scaup.pipeline import languages

# Cheap to look for: most files have none.
MARK = b"scaup:"
# `line` is that of the comment, `target` the one that it is about; `problem` says why it silences nothing.
COLUMNS = ("line", "target", "rules", "reason", "until", "problem")
Row = tuple[int, int, str, str | None, str | None, str | None]

# Prose that names the tool, or quotes a directive, is none; another verb with rules behind it is a mistake to be told.
_DIRECTIVE = re.compile(r"""(?<![\w`'"])scaup:[ \t]*(?P<verb>ignore\b|[\w-]+(?=[ \t]*\[))(?P<rest>[^\r\n]*)""")
_RULES = re.compile(r"[ \t]*\[(?P<rules>[^\]]*)\]")
_MEMBER = re.compile(
    r"""[ \t]*(?P<key>[\w-]+)[ \t]*=[ \t]*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"']+))"""
)
# What ends a comment, or decorates its lines: no part of the directive.
_CLOSING = re.compile(r"[ \t]*(?:\*+/|--+>|-\}|\*\))?[ \t]*$")
# Comments of Markdown are HTML, and its grammar has no nodes for those inside of a paragraph.
_HTML = re.compile(rb"<!--.*?-->", re.DOTALL)
_CODE_BLOCKS = frozenset({"fenced_code_block", "indented_code_block"})


def find(language: str, source: bytes) -> list[Row]:
    """Return the directives in the comments of a file, by line."""
    if MARK not in source:
        return []
    comments = list(_comments(language, source))
    directives: list[tuple[int, bool, re.Match[str]]] = []
    for start, end in comments:
        text = source[start:end].decode("utf-8", "replace")
        for match in _DIRECTIVE.finditer(text):
            at = start + len(text[: match.start()].encode())
            line = source.count(b"\n", 0, at) + 1
            directives.append((line, _stands_alone(source, start, end), match))
    own = {line for line, alone, _ in directives if alone}
    lines = source.split(b"\n")
    rows = [(line, _target(lines, line, own) if alone else line, *_read(match)) for line, alone, match in directives]
    return sorted(rows, key=lambda row: row[:3])


def _comments(language: str, source: bytes) -> Iterator[tuple[int, int]]:
    """Yield the bytes of each comment with the mark in it."""
    grammar = languages.load()[language].grammar
    root = Parser(get_language(grammar)).parse(source).root_node  # type: ignore[arg-type]  # a name it does not list
    if language == "markdown":
        for match in _HTML.finditer(source):
            if MARK in match[0] and not _is_code(root, match.start()):
                yield match.span()
        return
    at = source.find(MARK)
    while at != -1:
        node = root.descendant_for_byte_range(at, at + len(MARK))
        while node is not None and "comment" not in node.type:
            node = node.parent
        if node is None:
            at = source.find(MARK, at + 1)
            continue
        yield node.start_byte, node.end_byte
        at = source.find(MARK, max(node.end_byte, at + 1))


def _is_code(root: Node, at: int) -> bool:
    node = root.descendant_for_byte_range(at, at)
    while node is not None:
        if node.type in _CODE_BLOCKS:
            return True
        node = node.parent
    return False


def _stands_alone(source: bytes, start: int, end: int) -> bool:
    before = source[source.rfind(b"\n", 0, start) + 1 : start]
    newline = source.find(b"\n", end)
    behind = source[end : newline if newline != -1 else len(source)] if source[end - 1 : end] != b"\n" else b""
    return not before.strip(b" \t\xef\xbb\xbf>") and not behind.strip()


def _target(lines: list[bytes], line: int, own: set[int]) -> int:
    """Return the next line that is neither blank nor a directive of its own; the comment's where there is none."""
    following = line + 1
    while following <= len(lines) and (following in own or not lines[following - 1].strip()):
        following += 1
    return following if following <= len(lines) else line


def _read(match: re.Match[str]) -> tuple[str, str | None, str | None, str | None]:
    """Return the rules, the reason, the date and what is wrong with a directive."""
    verb, rest = match["verb"], match["rest"]
    if verb != "ignore":
        return "", None, None, f'{verb} is no directive: write ignore[RULE] reason="…"'
    rules = _RULES.match(rest)
    if rules is None or not rules["rules"].strip():
        return "", None, None, "it names no rule: write ignore[RULE]"
    members: dict[str, str] = {}
    at = rules.end()
    while (member := _MEMBER.match(rest, at)) is not None:
        members[member["key"]] = next(part for part in member.group("double", "single", "bare") if part is not None)
        at = member.end()
    names = ",".join(name.strip() for name in rules["rules"].split(",") if name.strip())
    reason, until = members.pop("reason", "").strip() or None, members.pop("until", None)
    problem = None
    if unread := _CLOSING.sub("", rest[at:]).strip():
        problem = f'{unread!r} cannot be read: known are reason="…" and until=YYYY-MM-DD'
    elif members:
        problem = f'unknown {", ".join(sorted(members))}: known are reason="…" and until=YYYY-MM-DD'
    elif until is not None and not _is_date(until):
        problem = f"until={until} is no date: write until=YYYY-MM-DD"
        until = None
    elif reason is None:
        problem = 'it gives no reason: write reason="…"'
    return names, reason, until, problem


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
