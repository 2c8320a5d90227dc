"""B101: text that is said to stay current, and need not be read again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import Match, Reading, Sentence, family, group, read
from scaup.rules.lexicon.exceptions import names_exception
from scaup.rules.lexicon.imitation import DOCUMENT
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Severity, Verdict

_CLAIMS = ("no_reread", "stays_fresh", "trust_this", "forbids_reread")
_SAYS = {
    "no_reread": "No later event is named after which it has to be read again: an edit, another writer, a formatter.",
    "forbids_reread": "Reading again is forbidden for good; no event is named after which it is needed.",
    "stays_fresh": "It is said to hold for good; that the first edit or other writer ends it is not said.",
    "trust_this": "It is to be trusted with no end; what makes it false (an edit, another writer) is not named.",
}


_DENIES = re.compile(r"(?:not|never) (?:trust|rely|depend|count)")


class Freshness(Rule):
    """What was shown is said to stay current, so that it need not be read again, and nothing says until when.

    It was true when it was written. After an edit, a formatter or another writer it is not, and the sentence is still
    there to be believed.

    Habit: editing from stale text and line numbers.
    Instead: name the event that ends it: "until the file changes; read it again after any edit or formatter run".
    """

    code, name, habit, severity = "B101", "freshness-without-end", Habit.ABSOLUTE, Severity.HIGH
    found = (
        Example("You have the whole file now; re-reading it is unnecessary."),
        Example("Offsets never shift, so patch by offset."),
        Example("There's no need to open {path} again before you edit it."),
        Example("The outline is always up to date.", "tool_description"),
        Example("You can rely on these positions for later edits."),
        Example("Never re-read a file that is already in the conversation.", "instructions"),
        Example("The index never goes stale.", "tool_description"),
        Example("Edits succeeded. No further verification is required."),
        Example("This listing is up to date: patch it directly."),
    )
    passed = (
        Example("No need to read {path} again until it is edited.", because="names-exception"),
        Example(
            "Line numbers remain valid. After an edit above them, list the outline again.", because="names-exception"
        ),
        Example("Make sure that the README stays accurate.", "instructions", "rule-for-agent"),
        Example("Do not trust this listing: another process may have written the file.", because="denies-claim"),
        Example("The index is up to date.", because="state-of-now"),
        Example("Cursors stay valid for {minutes} minutes.", because="names-lifetime"),
        Example("There is no need to read the whole repository.", "instructions", "bounds-reading"),
        Example("Do not trust the cache: it lags behind.", because="denies-claim"),
        Example("The index does not re-scan unchanged files.", "tool_description", "describes-call"),
        Example("Do not re-read the file more than once after an edit.", "instructions", "bounds-reading"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each sentence that claims freshness."""
        reading = read(text.text)
        names = [name for name in (*_CLAIMS, "is_fresh", "reads_after") if family(name).possible(reading.words)]
        if not names:
            return
        for sentence in reading.sentences:
            for name in names:
                match = next(family(name).used(sentence), None)
                if match is not None:
                    yield self._judge(match, name, reading, text)
                    break

    def _judge(self, match: Match, name: str, reading: Reading, text: AgentText) -> Adjudication:
        sentence = match.sentence
        reason = _innocence(match, name, reading, text)
        if reason:
            return Adjudication(self.code, Verdict.PASS, reason, sentence.start, sentence.end)
        return Adjudication(
            self.code,
            Verdict.FINDING,
            "no-end-named",
            sentence.start,
            sentence.end,
            message=_SAYS.get(name, _SAYS["stays_fresh"]),
            confidence=Confidence.LIKELY,
            severity=None if reading.words & (group("shown") | group("edit_now")) else Severity.MEDIUM,
            replacement=_until_changed(sentence),
        )


def _innocence(match: Match, name: str, reading: Reading, text: AgentText) -> str | None:
    sentence = match.sentence
    if name == "reads_after" or names_exception(reading, sentence, text.siblings):
        return "names-exception"
    if _has_number(sentence, match) or family("outlasts").touches(sentence):
        return "names-lifetime"
    if name in {"stays_fresh", "is_fresh", "trust_this"}:
        if (
            match.negated
            or _DENIES.match(match.text)
            or " not " in sentence.stream[: sentence.places[match.first]][-12:]
        ):
            return "denies-claim"
        if name != "trust_this" and any(order.first < match.first for order in family("order_word").find(sentence)):
            return "rule-for-agent"
        if name == "trust_this" and group("not_shown") & {
            token.text for token in sentence.tokens[match.first : match.last + 3]
        }:
            return "trusted-by-decision"
        if text.surface in DOCUMENT and any(aim.first < match.first for aim in family("aims").find(sentence)):
            return "states-aim"
        if family("whether").touches(sentence):
            return "asks-whether"
        # "Returns the current state" speaks of each call, not of what an agent has read.
        if text.surface in ("tool_description", "parameter_description") and family("each_call").touches(sentence):
            return "describes-call"
    if name == "no_reread" and "without" in match.text and (_denied_before(match) or match.negated):
        return "rule-for-agent"
    if name == "is_fresh" and not _acted_on(sentence, reading):
        return "state-of-now"
    if name == "no_reread" and match.sentence.tokens[match.last].text in {"read", "fetch", "check", "look", "view"}:
        following = {token.text for token in sentence.tokens[match.last : match.last + 4]}
        if following & {"whole", "entire", "every", "everything", "all", "other"}:
            return "bounds-reading"
    if name == "forbids_reread" and _word_before(match) in {"does", "did", "will", "would"}:
        return "describes-call"
    if name == "forbids_reread" and any(m.first >= match.last for m in family("bounds_reading").find(sentence)):
        return "bounds-reading"
    return None


def _word_before(match: Match) -> str:
    return match.sentence.tokens[match.first - 1].text if match.first else ""


def _denied_before(match: Match) -> bool:
    """Whether the clause is a prohibition up to the match: `never edit a file without re-reading it`."""
    tokens = match.sentence.tokens[match.sentence.clause_start(match.first) : match.first]
    return not {"not", "never", "no"}.isdisjoint(token.text for token in tokens)


def _acted_on(sentence: Sentence, reading: Reading) -> bool:
    """Whether the sentence or the next has the agent act on what is current now."""
    return any(family("acts_on_it").holds(other) for other in (sentence, *reading.near(sentence, before=0)))


def _has_number(sentence: Sentence, match: Match) -> bool:
    return next((True for span in family("time_span").find(sentence) if span.first > match.first), False)


def _until_changed(sentence: Sentence) -> str:
    body = sentence.raw.rstrip(" .!")
    return f"{body}, until the file changes; read it again after any edit or formatter run."
