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
    TEXT = "While away, {phrase}."


    def tell():
        {call}
        return {returned}


    def keep():
        open("notes", "w").write("note")


    def replay():
        return open("notes").read()


    def start():
        {replay}
"""
_GO_CONFIG = """
    [[audit.deliveries]]
    phrase = "a completion reminder"
    persisted_by = "jobs/registry.go::Registry.Persist"
    replayed_by = "Registry.Replay"
    acknowledged_by = "Registry.Acknowledge"
"""
_GO_REGISTRY = """
    package jobs

    import "os"

    type Registry struct{ path string }

    func (r *Registry) Persist(name string) { os.WriteFile(r.path, []byte(name), 0o600) }

    func (r *Registry) Replay() string { content, _ := os.ReadFile(r.path); return string(content) }

    func (r *Registry) Acknowledge() { os.Remove(r.path) }
"""
_GO_START = """
    package jobs

    func Start(r *Registry, name string) string {
        record(r, name)
        return "A completion reminder follows."
    }

    func record(r *Registry, name string) { r.Persist(name) }

    func Resume(r *Registry) string {
        defer r.Acknowledge()
        return r.Replay()
    }
"""
_RUST_CONFIG = """
    [[audit.deliveries]]
    phrase = "is resumed"
    persisted_by = "src/lib.rs::Queue::persist"
    replayed_by = "src/lib.rs::Queue::replay"
"""
_RUST = """
    pub struct Queue { path: String }

    impl Queue {
        pub fn persist(&self) { std::fs::write(&self.path, "1").unwrap(); }
        pub fn replay(&self) -> String { std::fs::read_to_string(&self.path).unwrap() }
    }

    pub fn stop(queue: &Queue) -> String {
        queue.persist();
        "The upload is resumed later.".to_string()
    }

    pub fn start(queue: &Queue) -> String { queue.replay() }
"""
_TESTED = """
    from notes import replay


    def test_replay():
        assert replay()
"""


def _python(call: str = "keep()", replay: str = "replay()", written: str = "keep", phrase: str = "") -> dict[str, str]:
    returned = "TEXT" if phrase else '"While away, a note is kept for you."'
    notes = _NOTES.format(call=call, replay=replay, phrase=phrase or "nothing", returned=returned)
    return {"scaup.toml": _CONFIG.replace("::keep", f"::{written}"), "notes.py": notes}


def _go(start: str) -> dict[str, str]:
    files = {"go.mod": "module shop\n", "scaup.toml": _GO_CONFIG}
    return {**files, "jobs/registry.go": _GO_REGISTRY, "jobs/start.go": start}


def _rust(code: str) -> dict[str, str]:
    manifest = '[package]\nname = "shop"\nversion = "0.1.0"\n'
    return {"Cargo.toml": manifest, "scaup.toml": _RUST_CONFIG, "src/lib.rs": code}


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
        Example("While away, a note is kept for you.", files=_python(call="pass")),
        Example("While away, a note is kept for you.", files=_python(written="store")),
        Example("While away, a note is kept for you.", files={**_python(replay="pass"), "test_notes.py": _TESTED}),
        Example("While away, a note is kept for you.", files=_python(call="pass", phrase="a note is kept for you")),
        Example("A completion reminder follows.", files=_go(_GO_START.replace("defer r.Acknowledge()", ""))),
        Example("The upload is resumed later.", files=_rust(_RUST.replace("queue.persist();", ""))),
    )
    passed = (
        Example("While away, a note is kept for you.", because="contract-holds", files=_python()),
        Example(
            "While away, a note is kept for you.",
            because="contract-holds",
            files=_python(phrase="a note is kept for you"),
        ),
        Example("A completion reminder follows.", because="contract-holds", files=_go(_GO_START)),
        Example("The upload is resumed later.", because="contract-holds", files=_rust(_RUST)),
        # What a document says of the phrase is given out by no code.
        Example(
            "While away, a note is kept for you.",
            because="contract-holds",
            files={**_python(), "AGENTS.md": "While away, a note is kept for you.\n"},
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
