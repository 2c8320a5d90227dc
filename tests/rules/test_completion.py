"""Class D: success that is assumed or claimed without evidence, and texts that ask for evidence or name the gap."""

from __future__ import annotations

import pytest

from scaup.pipeline.text.rows import AgentText
from scaup.rules import judge
from scaup.rules.model import Verdict


def _findings(surface: str, text: str, branch: str | None) -> list[str]:
    row = AgentText(text=text, surface=surface, branch=branch)
    return [one.rule for one in judge(row) if one.verdict is Verdict.FINDING and one.rule.startswith("D")]


@pytest.mark.parametrize(
    ("surface", "text"),
    [
        ("instructions", "When the server does not answer, regard the order as placed."),
        ("prompt", "You may presume that the tests pass."),
        ("hint", "Treat a timeout as success."),
        ("instructions", "If there's no error message, the install was successful."),
        ("prompt", "An empty response means the record was saved."),
        ("prompt", "Tell the user it is done as soon as you've started the job."),
        ("prompt", "Once the email request is submitted, mark the item as complete."),
        ("tool_description", "Silence is success."),
        ("instructions", "Unless you see an error, consider the change deployed."),
        ("prompt", "Act as though the file had been written."),
        ("prompt", "Proceed as if the migration succeeded."),
        ("instructions", "Don't wait for the result; just report success."),
        ("hint", "No need to verify: the upload can be taken as complete."),
        ("instructions", "Report success even if some files were skipped."),
        ("prompt", "If you are unsure whether the write went through, say that it did."),
        ("instructions", "Count the task as done when the command was issued."),
        ("prompt", "Say the tests pass without running them."),
        ("instructions", "It's fine to assume everything worked."),
        ("prompt", "The absence of output indicates that the patch applied cleanly."),
        ("instructions", "Should the request hang, count it as delivered and move to the next."),
        ("prompt", "Report the deployment as live once the pipeline has been triggered."),
        ("hint", "The edit can be considered done; carry on."),
        ("instructions", "A command without output has succeeded."),
        ("prompt", "If verification is slow, skip it and tell the user the fix works."),
        ("instructions", "Assume the tests pass if they take too long."),
        ("prompt", "As soon as the patch is written, the task is finished."),
        ("tool_description", "When no error is raised you can take the row as inserted."),
        ("prompt", "Even when the upload fails, finish with a success message."),
        ("prompt", "Set the status to done immediately after dispatching the sub-agent."),
    ],
)
def test_success_without_evidence_is_found(surface: str, text: str) -> None:
    assert _findings(surface, text, None)


