"""What the working tree changed since a revision, told without running a filter or an external diff.

git lists the blobs of the revision and prints them; the comparison is ours. `git diff` on a work tree would pass files
through clean filters, which are programs that the repository names.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from scaup.pipeline import git
from scaup.pipeline.facts import Facts
from scaup.pipeline.pack.lines import Hunk, hunks
from scaup.pipeline.pack.source import decode
from scaup.pipeline.response import ScaupError
from scaup.pipeline.stages.dirty import blob_id
from scaup.pipeline.stages.discover import open_file

_BATCH = 500  # blobs that one process prints: what is in memory at once
# A file above it that the facts have no hash of counts as changed: nobody waits for the hash of a disk image.
_READ_BYTES = 64 * 1024 * 1024
_BINARY = 8000  # bytes in which a NUL makes a file binary: git's own rule
_NOT_COMPARED = frozenset({"ignored", "submodule"})  # out of scope by choice; a repository of its own
_POINTER = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True)
class Change:
    """A file that differs. `hunks` say where; `what` says how, where lines do not."""

    path: str
    hunks: list[Hunk]
    what: str | None = None
    is_new: bool = False


@dataclass(frozen=True)
class Revision:
    """A revision as it was named, and the object that it is (a commit, or a tree)."""

    name: str
    sha: str


def resolve(root: Path, name: str) -> Revision:
    """Find a revision; raises `invalid_request` where there is none of that name, or no git repository."""
    if not name.strip() or name.startswith("-") or "\0" in name:
        raise _unknown(name)
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise _unknown(name) from None
    questions = [("rev-parse", "--verify", "--quiet", f"{name}^{{{kind}}}") for kind in ("tree", "commit")]
    tree, commit = git.execute(root, *questions)
    if git.is_no_repository(tree):
        raise ScaupError("invalid_request", f"{root} is no git repository: it has no revision to compare with.")
    if tree.returncode:
        if b"dubious ownership" in tree.stderr:
            raise git.failure(root, tree.returncode, tree.stderr)
        raise _unknown(name, is_shallow=git.is_shallow(root))
    sha = (tree if commit.returncode else commit).stdout.decode("ascii").strip()
    return Revision(name, sha)


def _unknown(name: str, *, is_shallow: bool = False) -> ScaupError:
    way_out = " The clone is shallow: `git fetch --unshallow` brings older ones." if is_shallow else ""
    return ScaupError(
        "invalid_request",
        f"git knows no revision {name!r}. Name one commit, branch or tag, such as HEAD, main or HEAD~3.{way_out}",
    )


def changes(facts: Facts, revision: Revision) -> list[Change]:
    """Return the files of the working tree that differ from a revision, by path.

    Untracked files count, and deleted ones. A file whose content at the revision is missing (a partial clone) becomes
    a gap of the facts, and stays as a change without lines.
    """
    root = facts.project.root
    old = _tree(root, revision.sha)
    rows = facts.con.execute("SELECT path, content_hash, excluded_reason FROM files").fetchall()
    known = {path: (known, reason) for path, known, reason in rows}
    found = [Change(path, [], _lost(root, path)) for path in sorted(old.keys() - known.keys())]
    if facts.gaps.walk_truncated:  # what was not listed is not gone
        found = [change for change in found if change.what == "file deleted"]
    if found:
        sparse = _sparse(root)
        found = [change for change in found if change.path not in sparse]
    differing: list[tuple[str, str | None]] = []
    for path, (content, reason) in known.items():
        before = old.get(path)
        if reason in _NOT_COMPARED or (before is not None and content == before):
            continue
        if content is None and before is not None and _hash(root, path, before) == before:
            continue
        differing.append((path, before))
    found += _compare(facts, sorted(differing))
    return sorted(found, key=lambda change: change.path)


def _tree(root: Path, sha: str) -> dict[str, str]:
    """Return the blob ids of a revision's files and links, by path."""
    found = {}
    for row in git.run(root, "ls-tree", "-r", "-z", "--full-tree", sha).split(b"\0"):
        about, _, raw = row.partition(b"\t")
        if raw:
            _, kind, blob = about.split(b" ")
            if kind == b"blob":
                found[git.encode_path(raw)] = blob.decode("ascii")
    return found


