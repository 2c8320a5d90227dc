"""F202: a delivery is promised by code that has no side effect, and is called by none that has."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, read
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Severity, Verdict

_SERVER = """
    from mcp.server.fastmcp import FastMCP
    from notes import accept

    mcp = FastMCP("notes")


    @mcp.tool()
    def draft(text: str) -> str:
        \"\"\"Takes a draft.\"\"\"
        return accept(text)
"""
_NOTES = """
    def accept(text):
        {before}return f"{{len(text)}} characters; {promise}"


    def keep(text):
        with open("draft", "w") as file:
            file.write(text)
"""
_TYPESCRIPT = """
    import {{ writeFileSync }} from "node:fs";

    export function handleRemind(args: {{ name: string }}): string {{
      {before}return `You will be notified when ${{args.name}} is done.`;
    }}

    function store(name: string): void {{
      writeFileSync("reminders", name);
    }}
"""
_GO = """
    package shop

    import "os"

    func handleWatch(name string) string {{
        {before}return "The report is sent automatically."
    }}

    func watch(name string) {{ os.WriteFile("watched", []byte(name), 0o600) }}
"""
_RUST = """
    pub fn handle_edit(line: usize) -> String {{
        {before}String::from("Your change is saved in the background.")
    }}

    fn save() {{ std::fs::write("draft", "1").unwrap(); }}
"""


def _python(before: str = "", promise: str = "the draft is saved automatically.") -> dict[str, str]:
    return {"server.py": _SERVER, "notes.py": _NOTES.format(before=before, promise=promise)}


class PromiseWithoutEffect(Rule):
    """A delivery or saving is promised by code that does nothing but compute.

    Neither the function that gives the text out, nor what it calls, nor what calls it, writes, sends or schedules
    anything: nothing is there that could keep the promise. Code whose effects are not known is left to the wording.

    Habit: relying on a delivery that does not happen.
    Instead: do what the text says before it is said; or say what the caller has to do: save it, ask for it.
    """

    code, name, habit, severity = "F202", "promise-without-effect", Habit.DELIVERY, Severity.HIGH
    needs_code = True
    found = (
        Example("{} characters; the draft is saved automatically.", files=_python()),
        Example(
            "You will be notified when {args.name} is done.", files={"src/remind.ts": _TYPESCRIPT.format(before="")}
        ),
        Example(
            "The report is sent automatically.", files={"go.mod": "module shop\n", "watch.go": _GO.format(before="")}
        ),
        Example("Your change is saved in the background.", files={"src/lib.rs": _RUST.format(before="")}),
    )
    passed = (
        Example("{} characters; the draft is saved automatically.", files=_python("keep(text)\n        ")),
        # What cannot be resolved may do anything.
        Example("{} characters; the draft is saved automatically.", files=_python("STORE.put(text)\n        ")),
        Example(
            "{} characters; the draft is not saved automatically.",
            files=_python(promise="the draft is not saved automatically."),
        ),
        # The caller does it.
        Example(
            "{} characters; the draft is saved automatically.",
            files={
                **_python(),
                "server.py": _SERVER.replace("return accept", "open('draft', 'w').write(text)\n        return accept"),
            },
        ),
        Example(
            "You will be notified when {args.name} is done.",
            files={"src/remind.ts": _TYPESCRIPT.format(before="store(args.name);\n      ")},
        ),
        Example(
            "The report is sent automatically.",
            files={"go.mod": "module shop\n", "watch.go": _GO.format(before="watch(name)\n        ")},
        ),
        Example(
            "Your change is saved in the background.", files={"src/lib.rs": _RUST.format(before="save();\n        ")}
        ),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge each promise in a text that code gives out."""
        if text.surface not in ("tool_result", "notification", "hint") or text.context in ("docstring", "log"):
            return
        cue = family("auto_delivery")
        reading = read(text.text)
        if not cue.possible(reading.words) or not facts.is_effect_free(text):
            return
        for sentence in reading.sentences:
            match = next(iter(cue.asserted(sentence)), None)
            if match is None or not family("plain_promise").holds(sentence):
                continue
            if facts.delivery_contract(text) == "holds":
                yield Adjudication(self.code, Verdict.PASS, "contract-holds", sentence.start, sentence.end)
                continue
            yield Adjudication(
                self.code, Verdict.FINDING, "nothing-keeps-it", sentence.start, sentence.end,
                message=(
                    f"'{match.said}' promises a delivery, and the code that says so has no side effect, nor has what "
                    "calls it: nothing can keep the promise."
                ),
                confidence=Confidence.LIKELY,
            )  # fmt: skip
