"""Running git so that reading a repository never runs its code, and the names of files as git gives them.

A repository's own configuration can name programs: hooks, a file system monitor, filters, external diffs, text
conversion, signature checks, pagers, transports. Every call here switches off those that its command could reach;
what no switch covers is not called at all: `status`, `diff` on the work tree and `ls-files -m` can run a clean filter.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from scaup.pipeline.response import ScaupError

NOT_INSTALLED = 127  # what a shell returns for a program that is not there

# An empty fsmonitor is "none" to every version; "false" would be a program's name to git before 2.36.
_OPTIONS = (
    "--no-pager",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor="),
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "submodule.recurse=false"),
)

# What stays of the caller's GIT_* variables: where git itself and the user's own configuration are (safe.directory, the
# user's ignore file). The rest names another repository (GIT_DIR, GIT_INDEX_FILE: set by git for its hooks, so under
# pre-commit too, where it can be the index of a partial commit), a program (GIT_EXTERNAL_DIFF, GIT_SSH) or a trace
# file. The repository is found by path, and read with the index that it has.
_KEPT = re.compile(
    r"GIT_(EXEC_PATH|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|CONFIG_COUNT|CONFIG_KEY_\d+|CONFIG_VALUE_\d+"
    r"|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)"
)

# GIT_NO_LAZY_FETCH is known since git 2.45; before, a fetch of missing objects dies of the forbidden transport.
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}


class GitError(ScaupError):
    """git failed. `returncode` is its exit status, `NOT_INSTALLED` where there is no git."""

    def __init__(self, message: str, returncode: int) -> None:
        super().__init__("facts_unavailable", message)
        self.returncode = returncode


class Head(NamedTuple):
    """The commit that is checked out. Both are None before the first commit; `committed_at` is in epoch seconds."""

    sha: str | None
    committed_at: int | None


class Ended(NamedTuple):
    """What a finished git left behind."""

    returncode: int
    stdout: bytes
    stderr: bytes


def execute(root: Path, *commands: tuple[str, ...]) -> list[Ended]:
    """Run git commands side by side in `root`, and return how each ended; a failure is the caller's to judge."""
    started = [_start(root, command, subprocess.PIPE) for command in commands]
    ended = []
    for process in started:
        stdout, stderr = process.communicate()
        ended.append(Ended(process.returncode, stdout, stderr))
    return ended


def run(root: Path, *args: str, stdin: bytes | None = None) -> bytes:
    """Return what git prints, given `stdin` to read; raises `GitError` where it fails."""
    process = _start(root, args, subprocess.PIPE, subprocess.DEVNULL if stdin is None else subprocess.PIPE)
    stdout, stderr = process.communicate(stdin)
    if process.returncode:
        raise failure(root, process.returncode, stderr)
    return stdout


@contextmanager
def stream(root: Path, *args: str) -> Iterator[IO[bytes]]:
    """Yield git's output as it comes; raises `GitError` at the end where git failed.

    Whoever leaves before the end of the output wants no more of it: git is then ended, and its status means nothing.
    """
    import tempfile

    with tempfile.TemporaryFile() as errors, _start(root, args, errors) as process:
        if process.stdout is None:  # never: it was asked for
            raise GitError("git has no output", NOT_INSTALLED)
        try:
            yield process.stdout
            if process.stdout.read(1):
                return
            if process.wait():
                errors.seek(0)
                raise failure(root, process.returncode, errors.read(65536))
        finally:
            process.kill()


def failure(root: Path, returncode: int, stderr: bytes) -> ScaupError:
    """Return the error that tells what git said, and the way out where the owner of the folder is the trouble."""
    text = stderr.decode("utf-8", "replace")
    if "dubious ownership" in text or "unsafe repository" in text:
        return ScaupError(
            "facts_unavailable",
            f"git refuses to read {root}: another user owns it. If you trust what is in it, run "
            f"`git config --global --add safe.directory {root}`.",
        )
    lines = [line for line in text.splitlines() if line.startswith(("fatal: ", "error: "))] or text.splitlines()
    said = "; ".join(line.removeprefix("fatal: ").removeprefix("error: ") for line in lines[:3])
    return GitError(f"git failed in {root}: {said[:500] or f'exit status {returncode}'}", returncode)


def is_no_repository(ended: Ended) -> bool:
    """Return whether git looked for a repository and found none (not: found a broken one)."""
    return ended.returncode != 0 and b"not a git repository (or any" in ended.stderr


