"""Class B: absolutes that something breaks, and absolutes that nothing breaks or that name it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scaup.pipeline.text.rows import AgentText
from scaup.rules import judge
from scaup.rules.model import Verdict


def _findings(surface: str, text: str, siblings: Mapping[str, str]) -> list[str]:
    row = AgentText(text=text, surface=surface, siblings=siblings)
    return [one.rule for one in judge(row) if one.verdict is Verdict.FINDING and one.rule.startswith("B")]


@pytest.mark.parametrize(
    ("surface", "text"),
    [
        ("tool_result", "You already have the newest text of {path}; opening it again is a waste of time."),
        ("tool_result", "Since the contents are shown above, you don't need to read the file again."),
        ("hint", "No second look at the file is required before patching."),
        ("tool_result", "The ranges below remain valid, so edit by range."),
        ("tool_result", "The symbol table will never be out of date."),
        ("tool_description", "Results always reflect the latest state of the disk."),
        ("tool_result", "You may trust these offsets."),
        ("prompt", "It isn't necessary to re-check a file once you have read it."),
        ("prompt", "Once a file is in your context, never open it again."),
        ("tool_result", "Rest assured that the lock is held."),
        ("tool_description", "Deleting a cache entry is totally harmless."),
        ("tool_description", "The queue will never lose a message."),
        ("tool_description", "This operation cannot corrupt the database."),
        ("tool_description", "The call always succeeds."),
        ("tool_result", "The backup is guaranteed to be complete."),
        ("tool_description", "It can't go wrong."),
        ("hint", "It is safe to call at any time."),
        ("tool_description", "The mirror is always in sync with upstream."),
        ("tool_result", "Edit them without reading them again."),
        ("tool_result", "These references won't go stale."),
        ("tool_result", "Skip the re-read; the snippet is what is on disk."),
        ("hint", "You can rely on the outline instead of the file: it stays correct."),
        ("tool_result", "This is the exact state of the file, so patch it without looking at it again."),
        ("tool_result", "You will not have to fetch this page again."),
        ("tool_description", "The dependency graph is permanently in sync."),
        ("hint", "There's no reason to double-check these numbers."),
        ("tool_result", "Cached, and never out of date."),
        ("tool_description", "This tool never fails."),
        ("tool_description", "Works no matter what."),
        ("tool_result", "The listing is current, so feel free to rely on it."),
        ("tool_description", "Running migrations twice is completely harmless."),
        ("tool_description", "Guarantees a consistent snapshot of the tree."),
        ("tool_description", "Reverting is always possible."),
        ("prompt", "Files you've opened don't need to be opened again."),
    ],
)
def test_an_absolute_that_names_no_exception_is_found(surface: str, text: str) -> None:
    assert _findings(surface, text, {})


@pytest.mark.parametrize(
    ("surface", "text"),
    [
        ("instructions", "Always run the tests before you commit."),
        ("instructions", "Never force-push."),
        ("tool_description", "Never returns more than 50 rows."),
        ("tool_description", "Paths are always relative to the root."),
        ("tool_description", "The id never changes."),
        ("tool_result", "No need to restart the server."),
        ("instructions", "Keep the changelog up to date."),
        ("instructions", "Keep comments accurate."),
        ("instructions", "Documentation must stay accurate."),
        ("prompt", "Check that the links are still valid."),
        ("instructions", "Re-read the file after a formatter ran."),
        ("tool_result", "The branch is up to date with origin/main."),
        ("tool_result", "Everything is up to date; nothing to do."),
        ("tool_description", "Order is not guaranteed."),
        ("tool_description", "There is no guarantee that the list is complete."),
        ("tool_description", "At-least-once delivery guarantees apply."),
        ("instructions", "Do not trust this output blindly; verify it."),
        ("instructions", "Don't trust the cache."),
        ("tool_description", "Safe to retry: the request carries an idempotency key."),
        ("tool_description", "Trusts the certificates of the system store."),
        ("instructions", "Never rely on line numbers from an earlier read."),
        ("prompt", "Every answer needs a source."),
        ("instructions", "If you have not changed the file, there is no need to read it again."),
        ("instructions", "There is no need to re-read a file unless it was modified since."),
        ("error_message", "The token is no longer valid."),
        ("tool_description", "The timestamp is always in UTC."),
        ("parameter_description", "All dates are ISO 8601."),
        ("instructions", "Do not re-run the whole suite; run the failing test."),
        ("instructions", "Avoid re-reading large files in full; use offset and limit."),
        ("prompt", "Do not assume that your earlier reading is still accurate."),
        ("tool_description", "Never blocks: returns the state at once."),
        ("tool_description", "Use this tool when you need current information."),
        ("tool_result", "Is the configuration current?"),
        ("instructions", "All public functions have docstrings."),
        ("instructions", "The only way to merge is through a pull request with a review."),
        ("tool_description", "Fails if the file exists; never overwrites."),
        ("instructions", "Verify your work; do not trust the result without evidence."),
        ("instructions", "You must not edit a file without reading it first."),
        ("instructions", "Never edit a file without re-reading it."),
        ("instructions", "Do not edit without reading again what was changed."),
        ("tool_description", "Reads the file from disk, so the result is current at the time of the call."),
        ("tool_description", "Guarantees a consistent snapshot as long as no writer holds the file."),
        ("tool_description", "This tool never fails on a missing file; it returns an empty list."),
        ("instructions", "The build must never fail on warnings."),
        ("prompt", "Make the change completely safe to revert."),
        (
            "tool_description",
            "Safe to call more than once with the same key: the second call returns the first result.",
        ),
        ("tool_description", "Never prompts: set `yes` beforehand."),
        ("error_message", "There is no way to undo this."),
        ("instructions", "Prefer the search tool: it is always available."),
        ("parameter_description", "If the token is still valid it is reused."),
        ("tool_description", "A lock guarantees that two writers do not run at once."),
        ("instructions", "There's no need to verify types by hand; run mypy."),
        ("instructions", "No need to confirm with the user for read-only commands."),
    ],
)
def test_a_rule_a_fact_of_format_and_a_named_exception_pass(surface: str, text: str) -> None:
    assert not _findings(surface, text, {})


@pytest.mark.parametrize(
    ("surface", "text", "siblings"),
    [
        (
            "parameter_description",
            "Long replies are written to disk and their location is returned.",
            {"inline": "If set, the reply stays in the message however long it is."},
        ),
        (
            "tool_description",
            "The formatter runs after every edit.",
            {"format": "When false, the file is left as it was written."},
        ),
        (
            "tool_description",
            "Creates a release. A notification is posted to the channel.",
            {"quiet": "Do not post a notification."},
        ),
        (
            "tool_description",
            "Lists all issues of the project.",
            {"limit": "Maximum number of issues to return, 30 by default."},
        ),
        ("tool_description", "Reads the whole file.", {"limit": "Number of lines of the file to read; at most 2000."}),
        (
            "tool_description",
            "Calling this again is always safe.",
            {"mode": "`append` adds to the file, `replace` overwrites it."},
        ),
        ("tool_description", "Returns every match in the tree.", {"max_matches": "Stop after this many matches."}),
        ("parameter_description", "A backup of the file is kept.", {"no_backup": "Set to true to skip the backup."}),
        (
            "tool_description",
            "Deletes a branch. The user is always asked for confirmation.",
            {"yes": "Skip the confirmation."},
        ),
        (
            "tool_description",
            "Searches the entire repository.",
            {"include_ignored": "Ignored files of the repository are left out unless this is true."},
        ),
        ("parameter_description", "Tests are run after the edit.", {"skip_tests": "When true, tests are not run."}),
        ("tool_description", "Lists every open issue.", {"max_results": "At most this many issues; 50 by default."}),
        (
            "tool_description",
            "After the upload the local copy is removed.",
            {"keep_local": "Whether to keep the local copy. If true, the local copy is not removed."},
        ),
        (
            "tool_description",
            "Each commit triggers a build. All commits are scanned.",
            {"since": "Commits before this date are ignored."},
        ),
    ],
)
def test_a_statement_that_another_argument_takes_back_is_found(
    surface: str, text: str, siblings: Mapping[str, str]
) -> None:
    assert _findings(surface, text, siblings)


@pytest.mark.parametrize(
    ("surface", "text", "siblings"),
    [
        (
            "tool_description",
            "Returns the output of the command.",
            {"inline": "When true, keep the output in the reply whatever its size."},
        ),
        (
            "tool_description",
            "Sends a message to a channel.",
            {"silent": "When true, no notification sound is played."},
        ),
        ("tool_description", "Deletes the branch.", {"dry_run": "When true, nothing is deleted."}),
        ("tool_description", "Lists all branches.", {"timeout": "Seconds to wait, at most 60."}),
        ("tool_description", "Every argument is validated.", {"limit": "Maximum number of rows."}),
        ("tool_description", "Reads a file. Each line is numbered.", {"limit": "At most this many lines are read."}),
        (
            "parameter_description",
            "The full path of the file.",
            {"limit": "Maximum number of lines of the file to read."},
        ),
        (
            "tool_description",
            "Reads a file and returns its text.",
            {"offset": "Line to start at; only use it for large files."},
        ),
        (
            "parameter_description",
            "Whether the file is created when it does not exist.",
            {"overwrite": "Do not create the file if it exists."},
        ),
        (
            "tool_description",
            "Moves a file to another folder.",
            {"overwrite": "If false, existing files are not moved over."},
        ),
        (
            "parameter_description",
            "The complete new content of the file.",
            {"max_size": "Files above this size are skipped."},
        ),
        (
            "tool_description",
            "Searches files. Results are sorted by path.",
            {"regex": "When false, the pattern is not read as an expression."},
        ),
        (
            "tool_description",
            "Shows the log of a job.",
            {"follow": "When false, do not wait for new lines of the log."},
        ),
        (
            "tool_description",
            "Returns a page of results; all pages together give every result.",
            {"page_size": "At most 100 results a page."},
        ),
        ("tool_description", "Each result is shown with its path.", {"max_results": "At most this many results."}),
        ("parameter_description", "Ids of all files to delete.", {"max_files": "At most this many files are deleted."}),
        ("tool_description", "Runs a query and returns the rows.", {"dry_run": "If true, the query is not run."}),
        (
            "tool_description",
            "Writes text to a file. The file is created if it does not exist.",
            {"append": "When true, the text is added and the file is not replaced."},
        ),
        ("tool_description", "Renames all references.", {"max_results": "At most this many files are shown."}),
        (
            "tool_description",
            "Lists every open issue, at most `max_results`.",
            {"max_results": "At most this many issues."},
        ),
        ("parameter_description", "All labels that the issue gets.", {"limit": "At most this many labels are kept."}),
        ("tool_description", "Deletes a file.", {"force": "Do not ask before the file is deleted."}),
        (
            "tool_description",
            "Search for a pattern in files.",
            {"case": "When false, case does not matter for the pattern."},
        ),
        ("tool_description", "Opens a pull request.", {"draft": "If true, the pull request is not open for review."}),
    ],
)
def test_an_argument_that_is_about_something_else_accuses_nobody(
    surface: str, text: str, siblings: Mapping[str, str]
) -> None:
    assert not _findings(surface, text, siblings)
