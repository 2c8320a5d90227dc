"""The words of class E as sets: what poses as the system, and on which surfaces a text is put into a conversation."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from scaup.rules.lexicon.families import group

_DATA = tomllib.loads(files(__package__).joinpath("imitation.toml").read_text(encoding="utf-8"))


def words(table: str, key: str) -> frozenset[str]:
    """Return a list of `imitation.toml` as a set."""
    return frozenset(_DATA[table][key])


@cache
def either(*groups: str) -> re.Pattern[str]:
    """Return an expression that finds any word of the lexicon's groups in a text as it is written."""
    known = sorted(frozenset().union(*map(group, groups)), key=lambda word: (-len(word), word))
    tail = r"|n[’']t" if "stripping" in groups else ""
    return re.compile(r"(?:\b(?:" + "|".join(map(re.escape, known)) + r")" + tail + r")\b", re.IGNORECASE)


# Text that arrives in the middle of a conversation, so that the agent cannot see who wrote it.
INJECTED = frozenset({"notification", "hint", "tool_result", "error_message", "permission"})
# Text that is read as a document, where tags and headers part sections.
DOCUMENT = frozenset({"prompt", "instructions"})

_LEAD = (
    r"(?:^|[.!?:;\n]\s+|^\W*|\n\W*|,\s+(?:so|then|and)\s+)"
    r"(?:(?:please|then|now|first|next|instead|always|never|and|so|just|kindly|also|immediately|agents?)[, ]+)*"
)
_ORDER = re.compile(
    _LEAD + r"(?:" + "|".join(sorted(words("imperatives", "verbs"))) + r")\b(?!\s*[:=(])"
    r"|" + _LEAD + r"(?:" + "|".join(sorted(words("imperatives", "nouns_too"))) + r")\s+(?:[`{]|(?:"
    + "|".join(sorted(words("imperatives", "behind"))) + r")\b)"
    r"|\b(?:do not|don[’']?t|must(?: not)?|make sure|be sure to|should(?: not)?|please|never|always|shall(?: not)?"
    r"|from now on|no longer allowed|(?:is|are) (?:forbidden|required|expected) to|ought to|(?:is|are) not to"
    r"|you (?:can|may|need|have to|are|will))\b",
    re.IGNORECASE,
)  # fmt: skip


_NOT_SAID = re.compile(r"</?[A-Za-z][^<>]*>")


def gives_orders(text: str) -> bool:
    """Whether a text tells its reader to do something."""
    return _ORDER.search(_NOT_SAID.sub(" ", text)) is not None
