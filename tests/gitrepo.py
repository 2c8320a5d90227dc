"""Small real git repositories for tests: fixed dates and authors, and nothing of the user's configuration."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

DAY = 86_400
START = 1_700_000_000  # 2023-11-14 22:13:20 UTC

_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

Content = str | bytes | None


class GitRepo:
    """A repository in a folder. Each commit is a day after the one before, unless a date is given (epoch seconds)."""

    def __init__(self, root: Path, *, create: bool = True) -> None:
        self.root = root
        self.date = START
        if create:
            root.mkdir(parents=True, exist_ok=True)
            self.git("init", "-q", "-b", "main")

    def git(
        self,
        *args: str | bytes,
        check: bool = True,
        input: bytes | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> str:
        """Run git and return what it prints."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        ended = subprocess.run(
            ["git", "-C", str(self.root), *args],
            env=kept | _ENVIRONMENT | dict(variables or {}),
            input=input,
            stdin=subprocess.DEVNULL if input is None else None,
            capture_output=True,
            check=False,
        )
        if check and ended.returncode:
            raise AssertionError(f"git {args!r}: {ended.stderr.decode(errors='replace')}")
        return ended.stdout.decode("utf-8", "surrogateescape")

    def write(self, files: Mapping[str, Content] | None = None, **more: Content) -> None:
        """Write files; None deletes one."""
        for name, content in {**(files or {}), **more}.items():
            place = self.root / name
            if content is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(
        self, files: Mapping[str, Content] | None = None, message: str = "change", *, date: int | None = None
    ) -> str:
        """Write files, commit all that changed, and return the commit."""
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "--no-verify", "-m", message, variables=self._next_date(date))
        return self.head()

    def rename(self, old: str, new: str, message: str = "rename", *, date: int | None = None) -> str:
        """Rename a file as it is, and commit that."""
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        self.git("mv", old, new)
        return self.commit(message=message, date=date)

    def branch(self, name: str, start: str = "HEAD") -> None:
        """Start a branch, and check it out."""
        self.git("checkout", "-q", "-b", name, start)

    def checkout(self, name: str) -> None:
        """Check out a branch or commit."""
        self.git("checkout", "-q", name)

    def merge(self, name: str, message: str = "merge", *, date: int | None = None) -> str:
        """Merge a branch with a merge commit, and return it."""
        self.git("merge", "-q", "--no-ff", "--no-verify", "-m", message, name, variables=self._next_date(date))
        return self.head()

    def arm(self, mark: Path) -> None:
        """Configure every program that a repository can name, each to leave a file of its own in the folder `mark`."""
        mark.mkdir()
        script = self.root / ".git" / "trap.sh"
        script.write_text(f'#!/bin/sh\necho "$@" > "{mark}/$$"\ncat\n')
        script.chmod(0o755)
        for key, value in {
            "core.fsmonitor": f"{script} fsmonitor",
            "core.hooksPath": ".git/traps",
            "core.pager": f"{script} pager",
            "core.editor": f"{script} editor",
            "core.sshCommand": f"{script} ssh",
            "core.askPass": f"{script}",
            "core.gitProxy": f"{script}",
            "core.alternateRefsCommand": f"{script} refs",
            "credential.helper": f"!{script} credential",
            "pager.log": f"{script} pager",
            "alias.log": f"!{script} alias",
            "alias.ls-files": f"!{script} alias",
            "log.showSignature": "true",
            "log.showRoot": "false",
            "log.follow": "true",
            "gpg.program": f"{script}",
            "gpg.ssh.program": f"{script}",
            "diff.external": f"{script} external",
            "diff.trap.command": f"{script} command",
            "diff.trap.textconv": f"{script} textconv",
            "diff.renames": "false",
            "diff.orderFile": "no/such/file",
            "diff.noprefix": "true",
            "format.pretty": "oneline",
            "color.ui": "always",
            "filter.trap.clean": f"{script} clean",
            "filter.trap.smudge": f"{script} smudge",
            "filter.trap.process": f"{script} process",
            "filter.trap.required": "true",
            "remote.origin.url": "ssh://example.org/x.git",
            "remote.origin.promisor": "true",
            "remote.origin.uploadpack": f"{script} uploadpack",
        }.items():
            self.git("config", key, value)
        traps = self.root / ".git" / "traps"
        traps.mkdir()
        for hook in (
            "post-index-change",
            "fsmonitor-watchman",
            "reference-transaction",
            "pre-auto-gc",
            "post-checkout",
        ):
            (traps / hook).write_bytes(script.read_bytes())
            (traps / hook).chmod(0o755)
        (self.root / ".git" / "info" / "attributes").write_text("* diff=trap filter=trap\n")

    def head(self) -> str:
        """Return the commit that is checked out."""
        return self.git("rev-parse", "HEAD").strip()

    def clone(self, place: Path, *options: str) -> GitRepo:
        """Clone over the file transport, so that --depth and --filter count."""
        self.git("config", "uploadpack.allowFilter", "true")
        self.git("clone", "-q", *options, self.root.as_uri(), str(place))
        return GitRepo(place, create=False)

    def _next_date(self, date: int | None) -> dict[str, str]:
        self.date = self.date + DAY if date is None else date
        return {"GIT_AUTHOR_DATE": f"@{self.date} +0000", "GIT_COMMITTER_DATE": f"@{self.date} +0000"}
