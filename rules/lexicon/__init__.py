"""What rules know of English: cue families, conditions, bounds, lifetimes, negation, as data and as matchers.

Rules say what discharges what; how English is matched is said here, and the words stand in the TOML files of this
folder.

    from scaup.rules.lexicon import family, read

    for sentence in (reading := read(text.text)).sentences:
        for match in family("polling").asserted(sentence):        # neither negated nor mentioned
            ...                                                    # match.start, match.end: offsets in text.text
        if family("bound").holds(sentence): ...
        neighbours = reading.near(sentence, before=1, after=1)

**Reading.** `read(text)` is cached. It splits a text into sentences (abbreviations, file names, code in backticks,
bullets, headings, wrapped and unwrapped lines), each with `start`/`end` in the text, `raw` (as written), `tokens`
(with offsets and `quoted`), `words` (a set), and `stream`: its words in lower case with single spaces, `don't` as `do
not`, `cannot` as `can not`, camelCase as snake_case, without emphasis and bullets; punctuation marks are words of
their own.

**Families** are tables `[families.NAME]` with `about` and `patterns` (and `plain = true` where a negator before the
words denies nothing, as for `until`) in any TOML file of this folder; **groups** are tables `[groups.NAME]` with
`verbs` (expanded to all forms: `retry`, `retries`, `retrying`, `retried`; of a phrase the first word), `nouns` (with
plural), `words` (as they stand) and `uses` (other groups). Names are unique over all files, so a new file needs no
registration. The pattern language is documented in `patterns.py`: words, `{group}`, `{group:ing}`, `a|b`, `(some
words|others)`, `x?`, gaps `..3`, clause start `^`, sentence start `^^`, clause end `$`, number `#`, code `@`. Words
in patterns are as in the stream: `do not`, never `don't`. A family is skipped without a match attempt where a
sentence has none of the words that its patterns need.

**Scope.** A match knows whether its clause denies it (`negated`: do not poll, never retries, no need to, without,
instead of polling, avoid, polling is useless) and whether it is only spoken of (`mentioned`: in quotes or backticks,
the word "retry", `retry_count`, retry policy); `asserted` is neither. `;`, `:`, dashes and full stops end a clause.
The words of both are in `scope.toml`. `Family.find` yields every match, `used` those not mentioned, `asserted` those
that are neither; `touches` and `holds` say whether there is one (`touches`: any; `holds`: an asserted one).

**Discharge.** Shared families are in `discharge.toml`: condition, trigger, bound, ban, waits, blocking, lifetime,
fallback, change, person, page, evidence. `first_of(names, sentence)` returns the first of them that a sentence
asserts.
"""

from __future__ import annotations

from collections.abc import Iterable

from scaup.rules.lexicon.families import Family, Match, family, group
from scaup.rules.lexicon.reading import Reading, Sentence, Token, read

__all__ = ["Family", "Match", "Reading", "Sentence", "Token", "family", "first_of", "group", "read"]


def first_of(names: Iterable[str], *sentences: Sentence) -> str | None:
    """Return the first family that one of the sentences holds, in the order of the names; None if none does."""
    for name in names:
        if any(family(name).holds(sentence) for sentence in sentences):
            return name
    return None
