"""F201: a delivery contract that the code does not keep."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Severity, Verdict

_CONFIG = """
    [[audit.deliveries]]
    phrase = "a note is kept for you"
    persisted_by = "notes.py::keep"
    replayed_by = "notes.py::replay"
"""
_NOTES = """
    def tell():
        {call}
        return "While away, a note is kept for you."


    def keep():
        open("notes", "w").write("note")


    def replay():
        return open("notes").read()


    def start():
        {replay}
"""


class BrokenContract(Rule):
    """A declared delivery contract is broken: a symbol of it does not exist, or is not connected to the text.

    The contract is what stands between a promise and a finding. If the code that emits the phrase does not reach what
    persists it, or nothing calls what replays it, the promise is empty.

    Habit: relying on a delivery that does not happen.
    Instead: connect the code, or take the promise out of the text; then correct the contract.
    """

    code, name, habit, severity = "F201", "broken-delivery-contract", Habit.DELIVERY, Severity.HIGH
    needs_code = True
    found = (
        Example(
            "While away, a note is kept for you.",
            files={"scaup.toml": _CONFIG, "notes.py": _NOTES.format(call="pass", replay="replay()")},
        ),
        Example(
            "While away, a note is kept for you.",
            files={"scaup.toml": _CONFIG, "notes.py": _NOTES.format(call="keep()", replay="pass")},
        ),
        Example(
            "While away, a note is kept for you.",
            files={
                "scaup.toml": _CONFIG.replace("::keep", "::store"),
                "notes.py": _NOTES.format(call="keep()", replay="replay()"),
            },
        ),
    )
    passed = (
        Example(
            "While away, a note is kept for you.",
            because="contract-holds",
            files={"scaup.toml": _CONFIG, "notes.py": _NOTES.format(call="keep()", replay="replay()")},
        ),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge a text that has the phrase of a contract."""
        state = facts.delivery_contract(text)
        if state is None:
            return
        if state == "holds":
            yield Adjudication(self.code, Verdict.PASS, "contract-holds", 0, len(text.text))
        else:
            yield Adjudication(
                self.code, Verdict.FINDING, "contract-broken", 0, len(text.text),
                message=f"The delivery contract of this phrase is broken: {state}.", confidence=Confidence.CERTAIN,
            )  # fmt: skip
