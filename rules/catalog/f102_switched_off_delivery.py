"""F102: a promised delivery that a sibling argument turns off, and the text does not name it."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, read
from scaup.rules.lexicon.exceptions import names_exception
from scaup.rules.lexicon.switches import switched_off_by
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Verdict

_SIBLINGS = {"quiet": "When true, no mail is sent."}


class SwitchedOffDelivery(Rule):
    """A delivery is promised without a condition, and another argument of the same tool turns it off.

    Who reads only this sentence counts on what does not happen with that argument.

    Habit: relying on "automatically".
    Instead: name the argument: "with `quiet` false, the default, a mail is sent".
    """

    code, name, habit = "F102", "delivery-switched-off", Habit.DELIVERY
    found = (
        Example("A mail is sent when the order ships.", "tool_description", siblings=_SIBLINGS),
        Example(
            "The customer will be notified.",
            "parameter_description",
            siblings={"notify": "Set to false and no customer is notified."},
        ),
        Example(
            "Drafts are saved automatically.",
            "tool_description",
            siblings={"autosave": "If false, drafts are not saved."},
        ),
        Example(
            "The report is sent to you when it is done.",
            "tool_description",
            siblings={"dry": "True to skip the report."},
        ),
        Example(
            "You will receive a notification.", "tool_description", siblings={"muted": "Suppresses the notification."}
        ),
        Example(
            "Failed pages are retried automatically.",
            "tool_description",
            siblings={"once": "When set, pages are not retried."},
        ),
    )
    passed = (
        Example(
            "Unless `quiet` is true, a mail is sent when the order ships.",
            "tool_description",
            "names-argument",
            _SIBLINGS,
        ),
        Example(
            "With `quiet` false, a mail is sent when the order ships.", "tool_description", "names-argument", _SIBLINGS
        ),
        Example("By default a mail is sent when the order ships.", "tool_description", "names-argument", _SIBLINGS),
        Example(
            "A mail is sent when the order ships, except in quiet mode.",
            "tool_description",
            "names-argument",
            _SIBLINGS,
        ),
        Example(
            "A mail is sent when the order ships, if quiet is off.", "tool_description", "names-argument", _SIBLINGS
        ),
        Example(
            "A mail is sent when the order ships until quiet is set.", "tool_description", "names-argument", _SIBLINGS
        ),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each promise against the other arguments of the tool."""
        if not text.siblings:
            return
        reading = read(text.text)
        cues = (family("auto_delivery"), family("claims_delivery"))
        if not any(cue.possible(reading.words) for cue in cues):
            return
        for sentence in reading.sentences:
            match = next((one for cue in cues for one in cue.asserted(sentence)), None)
            switch = switched_off_by(sentence, text.siblings) if match is not None else None
            if match is None or switch is None:
                continue
            if names_exception(reading, sentence, [switch]):
                yield Adjudication(self.code, Verdict.PASS, "names-argument", sentence.start, sentence.end)
            else:
                yield Adjudication(
                    self.code, Verdict.FINDING, "argument-turns-it-off", sentence.start, sentence.end,
                    message=(
                        f"'{match.said}' holds only while `{switch}` does not turn it off, and the text does not name"
                        " it."
                    ),
                    confidence=Confidence.CERTAIN,
                    replacement=f"Unless `{switch}` turns it off: {sentence.raw.strip()}",
                )  # fmt: skip
