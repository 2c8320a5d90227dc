"""D103: a success sentence stands in an error branch, or in a dry-run branch that it does not name."""

from __future__ import annotations

from collections.abc import Iterator

from scaup.pipeline.text.rows import AgentText
from scaup.rules.code_facts import CodeFacts
from scaup.rules.lexicon import family, read
from scaup.rules.model import Adjudication, Confidence, Example, Habit, Rule, Severity, Verdict

_SURFACES = frozenset({"tool_result", "notification", "hint"})


class SuccessInFailingBranch(Rule):
    """A success sentence is emitted from an error branch, or from a dry-run branch without saying so.

    The code knows that something failed, or that nothing was written; the text that the agent gets says that it was
    done.

    Habit: taking failed or simulated work for done.
    Instead: say in that branch what happened: what failed, that nothing was written, `dry run`.
    """

    code, name, habit, severity = "D103", "success-in-failing-branch", Habit.COMPLETION, Severity.HIGH
    found = (
        Example("Saved {path} successfully.", branch="error"),
        Example("Done.", branch="error"),
        Example("All entries were deleted.", branch="dry_run"),
        Example("Updated {n} rows.", branch="dry_run"),
        Example("Upload completed.", branch="error"),
        Example("Success", branch="dry_run"),
    )
    passed = (
        Example("Saved {path}, but the formatter failed.", because="gap-is-named", branch="error"),
        Example("[dry run] {n} entries deleted.", because="gap-is-named", branch="dry_run"),
        Example("Nothing was deleted.", because="gap-is-named", branch="dry_run"),
        Example("Would be deleted: {n} entries, done by the next run.", because="gap-is-named", branch="dry_run"),
        Example("Created {n} of {total} files.", because="gap-is-named", branch="error"),
        Example("Not saved: the disk is full.", because="gap-is-named", branch="error"),
    )

    def adjudicate(self, text: AgentText, facts: CodeFacts) -> Iterator[Adjudication]:
        """Judge a text that an error or dry-run branch emits; elsewhere a text of done work that names a gap passes."""
        if text.surface not in _SURFACES:
            return
        reading = read(text.text)
        if not family("done_any").possible(reading.words) and not family("success_words").possible(reading.words):
            return
        gap = family("dry_named" if text.branch == "dry_run" else "gap_named")
        named = any(gap.touches(sentence) for sentence in reading.sentences)
        if named and any(family("done_any").touches(sentence) for sentence in reading.sentences):
            yield Adjudication(self.code, Verdict.PASS, "gap-is-named", 0, len(text.text))
        if named or text.branch is None:
            return
        matches = [m for sentence in reading.sentences for m in family("success_words").used(sentence)]
        match = next((m for m in matches if not m.negated), None)
        if match is not None:
            where = "an error branch" if text.branch == "error" else "a dry-run branch"
            yield Adjudication(
                self.code, Verdict.FINDING, "success-in-branch", match.sentence.start, match.sentence.end,
                message=f"'{match.said}' is emitted from {where}, and the text does not say what was not done.",
                confidence=Confidence.CERTAIN if text.branch == "dry_run" else Confidence.LIKELY,
                replacement=f"[dry run] {match.sentence.raw.strip()}" if text.branch == "dry_run" else None,
            )  # fmt: skip
