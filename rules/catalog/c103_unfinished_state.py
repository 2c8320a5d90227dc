"""C103: an unfinished state that can be asked for again, with no event, bound or ban."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.catalog.c101_retry_without_bound import NEGATORS, REASONS, is_fragment
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import Match, family, group, read
from scaup.rules.lexicon.discharge import discharged
from scaup.rules.lexicon.reading import BORDERS, Reading, Sentence
from scaup.rules.model import Adjudication, Example, Habit, Rule, Verdict

_REASONS = {
    **REASONS,
    "state_summary": "counts-all-states",
    "lifetime": "names-delivery",
    "fallback": "names-what-to-do",
    "step_first": "names-what-to-do",
}
_NEAR = ("ban", "bound", "change", "person", "trigger", "waits", "blocking", "lifetime")
# Cues of the other rules of the class: what they judge says the same of this sentence.
_OTHERS = ("try_again", "loop")
# Where an agent gets a state as an answer; elsewhere a text about states describes a system.
_ENDS = BORDERS | {",", "(", ")"}
_ANSWERS = frozenset({"tool_result", "error_message", "notification", "hint", "permission"})


class UnfinishedState(Rule):
    """A state that is not final is reported, or looking at one is advised, and nothing says when that is worth it.

    "Still running" invites the next look, and so does the name of the tool that shows it. A bare "name: pending" does
    too where the reader can ask again.

    Habit: polling. An agent asks until the state has changed.
    Instead: name the event or the call that waits, or say that one look is enough and asking again changes nothing.
    """

    code, name, habit = "C103", "unfinished-state", Habit.POLLING
    found = (
        Example("The ledger is still being closed."),
        Example("{name}: still running", because=""),
        Example("Balance not available yet. Use read_ledger to check the status."),
        Example("Started in the background. See ledger_status for progress."),
        Example("index: rebuilding (stale)"),
        Example("Partial result so far: {n} rows, import in progress."),
    )
    passed = (
        Example("The ledger is still being closed; ledger_wait blocks until it is done."),
        Example(
            "Import in progress. Do not ask again: the result is added to the next turn.", because="forbids-repetition"
        ),
        Example(
            "Still running after {seconds} seconds: stop it with ledger_stop or read its log once.",
            because="names-bound",
        ),
        Example("Pull request {n} is pending review by a maintainer.", because="person-acts"),
        Example("The import is still running; it takes about five minutes.", because="names-bound"),
        Example("Import still running: import_wait returns its result.", because="names-waiting-call"),
        Example("Still indexing: pass `live: true` to read from disk.", because="changes-argument"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence with an unfinished state, or that sends the agent to look at one."""
        reading = read(text.text)
        names = [
            name
            for name in ("unfinished_state", "state_field", "look_for_status")
            if family(name).possible(reading.words)
        ]
        if not names or text.surface not in _ANSWERS:
            return
        going_on = any(family("launched").touches(sentence) for sentence in reading.sentences)
        judged: list[tuple[Sentence, Match, str | None]] = []
        for sentence in reading.sentences:
            if any(_tells_to_repeat(one) for one in (sentence, *reading.near(sentence))):
                continue  # C101 and C102 have it
            match = next(
                (m for name in names for m in family(name).asserted(sentence) if not _of_something_else(m)), None
            )
            if match is not None and match.family == "look_for_status" and not going_on:
                continue  # a look that nothing makes one to repeat: there is an answer
            if match is None:
                continue
            judged.append((sentence, match, discharged(reading, sentence, _REASONS, near=_NEAR)))
        if not judged or not self._counts(reading, text, [match.text for _, match, _ in judged]):
            return
        for sentence, match, reason in judged:
            if reason:
                yield Adjudication(self.code, Verdict.PASS, reason, sentence.start, sentence.end)
            else:
                yield Adjudication(
                    self.code, Verdict.FINDING, "no-event", sentence.start, sentence.end,
                    message=(
                        f"'{match.said}' invites another look, and no event, number or waiting call says when it is"
                        " worth one."
                    ),
                    replacement=_with_look(text, match),
                )  # fmt: skip

    def bounded(self, sentence: str, bound: str) -> str | None:
        """Return a bare state with a bound on how often it is looked at."""
        return f"{sentence.strip().rstrip('.!?…')}; look again {bound}" if is_fragment(sentence) else None

    @staticmethod
    def _counts(reading: Reading, text: AgentText, words: list[str]) -> bool:
        """Whether a bare state stands where a reader can act on it; whole sentences always do."""
        whole = " ".join(reading.text.split())
        is_bare = len(reading.words) <= 4 and bool(reading.words & group("bare"))
        return bool(whole) and (
            not is_bare or text.tool is not None or text.tool_description is not None or ":" in whole
        )


# `is being used`: not work that comes to an end.
_NO_WORK = frozenset({
    "used", "ignored", "blocked", "treated", "skipped", "passed", "called", "denied", "debugged", "served", "hit",
    "deprecated", "held", "able", "said", "shown", "displayed", "followed", "watched", "asked", "edited", "viewed",
})  # fmt: skip
_NO_ANSWER = frozenset({"no", "none", "nothing", "error", "unexpected", "failed", "failure", "why", "how"})
_BARE = 4  # tokens
_LISTS = frozenset({"values", "statuses", "where", "select", "enum", "states", "columns"})
_CONDITIONS = frozenset(
    {
        "while",
        "when",
        "if",
        "until",
        "unless",
        "whether",
        "once",
        "before",
        "ensure",
        "sure",
        "because",
        "which",
        "whom",
    }
)


def _tells_to_repeat(sentence: Sentence) -> bool:
    """Whether another rule of the class judges what a sentence tells the reader to do."""
    return any(match.text.split()[0] not in NEGATORS for cue in _OTHERS for match in family(cue).asserted(sentence))


def _of_something_else(match: Match) -> bool:
    """Whether the state is no answer: that of a condition, a value among others, what is denied."""
    if match.family == "look_for_status":
        return False
    tokens = match.sentence.tokens
    if not _LISTS.isdisjoint(match.sentence.words):
        return True
    if match.first > 0 and tokens[0].text in _NO_ANSWER:
        return True
    if "already" in match.text.split():
        return True  # what somebody else has begun stands in the way
    behind = match.sentence.closed[match.last + 1]
    if match.first == 0 and match.text.split()[0] != "still" and behind == ":" and match.last + 1 <= _BARE:
        return True  # `Running: {command}`, the label of something
    before = tokens[match.first - 1].text if match.first else ""
    if match.text == "in-progress" and before not in {"is", "are", ":", "=", "—", "still", ""}:
        return True  # `an in-progress merge`
    last = match.text.rpartition(" ")[2]
    if " being " in f" {match.text} " and last in _NO_WORK:
        return True
    at = match.first
    while at > 0 and tokens[at - 1].text not in _ENDS:
        at -= 1
        word = tokens[at].text
        if word in _CONDITIONS or (word == "that" and at and tokens[at - 1].text in group("look")):
            return True
    return False


def _with_look(text: AgentText, match: Match) -> str | None:
    """Return the sentence with the number of looks that it is good for; None where it is data, not prose."""
    if text.text.lstrip()[:1] in "{[" and '"' in text.text:
        return None
    body = match.sentence.raw.strip().rstrip(".!… ")
    if match.family == "look_for_status":
        return f"{body}, once, after 30 s; then report the state that it shows."
    if match.sentence.raw.rstrip().endswith((".", "!", "…")):
        return f"{body}; asking does not hurry it: look once more after 30 s, then report what you saw."
    return f"{body} (asking does not hurry it: look once more after 30 s, then report this state)"