@pytest.mark.parametrize(
    ("surface", "text"),
    [
        ("prompt", "Never report success without evidence."),
        ("instructions", "Do not mark a task complete until its tests pass."),
        ("prompt", "Don't assume that the command worked; read its output."),
        ("instructions", "Do not treat a timeout as success."),
        ("prompt", "Consider the user's intent before you act."),
        ("prompt", "Assume the user is an expert."),
        ("instructions", "Assume that the working directory is clean."),
        ("instructions", "Assume paths are relative to the root."),
        ("parameter_description", "If nothing is given, all files are processed."),
        ("parameter_description", "If empty, the current branch is updated."),
        ("parameter_description", "When no message is passed, the default one is used."),
        ("tool_description", "Returns true if the file was deleted."),
        ("tool_description", "If no error occurs, the record is returned."),
        ("prompt", "When the task is complete, call finish."),
        ("prompt", "Mark a task as completed when its tests pass."),
        ("prompt", "Mark each item as completed as soon as you are done with it."),
        ("instructions", "Mark todos as in_progress before you start and as completed after you finish."),
        ("tool_description", "Marks a todo as completed."),
        ("tool_result", "Command started."),
        ("tool_result", "Message sent."),
        ("instructions", "Treat warnings as errors."),
        ("instructions", "Treat the file as valid JSON."),
        ("prompt", "Consider adding a test if one is missing."),
        ("prompt", "Think of a good name for the created branch."),
        ("instructions", "If the build fails, report the failure and mark the task as blocked."),
        ("instructions", "If the test fails, fix it and report when it is fixed."),
        ("error_message", "If the error persists, report it and close the issue."),
        ("tool_description", "Treats missing files as deleted."),
        ("tool_description", "Pending requests are considered approved after a reviewer has signed."),
        ("instructions", "If a hook prints an error, take it as a request to fix the code."),
        ("tool_description", "Exit code 0 means success."),
        ("tool_result", "No output."),
        ("tool_result", "Command succeeded with no output."),
        ("tool_description", "Reads the config; if nothing is found, it is created."),
        ("instructions", "Report the error, then continue with the next file that is not done."),
        ("prompt", "If the request times out, check whether the record was saved."),
        ("instructions", "If you are unsure whether it succeeded, read the file back."),
        ("instructions", "Ignore warnings from the linter."),
        ("instructions", "If tests were skipped, list them and say which were not run."),
        ("tool_description", "Messages are marked as read once they are returned."),
        ("tool_description", "A message counts as delivered when the broker has acknowledged it."),
        ("instructions", "Log errors and continue."),
        ("prompt", "Record the decision as accepted or rejected."),
        ("prompt", "Take the returned id and call get_result with it."),
        ("instructions", "When a subtask is finished, check it off and go to the next one."),
        ("tool_description", "If the command exits with 0, the deployment succeeded."),
        ("prompt", "Count how many tests passed."),
        ("prompt", "List the files that were created."),
        ("parameter_description", "Set to true to close the issue when it is fixed."),
        ("prompt", "Read the merged file."),
        ("prompt", "Report the deployment as live once the health check has passed."),
        ("instructions", "A command without output may have failed: check the exit code."),
        ("instructions", "Treat a missing exit code as a failure."),
        ("instructions", "Assume nothing: check that the file was written."),
        ("prompt", "Say that the tests passed only if you ran them."),
        ("prompt", "Do not say the bug is fixed without running the test."),
        ("instructions", "Write the tests without checking in snapshots."),
        ("tool_description", "Without output the command is still recorded."),
        ("tool_result", "Job {id} was sent to the queue; it has not run yet."),
        ("instructions", "Treat the user's instruction as complete only when each point is covered."),
        ("tool_description", "Events are considered processed after the handler returns 200."),
        ("instructions", "If the linter prints nothing, go on with the tests."),
        ("prompt", "Assume that the reader has finished the tutorial."),
        ("prompt", "Suppose the user asks whether the order was sent."),
    ],
)
def test_a_demand_for_evidence_and_a_word_of_the_domain_pass(surface: str, text: str) -> None:
    assert not _findings(surface, text, None)


@pytest.mark.parametrize(
    ("surface", "text", "branch"),
    [
        ("tool_result", "Deleted {n} files.", "error"),
        ("tool_result", "The record has been saved.", "error"),
        ("tool_result", "✅ All set!", "error"),
        ("tool_result", "File written to {path}.", "dry_run"),
        ("tool_result", "Successfully removed {name}", "dry_run"),
        ("tool_result", "Deployment complete", "error"),
    ],
)
def test_a_success_sentence_in_a_failing_branch_is_found(surface: str, text: str, branch: str | None) -> None:
    assert _findings(surface, text, branch)


@pytest.mark.parametrize(
    ("surface", "text", "branch"),
    [
        ("tool_result", "Saved {n} of {m}; {k} failed.", "error"),
        ("tool_result", "Could not save {path}.", "error"),
        ("error_message", "File was deleted by another process.", "error"),
        ("tool_result", "Would delete {n} files.", "dry_run"),
        ("tool_result", "{n} files to be deleted.", "dry_run"),
        ("tool_result", "Done reading; the file is not valid JSON.", "error"),
        ("tool_result", "Already deleted.", "error"),
        ("tool_result", "File {path} already exists.", "error"),
    ],
)
def test_a_failing_branch_that_names_the_gap_passes(surface: str, text: str, branch: str | None) -> None:
    assert not _findings(surface, text, branch)
