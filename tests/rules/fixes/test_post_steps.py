"""What follows a fix: the project's formatter and checker, or why there was none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scaup.rules.fixes import post_steps
from scaup.rules.fixes.post_steps import check_file, format_file

CODE = b"import os\nx  =  'a'\n"


def project(root: Path, files: dict[str, str]) -> Path:
    for name, content in {"src/m.py": CODE.decode(), **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root / "src" / "m.py"


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": "[tool.ruff]\n"},
        {"ruff.toml": ""},
        {"src/.ruff.toml": "", "pyproject.toml": ""},
        {"src/pyproject.toml": "[project]\nname = 'x'\n", "ruff.toml": ""},
        {"pyproject.toml": "[tool.black]\n[tool.ruff.format]\n"},
    ],
)
def test_what_is_configured_is_run(tmp_path: Path, files: dict[str, str]) -> None:
    file = project(tmp_path, files)
    formatted = format_file(tmp_path, file, "python", CODE)
    assert formatted == post_steps.Ended(b'import os\n\nx = "a"\n', [], None)
    checked = check_file(tmp_path, file, "python", CODE, b"")
    assert checked.skipped_reason is None
    assert ("F401", 1, 8) in [(row["code"], row["line"], row["column"]) for row in checked.findings]
    assert file.read_bytes() == CODE
    assert not (tmp_path / ".ruff_cache").exists()


@pytest.mark.parametrize(
    "files",
    [{}, {"pyproject.toml": "[project]\nname = 'x'\n"}, {"pyproject.toml": "not toml"}, {"setup.cfg": "[ruff]"}],
)
def test_where_nothing_is_configured_nothing_is_run(tmp_path: Path, files: dict[str, str]) -> None:
    (tmp_path / "ruff.toml").write_text("")  # above the repository
    root = tmp_path / "r"
    file = project(root, files)
    assert format_file(root, file, "python", CODE).skipped_reason == "no_formatter_configured"
    assert check_file(root, file, "python", CODE, b"").skipped_reason == "no_checker_configured"


def test_another_formatter_has_its_place(tmp_path: Path) -> None:
    file = project(tmp_path, {"pyproject.toml": "[tool.black]\n[tool.ruff]\n"})
    assert format_file(tmp_path, file, "python", CODE).skipped_reason == "no_formatter_configured"
    assert check_file(tmp_path, file, "python", CODE, b"").skipped_reason is None


def test_other_languages(tmp_path: Path) -> None:
    file = project(tmp_path, {"ruff.toml": ""})
    assert format_file(tmp_path, file, "go", CODE).skipped_reason == "unsupported_language"
    assert check_file(tmp_path, file, "yaml", CODE, b"").skipped_reason == "unsupported_language"


@pytest.mark.parametrize("configured", ['extend-exclude = ["src"]', '[format]\nexclude = ["src/m.py"]'])
def test_a_path_that_is_excluded(tmp_path: Path, configured: str) -> None:
    file = project(tmp_path, {"ruff.toml": configured})
    assert format_file(tmp_path, file, "python", CODE) == post_steps.Ended(CODE, [], "formatter_excluded_path")


def test_a_configuration_that_does_not_hold(tmp_path: Path) -> None:
    file = project(tmp_path, {"ruff.toml": "no-such-key = 1"})
    assert format_file(tmp_path, file, "python", CODE).skipped_reason == "error"
    assert check_file(tmp_path, file, "python", CODE, b"").skipped_reason == "error"


def test_line_ends_and_a_byte_order_mark_stay(tmp_path: Path) -> None:
    file = project(tmp_path, {"ruff.toml": ""})
    assert format_file(tmp_path, file, "python", b"\xef\xbb\xbfx  =  1\r\n").content == b"\xef\xbb\xbfx = 1\r\n"


def test_what_the_checker_found_before_is_not_told_again(tmp_path: Path) -> None:
    file = project(tmp_path, {"ruff.toml": '[lint]\nselect = ["F"]'})
    found = check_file(tmp_path, file, "python", b"# one line more\nimport os\nimport re\n" + CODE, CODE).findings
    assert [(row["code"], row["line"]) for row in found] == [("F401", 3), ("F811", 4)]
    assert check_file(tmp_path, file, "python", b"# one line more\n" + CODE, CODE).findings == []


def test_fixes_of_the_checker_are_not_made(tmp_path: Path) -> None:
    file = project(tmp_path, {"ruff.toml": "fix = true\nunsafe-fixes = true"})
    assert check_file(tmp_path, file, "python", CODE, b"").content == CODE
    assert file.read_bytes() == CODE


def test_a_program_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = project(tmp_path, {"ruff.toml": ""})
    monkeypatch.setattr(post_steps, "_ruff", lambda: None)
    assert format_file(tmp_path, file, "python", CODE).skipped_reason == "formatter_not_installed"
    assert check_file(tmp_path, file, "python", CODE, b"").skipped_reason == "checker_not_installed"


def test_a_program_that_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = project(tmp_path, {"ruff.toml": ""})
    script = tmp_path / "bin" / "ruff"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\nexec sleep 60\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(post_steps, "SECONDS", 0.2)
    assert format_file(tmp_path, file, "python", CODE) == post_steps.Ended(CODE, [], "timeout")
    assert check_file(tmp_path, file, "python", CODE, b"").skipped_reason == "timeout"


def test_a_program_in_the_repository_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = project(tmp_path, {"ruff.toml": "", "ruff": "#!/bin/sh\ntouch ran\n", "bin/ruff": "#!/bin/sh\ntouch ran\n"})
    for name in ("ruff", "bin/ruff"):
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".{os.pathsep}bin{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    assert format_file(tmp_path, file, "python", CODE).skipped_reason is None
    assert not (tmp_path / "ran").exists()
