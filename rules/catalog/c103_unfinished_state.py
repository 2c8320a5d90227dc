"""C103: an unfinished state that can be asked for again, with no event, bound or ban."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.catalog.c101_retry_without_bound import REASONS
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, group, read
from scaup.rules.lexicon.discharge import discharged
from scaup.rules.lexicon.reading import Reading, Sentence
from scaup.rules.model import Adjudication, Example, Habit, Rule, Verdict

_REASONS = {
    **REASONS,
    "state_summary": "counts-all-states",
    "lifetime": "names-delivery",
    "fallback": "names-what-to-do",
}
_NEAR = ("ban", "bound", "change", "person", "trigger", "waits", "blocking", "lifetime")
# Cues of the other rules of the class: what they judge says the same of this sentence.
_OTHERS = ("try_again", "loop")
# Where an agent gets a state as an answer; elsewhere a text about states describes a system.
_ANSWERS = frozenset({"tool_result", "error_message", "notification", "hint"})


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
        Example("Still indexing: pass `live: true` to read from disk.", because="changes-argument"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence with an unfinished state, or that sends the agent to look at one."""
        reading = read(text.text)
        names = [name for name in ("unfinished_state", "look_for_status") if family(name).possible(reading.words)]
        if not names or text.surface not in _ANSWERS:
            return
        judged: list[tuple[Sentence, str, str | None]] = []
        for sentence in reading.sentences:
            if any(family(cue).holds(one) for cue in _OTHERS for one in (sentence, *reading.near(sentence))):
                continue  # C101 and C102 have it
            match = next((match for name in names for match in family(name).asserted(sentence)), None)
            if match is None:
                continue
            judged.append((sentence, match.text, discharged(reading, sentence, _REASONS, near=_NEAR)))
        if not judged or not self._counts(reading, text, [words for _, words, _ in judged]):
            return
        for sentence, words, reason in judged:
            if reason:
                yield Adjudication(self.code, Verdict.PASS, reason, sentence.start, sentence.end)
            else:
                yield Adjudication(
                    self.code, Verdict.FINDING, "no-event", sentence.start, sentence.end,
                    message=(
                        f"'{words}' invites another look, and no event, number or waiting call says when it is worth"
                        " one."
                    ),
                )  # fmt: skip

    @staticmethod
    def _counts(reading: Reading, text: AgentText, words: list[str]) -> bool:
        """Whether a bare state stands where a reader can act on it; whole sentences always do."""
        whole = " ".join(reading.text.split())
        is_bare = len(reading.words) <= 4 and bool(reading.words & group("bare"))
        return bool(whole) and (
            not is_bare or text.tool is not None or text.tool_description is not None or ":" in whole
        )
