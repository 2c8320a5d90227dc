"""B102: an unconditional statement that another argument of the same tool turns off, caps, or makes unsafe."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, read
from scaup.rules.lexicon.exceptions import names_exception
from scaup.rules.lexicon.reading import Sentence
from scaup.rules.lexicon.switches import capped_by, switched_off_by, unsafe_by
from scaup.rules.model import Adjudication, Example, Habit, Rule, Verdict

_SURFACES = frozenset({"tool_description", "parameter_description"})
_QUIET = {"quiet": "When true, the table is not printed."}
_MAX = {"max_rows": "Rows beyond this number are left out."}


class DeniedBySibling(Rule):
    """A statement about what a tool does holds only while another of its arguments does not break it.

    The description of one argument says "always" or simply that it happens; that of another says when it does not. An
    agent that reads the first does not look for the second.

    Habit: generalising a statement that holds only under a condition.
    Instead: name the argument in the sentence that it limits: "unless `inline` is true", "up to `max_rows`".
    """

    code, name, habit = "B102", "denied-by-sibling", Habit.ABSOLUTE
    found = (
        Example("Prints the table and returns its name.", "tool_description", siblings=_QUIET),
        Example("Returns all rows of the table.", "tool_description", siblings=_MAX),
        Example(
            "Lists every branch of the repository.",
            "tool_description",
            siblings={"limit": "At most so many branches are listed."},
        ),
        Example(
            "It is always safe to run it again.", "tool_description", siblings={"force": "Overwrite what is there."}
        ),
        Example("The old copy is kept.", "parameter_description", siblings={"purge": "If true, no old copy is kept."}),
        Example(
            "Covers the entire history of commits.",
            "tool_description",
            siblings={"depth": "Only this many commits are read."},
        ),
    )
    passed = (
        Example("Prints the table unless `quiet` is true.", "tool_description", "names-argument", _QUIET),
        Example("Returns all rows, up to `max_rows`.", "tool_description", "names-argument", _MAX),
        Example("By default the table is printed.", "tool_description", "names-argument", _QUIET),
        Example("Returns every row until `max_rows` is reached.", "tool_description", "names-argument", _MAX),
        Example(
            "Running it twice is always safe unless `force` is set.",
            "tool_description",
            "names-argument",
            {"force": "Overwrite what is there."},
        ),
        Example("With `quiet` false the table is printed.", "tool_description", "names-argument", _QUIET),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence against the other arguments of the tool."""
        if not text.siblings or text.surface not in _SURFACES:
            return
        reading = read(text.text)
        for sentence in reading.sentences:
            broken = _broken(sentence, text)
            if broken is None:
                continue
            argument, how = broken
            if names_exception(reading, sentence, text.siblings) or family("depends").touches(sentence):
                yield Adjudication(self.code, Verdict.PASS, "names-argument", sentence.start, sentence.end)
            else:
                yield Adjudication(
                    self.code, Verdict.FINDING, how, sentence.start, sentence.end,
                    message=_SAYS[how].format(argument=argument),
                    replacement=sentence.raw.rstrip(" .") + _UNLESS[how].format(argument=argument),
                )  # fmt: skip


_SAYS = {
    "turned-off": "`{argument}` turns this off, and the sentence does not name it.",
    "capped": "`{argument}` leaves some out, and the sentence says that none is.",
    "made-unsafe": "With `{argument}` it is not, and the sentence does not name it.",
}
_UNLESS = {
    "turned-off": ", unless `{argument}` turns it off.",
    "capped": ", within `{argument}`.",
    "made-unsafe": ", except with `{argument}`.",
}


def _broken(sentence: Sentence, text: AgentText) -> tuple[str, str] | None:
    """Return the argument that breaks a sentence, and how."""
    value_only = text.surface == "parameter_description" and not _claims(sentence)
    if not value_only and (argument := capped_by(sentence, text.siblings)) is not None:
        return argument, "capped"
    if family("always_safe").holds(sentence) and (argument := unsafe_by(text.siblings)) is not None:
        return argument, "made-unsafe"
    if not value_only and (argument := switched_off_by(sentence, text.siblings)) is not None:
        return argument, "turned-off"
    return None


def _claims(sentence: Sentence) -> bool:
    """Whether a parameter's description says what happens, and not only what its value is."""
    words = [token.text for token in sentence.tokens]
    relative = min(
        (at for at, word in enumerate(words) if word in {"that", "which", "who", "whose"}), default=len(words)
    )
    return any(match.first < relative for match in family("claims").asserted(sentence))
