"""D102: work is marked done when it has been asked for."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import Match, Reading, Sentence, family, read
from scaup.rules.lexicon.claims import CLAIMS, apart, asks_for_evidence, chosen, flats, is_verb, resting, told
from scaup.rules.model import Adjudication, Example, Habit, Rule, Severity, Verdict

# What the reader does, which shows nothing yet.
_ACTS = frozenset({
    "clicked", "typed", "pressed", "hit", "sent", "submitted", "posted", "issued", "called", "fired", "requested",
})  # fmt: skip
# These are what an acknowledgement does say.
_TAKEN = frozenset({"accepted", "received", "queued"})


class DoneWhenSent(Rule):
    """Work counts as done as soon as it was sent, started or asked for.

    Between the request and its effect stands all that can fail. A mark that is set before the outcome is read stays
    when it was a failure.

    Habit: reporting work as done that was only begun.
    Instead: tie the mark to the outcome: "once `status` shows `finished`", "after the exit code was read".
    """

    code, name, habit, severity = "D102", "done-when-sent", Habit.COMPLETION, Severity.HIGH
    found = (
        Example("Tick the item off as done once the request was submitted.", "prompt"),
        Example("After the message has been dispatched, report the ticket as resolved.", "instructions"),
        Example("Mark the todo as completed without running the tests.", "prompt"),
        Example("As soon as the job is queued, record it as finished.", "instructions"),
        Example("Declare the deployment complete regardless.", "prompt"),
        Example("A step is done once its command was issued.", "instructions"),
    )
    passed = (
        Example("Mark the item as done only after the tests have passed.", "prompt", "demands-evidence"),
        Example("Do not mark a task as completed without running the tests.", "prompt", "demands-evidence"),
        Example(
            "Never report the ticket as resolved when the message was only dispatched.", "prompt", "demands-evidence"
        ),
        Example(
            "Mark it complete once sent and confirmed: check that the receipt is there.", "prompt", "demands-evidence"
        ),
        Example("Verify the upload before you mark the step as done once it was sent.", "prompt", "demands-evidence"),
        Example(
            "You must never claim a step as done before its command was issued and its exit code read.",
            "prompt",
            "demands-evidence",
        ),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence that marks work as done, or that claims it where it was only asked for."""
        reading = read(text.text)
        cues = [name for name in ("done_when_sent", "ack_is_done") if family(name).possible(reading.words)]
        claims = any(family(name).possible(reading.words) for name in (*CLAIMS, "told_that", "finite"))
        for sentence in reading.sentences if cues or claims else ():
            match = chosen(m for name in cues for m in family(name).used(sentence) if is_verb(m))
            if match is None:
                resting_on = _after_asking(sentence, reading)
                if resting_on is not None:
                    yield self._finding(resting_on)
                continue
            if match.negated or (asks_for_evidence(sentence, match) and not _left_out(match)):
                yield Adjudication(self.code, Verdict.PASS, "demands-evidence", sentence.start, sentence.end)
            elif match.family != "ack_is_done" or match.text.split()[-1] not in _TAKEN:
                yield self._finding(match)

    def _finding(self, match: Match) -> Adjudication:
        return Adjudication(
            self.code, Verdict.FINDING, "sent-is-not-done", match.sentence.start, match.sentence.end,
            message=f"'{match.said}' ties the mark to the request and not to its outcome.",
        )  # fmt: skip


def _left_out(match: Match) -> bool:
    """Whether the evidence that a sentence names is what the agent may do without."""
    words = match.text.split()
    if not {"before", "without"}.intersection(words):
        return False
    return family("permission_given").touches(match.sentence)


def _after_asking(sentence: Sentence, reading: Reading) -> Match | None:
    """Return a claim of success behind a request: in its sentence, or in the one before."""
    claim = next(resting(sentence, ("sent_ground",)), None)
    if claim is not None:
        return claim
    acts = [m for m in family("sent_ground").find(sentence) if "you" in m.text.split() and _ACTS & set(m.text.split())]
    for flat in flats(sentence, perfect=True) if acts and not asks_for_evidence(sentence) else ():
        if all(apart(m, flat) for m in acts):
            return flat
    for before in reading.near(sentence, after=0):
        if not family("only_asked").holds(before) or asks_for_evidence(sentence):
            return None
        claims = [*family("told_done").asserted(sentence), *told(sentence)]
        if not family("safe_copy").touches(sentence):
            claims += family("flat_success").find(sentence)
        for claim in claims:
            if not {"when", "once", "if", "whether", "until", "after", "only"}.intersection(sentence.words):
                return claim
    return None