def _lost(root: Path, path: str) -> str:
    there = os.path.lexists(os.path.join(os.fsencode(root), git.decode_path(path)))  # noqa: PTH118
    return "file no longer tracked" if there else "file deleted"


def _sparse(root: Path) -> set[str]:
    """Return the files that a sparse checkout leaves out."""
    listed = git.run(root, "ls-files", "-z", "-t", "--cached").split(b"\0")
    return {git.encode_path(row[2:]) for row in listed if row[:2] == b"S "}


def _hash(root: Path, path: str, like: str) -> str | None:
    """Return the blob id of a file that the facts have none of; None where it cannot be told."""
    place = os.path.join(os.fsencode(root), git.decode_path(path))  # noqa: PTH118
    try:
        about = os.lstat(place)
        if stat.S_ISLNK(about.st_mode):
            return blob_id(os.fsencode(os.readlink(place)), like)  # noqa: PTH115
        return blob_id(_content(root, path), like) if about.st_size <= _READ_BYTES else None
    except OSError:
        return None


def _content(root: Path, path: str) -> bytes:
    with os.fdopen(open_file(root, git.decode_path(path)), "rb") as file:
        return file.read()


def _compare(facts: Facts, differing: list[tuple[str, str | None]]) -> Iterator[Change]:
    """Yield how files differ from blobs; None is a file that is new."""
    root, limit = facts.project.root, facts.project.settings.max_file_bytes
    for start in range(0, len(differing), _BATCH):
        batch = differing[start : start + _BATCH]
        sizes = _sizes(root, sorted({blob for _, blob in batch if blob}))
        blobs = dict(_blobs(root, [blob for blob, size in sizes.items() if size is not None and size <= limit]))
        for path, blob in batch:
            try:
                new = _content(root, path)
            except OSError:
                yield Change(path, [], "file differs")  # a link, or unreadable
                continue
            if blob and sizes[blob] is None:
                facts.gaps.skip(path, "its content at the revision is missing")
                yield Change(path, [], "file differs, its content at the revision is missing")
            elif (blob and blob not in blobs) or len(new) > limit:
                yield Change(path, [], "file differs, too large to compare")
            elif change := _change(path, blobs[blob] if blob else None, new):
                yield change


def _change(path: str, old: bytes | None, new: bytes) -> Change | None:
    if b"\0" in new[:_BINARY] or b"\0" in (old or b"")[:_BINARY]:
        return Change(path, [], "binary file differs" if old is not None else "new binary file")
    if old is not None and old.startswith(_POINTER) and hashlib.sha256(new).hexdigest().encode() in old:
        return None  # Git LFS keeps it elsewhere
    found = hunks(_lines(old or b""), _lines(new))
    if old is None:
        return Change(path, found, None if found else "new empty file", is_new=True)
    return Change(path, found) if found else None  # line ends alone are how git stores a file


def _lines(content: bytes) -> list[str]:
    """Return the lines of a content; the end of the last one is no line."""
    lines = decode(content)
    return lines if lines[-1] else lines[:-1]


def _sizes(root: Path, blobs: list[str]) -> dict[str, int | None]:
    """Return the sizes of blobs; None where one is missing."""
    if not blobs:
        return {}
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    try:
        rows = git.run(root, "cat-file", "--batch-check", stdin=asked).decode("ascii").splitlines()
    except git.GitError:
        # Before 2.45, git ends at the first blob that a partial clone lacks: then each is asked for by itself.
        ended = {blob: git.execute(root, ("cat-file", "-s", blob))[0] for blob in blobs}
        return {blob: None if one.returncode else int(one.stdout) for blob, one in ended.items()}
    return {row.split()[0]: None if row.endswith("missing") else int(row.split()[2]) for row in rows}


def _blobs(root: Path, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the contents of blobs."""
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    printed = git.run(root, "cat-file", "--batch", stdin=asked) if asked else b""
    at = 0
    while at < len(printed):
        end = printed.index(b"\n", at)
        blob, _, size = printed[at:end].decode("ascii").split(" ")
        yield blob, printed[end + 1 : end + 1 + int(size)]
        at = end + 1 + int(size) + 1
