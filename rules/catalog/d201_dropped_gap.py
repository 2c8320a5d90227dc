"""D201: a formatter renders success while its producer can report a gap that it never reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, read
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Severity, Verdict

# Small repositories: a producer whose result can have a gap, and what renders it, in a file of its own.
_ARCHIVE = """
    def copy_all(names):
        failed = [name for name in names if not copy(name)]
        return {"copied": len(names) - len(failed), "failed": failed}


    def copy(name):
        return bool(name)
"""
_NEVER_FAILING = """
    def copy_all(names):
        return {"copied": len(names), "failed": []}
"""
_SERVER = """
    from mcp.server.fastmcp import FastMCP
    from shop.archive import copy_all

    mcp = FastMCP("shop")


    @mcp.tool()
    def copy_orders(names: list[str]) -> str:
        \"\"\"Copies orders to the archive.\"\"\"
        result = copy_all(names)
        return f"Copied {result['copied']} orders."
"""
_READING = _SERVER.replace(
    "        return f",
    "        if result['failed']:\n            return f\"Left: {result['failed']}\"\n        return f",
)
_PAGES = """
    from dataclasses import dataclass


    @dataclass
    class Page:
        orders: list
        truncated: bool


    def find(word, limit=50):
        orders = [order for order in ORDERS if word in order]
        return Page(orders=orders[:limit], truncated=len(orders) > limit)
"""
_LISTING = """
    from shop.pages import Page, find


    def call_tool(name, arguments):
        page = find(arguments["word"])
        return render(page){more}


    def render(page: Page) -> str:
        return f"Found {{len(page.orders)}} orders."


    def footer(page: Page) -> str:
        return " (cut)" if page.truncated else ""
"""
_UPLOAD_TS = """
    export async function uploadAll(names: string[]) {
      const skipped = names.filter((name) => !name);
      return { uploaded: names.length - skipped.length, skipped };
    }
"""
_TOOL_TS = """
    import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
    import { uploadAll } from "./upload";

    const server = new McpServer({ name: "shop", version: "1" });
    server.registerTool("upload", { description: "Uploads files." }, async ({ names }) => {
      const done = await uploadAll(names);
      return { content: [{ type: "text", text: WRITTEN }] };
    });
"""
_PLAIN_TS = "`Uploaded ${done.uploaded} files.`"
_WHOLE_TS = "`Uploaded ${done.uploaded} files. ${JSON.stringify(done)}`"
_SYNC_GO = """
    package shop

    type Outcome struct {
        Synced   int
        Complete bool
    }

    func syncAll(names []string) Outcome {
        if len(names) > 100 {
            return Outcome{Synced: 100, Complete: false}
        }
        return Outcome{Synced: len(names), Complete: true}
    }
"""
_HANDLER_GO = """
    package shop

    import "fmt"

    func handleSync(names []string) string {
        outcome := syncAll(names)
        return render(outcome)MORE
    }

    func render(outcome Outcome) string {
        return fmt.Sprintf("Synced %d repositories.", outcome.Synced)
    }
"""
_EDITS_RS = """
    pub struct Applied { pub edits: usize, pub rolled_back: bool }

    pub fn apply_all(edits: &[Edit]) -> Applied {
        let valid = edits.iter().all(|edit| edit.parses());
        Applied { edits: edits.len(), rolled_back: !valid }
    }
"""
_TOOL_RS = """
    mod edits;
    use crate::edits::apply_all;

    pub fn handle_apply(edits: &[Edit]) -> String {
        let applied = apply_all(edits);
        format!(WRITTEN)
    }
