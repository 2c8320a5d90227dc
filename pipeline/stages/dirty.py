"""Whether a working tree differs from HEAD, told without running a filter.

git's own answer (`status`) may pass files through clean filters, which are programs that the repository names. Here a
file is clean where its stat data is that of the index, or its content hashes to the blob of the index, as it is or with
line ends as git stores them. What only a filter could tell (a touched file of Git LFS) counts as changed.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from scaup.pipeline import git
from scaup.pipeline.stages.discover import Entry, Listing, open_file

# Beyond it, git is asked for the whole index: a command line holds 128 KiB everywhere but on Windows (32).
_NAMED_BYTES = 24 * 1024
# A file above it whose stat data changed counts as changed: nobody waits for the hash of a disk image.
_READ_BYTES = 64 * 1024 * 1024
_INDEX_ROW = re.compile(
    rb"([^\0]+)\0  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: \d+\n"
    rb"  uid: \d+\tgid: \d+\n  size: (\d+)\tflags: [0-9a-f]+\n"
)


def is_dirty(listing: Listing, hashes: Mapping[str, str]) -> bool:
    """Return whether the working tree or the index differs from HEAD; a folder without git never does.

    Untracked files count, as everywhere in git; the state inside submodules and the mode of a file do not. `hashes` are
    the blob ids of files that have been read already, by path: what they settle is not read again.
    """
    if not listing.is_git:
        return False
    if listing.conflicts or listing.deleted or not all(entry.tracked for entry in listing.entries):
        return True
    if listing.head.sha is None:
        return bool(listing.entries)
    if _index_differs(listing.root):
        return True
    doubtful = [entry for entry in listing.entries if entry.blob and hashes.get(entry.path) != entry.blob]
    if any(entry.obstacle == "special" for entry in doubtful):
        return True
    doubtful = [entry for entry in doubtful if entry.obstacle != "submodule"]
    return any(_differs(listing.root, entry) for entry in _stale(listing.root, doubtful))


def blob_id(content: bytes, like: str = "") -> str:
    """Return git's id of a content, in the hash function of the id `like` (SHA-1, or SHA-256 where it is that long)."""
    digest = hashlib.sha256 if len(like) == 64 else _sha1
    return digest(b"blob %d\0%b" % (len(content), content)).hexdigest()


def _sha1(content: bytes) -> hashlib._Hash:
    return hashlib.sha1(content, usedforsecurity=False)


def _index_differs(root: Path) -> bool:
    """Return whether the index differs from HEAD: blob ids are compared, no file is touched."""
    question = ("diff-index", "--cached", "--quiet", "--no-ext-diff", "--no-textconv", "--no-renames")
    (ended,) = git.execute(root, (*question, "--ignore-submodules=none", "--ita-visible-in-index", "HEAD", "--"))
    if ended.returncode not in (0, 1):
        raise git.failure(root, ended.returncode, ended.stderr)
    return ended.returncode == 1


def _stale(root: Path, doubtful: list[Entry]) -> Iterator[Entry]:
    """Yield the entries whose stat data is not that of the index, or was taken too late to be relied on."""
    if not doubtful:
        return
    names = [os.fsdecode(entry.raw) for entry in doubtful]
    if sum(len(name) + 3 for name in names) > _NAMED_BYTES:
        names = []
    recorded = {
        match[1]: (int(match[6]), _time(match[4], match[5]), _time(match[2], match[3]))
        for match in _INDEX_ROW.finditer(git.run(root, "ls-files", "-z", "--debug", "--", *names))
    }
    index = os.fsdecode(git.run(root, "rev-parse", "--git-path", "index").removesuffix(b"\n"))
    # A file that changed when the index was written, or after, can have changed again without a trace in its stat data.
    written = (root / index).stat().st_mtime_ns
    for entry in doubtful:
        found = (entry.size & 0xFFFFFFFF, entry.mtime_ns, entry.ctime_ns)
        if recorded.get(entry.raw) != found or entry.mtime_ns >= written:
            yield entry


def _time(seconds: bytes, nanoseconds: bytes) -> int:
    return int(seconds) * 1_000_000_000 + int(nanoseconds)


def _differs(root: Path, entry: Entry) -> bool:
    try:
        contents = list(_contents(root, entry))
    except OSError:
        return True
    return all(blob_id(content, entry.blob or "") != entry.blob for content in contents)


def _contents(root: Path, entry: Entry) -> Iterable[bytes]:
    """Return what git may have stored for a file: its content, and that with the line ends of the repository."""
    if stat.S_ISLNK(entry.mode):
        return [os.fsencode(os.readlink(os.path.join(os.fsencode(root), entry.raw)))]  # noqa: PTH115, PTH118
    if entry.size > _READ_BYTES:
        return []
    with os.fdopen(open_file(root, entry.raw), "rb") as file:
        content = file.read()
    return [content, content.replace(b"\r\n", b"\n")]