def find_root(path: Path) -> Path | None:
    """Return the top of the work tree around `path`; None where there is no repository or no git.

    Raises `ScaupError` for a repository that has no work tree here (bare, or its work tree is elsewhere) and for one
    that git refuses to read.
    """
    folder = path if path.is_dir() else path.parent
    question = ("rev-parse", "--is-bare-repository", "--is-inside-work-tree", "--show-toplevel")
    try:
        (ended,) = execute(folder, question)
    except GitError:
        return None
    if is_no_repository(ended):
        return None
    bare, inside, *rest = (*ended.stdout.split(b"\n", 2), b"", b"")[:3]
    if bare == b"true":
        raise ScaupError(
            "invalid_request", f"{path} is in a bare repository, which has no files: name a checkout of it."
        )
    if inside == b"false":
        raise ScaupError("invalid_request", f"{path} is not in the work tree of its repository: name the checkout.")
    if ended.returncode:
        raise failure(folder, ended.returncode, ended.stderr)
    root = Path(os.fsdecode(rest[0][:-1]))
    if not (root / ".git").exists():
        # core.worktree can point anywhere, also at the root of the file system.
        raise ScaupError(
            "invalid_request",
            f"{path} belongs to a repository whose work tree is set to {root}, where it has no .git.",
        )
    return root


HEAD_QUESTION = ("log", "-1", "--no-show-signature", "--no-decorate", "--no-color", "--format=%H%x00%ct")
SHALLOW_QUESTION = ("rev-parse", "--is-shallow-repository")


def head(root: Path) -> Head:
    """Return the commit that is checked out in `root`."""
    return head_of(root, execute(root, HEAD_QUESTION)[0])


def head_of(root: Path, ended: Ended) -> Head:
    """Return the commit that `HEAD_QUESTION` named."""
    if ended.returncode:
        if b"does not have any commits yet" in ended.stderr:
            return Head(None, None)
        raise failure(root, ended.returncode, ended.stderr)
    sha, committed_at = ended.stdout.strip().split(b"\0")
    return Head(sha.decode("ascii"), int(committed_at))


def is_shallow(root: Path) -> bool:
    """Return whether the history is cut off by a shallow clone."""
    return run(root, *SHALLOW_QUESTION).strip() == b"true"


def shallow_commits(root: Path) -> frozenset[str]:
    """Return the commits at the cut of a shallow clone: git shows them without parents."""
    place = root / os.fsdecode(run(root, "rev-parse", "--git-path", "shallow").removesuffix(b"\n"))
    try:
        return frozenset(place.read_text("ascii").split())
    except OSError:
        return frozenset()


def is_partial(root: Path) -> bool:
    """Return whether objects may be missing: a remote promises them (`git clone --filter`)."""
    from git.config import GitConfigParser

    place = root / os.fsdecode(run(root, "rev-parse", "--git-path", "config").removesuffix(b"\n"))
    with GitConfigParser(str(place), read_only=True, merge_includes=False) as config:
        settings = {
            (section.split()[0].lower(), option.lower())
            for section in config.sections()
            for option in config.options(section)
        }
    promises = {("extensions", "partialclone"), ("remote", "promisor"), ("remote", "partialclonefilter")}
    return not settings.isdisjoint(promises)


def encode_path(raw: bytes) -> str:
    r"""Return the text that stands for a file's name: UTF-8 as it is, other bytes as `\xNN`, a backslash as `\\`."""
    if os.sep == "\\":
        raw = raw.replace(b"\\", b"/")
    elif b"\\" in raw:
        raw = raw.replace(b"\\", b"\\\\")
    return raw.decode("utf-8", "backslashreplace")


def decode_path(path: str) -> bytes:
    """Return the bytes of a file's name: the inverse of `encode_path`. Raises ValueError for a stray backslash."""
    raw = path.encode("utf-8")
    return _ESCAPE.sub(_unescape, raw) if b"\\" in raw else raw


_ESCAPE = re.compile(rb"\\(\\|x[0-9a-f]{2})?")


def _unescape(match: re.Match[bytes]) -> bytes:
    escape = match[1]
    if escape is None:
        raise ValueError(f"a backslash is written as two in a path: {match.string.decode('utf-8', 'replace')}")
    return escape if escape == b"\\" else bytes([int(escape[1:], 16)])


def _start(
    root: Path, args: tuple[str, ...], stderr: IO[bytes] | int, stdin: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or _KEPT.fullmatch(name) is not None
    }
    command = ["git", "-C", str(root), *_OPTIONS, *args]
    try:
        return subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            env=environment | _ENVIRONMENT,
        )
    except (FileNotFoundError, PermissionError) as error:
        raise GitError("git is not installed, or not on PATH.", NOT_INSTALLED) from error