"""
# A sentence that begins with what was done: not with what was not, or is to be.
_PAST = re.compile(
    r"[^a-z]*(?:successfully |now )?"
    r"(?!un|need|fail|deni|refus|reject|expect|requir|support|allow|deprec|block|limit|indeed)[a-z]{2,}ed\b"
)


def _python(archive: str, server: str) -> dict[str, str]:
    return {"shop/__init__.py": "", "shop/archive.py": archive, "shop/server.py": server}


def _pages(more: str) -> dict[str, str]:
    return {"shop/__init__.py": "", "shop/pages.py": _PAGES, "shop/listing.py": _LISTING.format(more=more)}


def _typescript(written: str) -> dict[str, str]:
    return {"src/upload.ts": _UPLOAD_TS, "src/server.ts": _TOOL_TS.replace("WRITTEN", written)}


def _go(more: str) -> dict[str, str]:
    return {"go.mod": "module shop\n", "sync.go": _SYNC_GO, "handler.go": _HANDLER_GO.replace("MORE", more)}


def _rust(written: str) -> dict[str, str]:
    manifest = '[package]\nname = "shop"\nversion = "0.1.0"\n'
    return {"Cargo.toml": manifest, "src/edits.rs": _EDITS_RS, "src/lib.rs": _TOOL_RS.replace("WRITTEN", written)}


class DroppedGap(Rule):
    """A formatter renders a result as success, and never reads the member of it that says what is missing.

    The producer of the result can report failures, skipped items or a truncation; the text that the agent gets is the
    same with and without them. The chain is read out of the code: who calls whom, which members are written and read.

    Habit: taking partial work for done.
    Instead: read the member in the formatter and say it: how many of how many, the names of what failed, `truncated`.
    """

    code, name, habit, severity = "D201", "dropped-gap", Habit.COMPLETION, Severity.HIGH
    needs_code = True
    found = (
        Example("Copied {} orders.", files=_python(_ARCHIVE, _SERVER)),
        Example("Found {} orders.", files=_pages("")),
        Example("Uploaded {done.uploaded} files.", files=_typescript(_PLAIN_TS)),
        Example("Synced {outcome.Synced} repositories.", files=_go("")),
        Example("Applied {applied.edits} edits.", files=_rust('"Applied {} edits.", applied.edits')),
    )
    passed = (
        Example("Copied {} orders.", because="reads-gap", files=_python(_ARCHIVE, _READING)),
        # Nothing can be in it.
        Example("Copied {} orders.", files=_python(_NEVER_FAILING, _SERVER)),
        Example("Found {} orders.", because="reads-gap", files=_pages(" + footer(page)")),
        Example("Uploaded {done.uploaded} files. {}", because="gives-result-out", files=_typescript(_WHOLE_TS)),
        Example(
            "Synced {outcome.Synced} repositories.",
            because="reads-gap",
            files=_go(' + fmt.Sprintf(" All: %t.", outcome.Complete)'),
        ),
        Example(
            "Applied {applied.edits} edits, or rolled back.",
            because="names-gap",
            files=_rust('"Applied {} edits, or rolled back.", applied.edits'),
        ),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge a text that reports work or an amount by what the code around it looks at."""
        if text.surface not in ("tool_result", "notification", "hint") or text.branch is not None:
            return
        if text.context in ("raise", "log", "docstring") or not _reports(text):
            return
        gap = facts.dropped_gap(text)
        if gap is None:
            return
        if gap.looked is not None:
            yield Adjudication(self.code, Verdict.PASS, gap.looked, 0, len(text.text))
            return
        yield Adjudication(
            self.code, Verdict.FINDING, "drops-gap", 0, len(text.text),
            message=(
                f"{gap.producer} ({gap.path}:{gap.line}) can give back `{gap.field}`, "
                f"and {gap.formatter}, which renders its result here, never reads it."
            ),
            confidence=Confidence.CERTAIN if gap.certain else Confidence.LIKELY,
        )  # fmt: skip


def _reports(text: AgentText) -> bool:
    sentences = read(text.text).sentences
    if any(family("reports_work").touches(sentence) or _PAST.match(sentence.stream) for sentence in sentences):
        return True
    counts = bool(text.placeholders) or any(char.isdigit() for char in text.text)
    return counts and any(family("reports_amount").touches(sentence) for sentence in sentences)
