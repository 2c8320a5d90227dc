"""Files that an agent reads, by their paths."""

from __future__ import annotations

import re
import time

import pytest

from scaup.pipeline.text.file_surfaces import compiled, is_document, surface_of

INSTRUCTIONS = [
    "AGENTS.md",
    "sub/dir/AGENTS.md",
    "CLAUDE.md",
    "claude.local.md",
    "GEMINI.md",
    "SKILL.md",
    "skills/review/SKILL.md",
    "skills/review/references/long/list.md",
    ".claude/skills/a/b/c.md",
    ".cursorrules",
    ".cursor/rules/main.mdc",
    ".windsurf/rules/a.md",
    ".clinerules",
    ".clinerules/01-a.md",
    ".roo/rules-code/a.md",
    ".github/copilot-instructions.md",
    ".github/instructions/py.instructions.md",
    ".kiro/steering/product.md",
    ".junie/guidelines.md",
    ".goosehints",
    "docs/AGENTS.md",
    ".coderabbit.yaml",
]
PROMPTS = [
    ".claude/agents/reviewer.md",
    ".claude/commands/team/ship.md",
    ".codex/prompts/a.md",
    ".gemini/commands/git/c.toml",
    ".github/prompts/a.prompt.md",
    ".github/chatmodes/a.chatmode.md",
    ".opencode/agent/a.md",
    ".opencode/commands/a.md",
    ".roomodes",
    "src/prompts/main.txt",
    "src/Prompts/sub/main.md.j2",
    "app/prompts/x.yaml",
    "app/system_prompt.md",
    "a/coder-system-prompt.hbs",
    "pkg/agent/templates/coder.md.tpl",
    "a/title_prompt.md.tpl",
    "evals/judge.prompty",
    "crew/config/agents.yaml",
    "x/y.prompt.yml",
]
TOOLS = ["internal/agent/tools/bash.md.tpl", "packages/core/src/tool/read.txt"]
NONE = [
    "README.md",
    "prompts/README.md",
    "skills/a/CHANGELOG.md",
    "docs/prompts/guide.md",
    "docs/prompting.md",
    "src/agents.py",
    "prompts/__init__.py",
    "prompts/requirements.txt",
    "locales/en/prompts.yaml",
    "AGENTS.md.bak",
    "myagents.md",
    "prompts/logo.png",
    "package.json",
    "tools/build.md",
    ".github/ISSUE_TEMPLATE/prompt.md",
    "src/prompt.ts",
]


@pytest.mark.parametrize(
    ("path", "surface"),
    [
        (path, surface)
        for surface, paths in (
            ("instructions", INSTRUCTIONS),
            ("prompt", PROMPTS),
            ("tool_description", TOOLS),
            (None, NONE),
        )
        for path in paths
    ],
)
def test_conventions_of_agents_are_known(path: str, surface: str | None) -> None:
    assert surface_of(path) == surface
    assert surface_of(path.upper()) == surface


@pytest.mark.parametrize(
    "path",
    [
        ".cursorrules",
        "a/.clinerules",
        ".goosehints",
        "src/prompts/main.txt",
        "a/x.md.tpl",
        "prompts/x.md.tpl",
        "evals/judge.prompty",
    ],
)
def test_documents_by_path_alone(path: str) -> None:
    assert is_document(path) == (surface_of(path) is not None)


@pytest.mark.parametrize(
    "path",
    ["AGENTS.md", ".cursor/rules/a.mdc", "prompts/a.yaml", ".roomodes", "Makefile", "prompts/a.png", "a.txt", "x.tpl"],
)
def test_files_of_a_known_language_and_others_are_no_documents_by_path(path: str) -> None:
    assert not is_document(path)


@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("**/a.md", "a.md", True),
        ("**/a.md", "x/y/a.md", True),
        ("**/a.md", "xa.md", False),
        ("a/*.md", "a/b.md", True),
        ("a/*.md", "a/b/c.md", False),
        ("a/**/*.md", "a/c.md", True),
        ("a/**/*.md", "a/b/b/c.md", True),
        ("a/**", "a/b/c", True),
        ("{a,b.c}/x", "b.c/x", True),
        ("{a,b.c}/x", "bxc/x", False),
        ("a?.md", "ab.md", True),
        ("a?.md", "a/.md", False),
        ("*.{md,txt}", "x.txt", True),
        ("a,b", "a,b", True),
        ("a/x", "b/a/x", False),
    ],
)
def test_globs(glob: str, path: str, fits: bool) -> None:
    assert (compiled([glob]).search(path) is not None) == fits


def test_no_globs_fit_nothing() -> None:
    assert isinstance(compiled([]), re.Pattern)
    assert compiled([]).search("a") is None


def test_a_hundred_thousand_paths_take_seconds() -> None:
    paths = [f"src/some/package/number{n % 97}/module_{n}.py" for n in range(100_000)]
    start = time.process_time()
    assert not any(surface_of(path) for path in paths)
    assert time.process_time() - start < 10
