"""Settings of the audit: what is read, which file is nearest, and what is said of mistakes."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from commands import Scaup
from facts import write_files

from scaup.pipeline import settings
from scaup.pipeline.response import ScaupError
from scaup.pipeline.text import configuration
from scaup.pipeline.text.configuration import Delivery
from scaup.pipeline.text.rows import SURFACES


def _load(root: Path, files: dict[str, str]) -> configuration.Configuration:
    write_files(root, files)
    return configuration.load(root, list(files))


def _message(root: Path, text: str) -> str:
    with pytest.raises(ScaupError) as error:
        _load(root, {"scaup.toml": text})
    assert error.value.code == "invalid_config"
    return error.value.message


def test_pyproject_has_the_tables_behind_a_prefix(tmp_path: Path) -> None:
    found = _load(tmp_path, {"pyproject.toml": '[tool.scaup.audit]\nselect = ["A", "C1"]\nignore = ["E102"]\n'}).of(
        "a.py"
    )
    assert (found.origin, found.select, found.ignore) == ("pyproject.toml", ("A", "C1"), ("E102",))


def test_the_nearest_file_counts_alone(tmp_path: Path) -> None:
    found = _load(
        tmp_path,
        {
            "scaup.toml": '[audit]\nignore = ["A"]\n',
            "a/pyproject.toml": "[project]\nname = 'x'\n",
            "a/b/scaup.toml": '[audit]\nselect = ["B"]\n',
        },
    )
    assert found.of("a/x.py").ignore == ("A",)
    assert found.of("a/b/c/x.py").origin == "a/b/scaup.toml"
    assert found.of("a/b/c/x.py").ignore == ()


def test_a_delivery_contract_is_read(tmp_path: Path) -> None:
    text = '[[audit.deliveries]]\nphrase = "a note"\npersisted_by = "a.py::f"\nreplayed_by = "a.py::g"\n'
    assert _load(tmp_path, {"scaup.toml": text}).deliveries == [
        Delivery("a note", "a.py::f", "a.py::g", origin="scaup.toml")
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[audit]\nselct = []\n", "scaup.toml: unknown setting audit.selct; did you mean audit.select?"),
        ('[audit]\nselect = "A"\n', "scaup.toml: audit.select has to be a list of texts, not 'A'"),
        (
            '[[audit.surfaces]]\npaths = ["a"]\nsurface = "tool_results"\n',
            "scaup.toml: audit.surfaces[1].surface has to be one of tool_description, parameter_description, tool_result, "
            "error_message, notification, hint, prompt, instructions, permission, not 'tool_results'; "
            "did you mean tool_result?",
        ),
        ('[[audit.surfaces]]\nsurface = "hint"\n', "scaup.toml: audit.surfaces[1].paths has to be given"),
        ('[[audit.deliveries]]\nphrase = "x"\n', "scaup.toml: audit.deliveries[1].persisted_by has to be given"),
        ('[audit]\nconfidence = "sure"\n', "scaup.toml: audit.confidence has to be one of certain, likely, needs_evidence, not 'sure'"),
        ("[audit\n", "scaup.toml: not valid TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_the_nearest_that_is_known(tmp_path: Path, text: str, message: str) -> None:
    assert _message(tmp_path, text).startswith(message)


def test_globs_that_match_nothing_are_said(tmp_path: Path) -> None:
    text = '[[audit.surfaces]]\npaths = ["out/*.py"]\nsurface = "hint"\n'
    found = _load(tmp_path, {"scaup.toml": text})
    assert found.unmatched(["in/a.py"]) == ["scaup.toml: no file matches out/*.py (surface hint)"]
    assert found.unmatched(["in/a.py", "out/a.py"]) == []


# ------------------------------------------------------------------------------------------------------------- extend


def test_what_is_extended_counts_where_nothing_else_is_said(tmp_path: Path) -> None:
    files = {
        "scaup.toml": """
            [audit]
            select = ["A"]
            ignore = ["B"]
            baseline = "accepted.json"
            [audit.per-file-ignores]
            "a/old.py" = ["C"]
        """,
        "a/scaup.toml": """
            extend = "../scaup.toml"
            [audit]
            select = ["D"]
            [audit.per-file-ignores]
            "old.py" = ["D"]
        """,
    }
    found = _load(tmp_path, files).of("a/old.py")
    assert (found.select, found.ignore, found.baseline) == (("D",), ("B",), "accepted.json")
    assert [
        (entry.rules, entry.globs.fit("a/old.py"), entry.globs.fit("old.py")) for entry in found.per_file_ignores
    ] == [
        (("C",), True, False),
        (("D",), True, False),
    ]
    assert found.origins == {
        "select": "a/scaup.toml", "ignore": "scaup.toml", "baseline": "scaup.toml", "per-file-ignores": "a/scaup.toml",
    }  # fmt: skip


def test_ones_own_surface_goes_before_an_inherited_one(tmp_path: Path) -> None:
    entry = '[[audit.surfaces]]\npaths = ["*.py"]\nsurface = "{}"\n'
    files = {
        "scaup.toml": entry.format("hint"),
        "a/scaup.toml": 'extend = "../scaup.toml"\n' + entry.format("prompt"),
    }
    found = _load(tmp_path, files)
    assert found.surfaces(["x.py", "a/x.py"]) == [("x.py", "hint", "scaup.toml"), ("a/x.py", "prompt", "a/scaup.toml")]


def test_a_glob_that_takes_out_is_an_error(tmp_path: Path) -> None:
    assert "cannot start with !" in _message(tmp_path, '[[audit.surfaces]]\npaths = ["!a"]\nsurface = "hint"\n')


def test_a_pyproject_can_be_extended_and_extend(tmp_path: Path) -> None:
    files = {
        "pyproject.toml": "[tool.scaup.audit]\nignore = ['B']\n",
        "a/pyproject.toml": "[tool.scaup]\nextend = '../pyproject.toml'\n",
        "a/b/scaup.toml": "extend = '../pyproject.toml'\n",
    }
    assert _load(tmp_path, files).of("a/b/x.py").ignore == ("B",)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"scaup.toml": 'extend = "none.toml"\n'}, "scaup.toml: extend: none.toml does not exist"),
        ({"scaup.toml": 'extend = "scaup.toml"\n'}, "scaup.toml: extend leads back to scaup.toml"),
        ({"scaup.toml": 'extend = "a.toml"\n', "a.toml": 'extend = "scaup.toml"\n'}, "a.toml: extend leads back to scaup.toml"),
        ({"scaup.toml": 'extend = "../scaup.toml"\n'}, "scaup.toml: extend: ../scaup.toml leads out of the repository"),
        ({"scaup.toml": 'extend = "/etc/scaup.toml"\n'}, "scaup.toml: extend: /etc/scaup.toml has to be a path from this file"),
        ({"scaup.toml": "extend = 1\n"}, "scaup.toml: extend has to be a text, not 1"),
        ({"scaup.toml": 'extend = "pyproject.toml"\n', "pyproject.toml": ""}, "scaup.toml: extend: pyproject.toml has no settings of Scaup"),
    ],
)  # fmt: skip
def test_an_extension_that_leads_nowhere_is_said(tmp_path: Path, files: dict[str, str], message: str) -> None:
    with pytest.raises(ScaupError) as error:
        _load(tmp_path, files)
    assert error.value.message == message


def test_a_link_out_of_the_repository_is_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "outside.toml").write_text('[audit]\nselect = ["A"]\n')
    (root / "scaup.toml").symlink_to(tmp_path / "outside.toml")
    with pytest.raises(ScaupError, match="leads out of the repository"):
        configuration.load(root, [])


def test_a_file_that_is_not_utf_8_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "scaup.toml").write_bytes(b"[audit]\n# \xff\n")
    with pytest.raises(ScaupError, match=r"scaup\.toml: cannot be read"):
        configuration.load(tmp_path, [])


# ------------------------------------------------------------------------------------------------------- suppressions


def test_an_accepted_finding_is_read(tmp_path: Path) -> None:
    text = """
        [audit]
        [[audit.suppressions]]
        paths = ["*.json"]
        rules = ["C101"]
        reason = "first"

        [[audit.suppressions]]
        paths = ["b/*.json"]
        rules = ["A", "C101"]
        reason = "second"
        text = "try again"
        until = 2027-01-31
    """
    one, two = _load(tmp_path, {"a/scaup.toml": text}).of("a/x.json").suppressions
    assert (one.rules, one.reason, one.line, one.globs.fit("a/x.json"), one.globs.fit("x.json")) == (
        ("C101",), "first", 2, True, False,
    )  # fmt: skip
    assert (two.text, str(two.until), two.line, two.origin) == ("try again", "2027-01-31", 7, "a/scaup.toml")


# --------------------------------------------------------------------------------------------------------- the schema

GOOD = (
    "",
    "[audit]",
    "[ingest]\nmax-files = 7",
    'extend = "a"',
    '[audit]\nselect = ["A"]\nignore = []\nconfidence = "certain"\nbaseline = "b.json"',
    '[audit.per-file-ignores]\n"a" = ["B"]\n"b" = []',
    '[[audit.surfaces]]\npaths = ["a"]\nsurface = "hint"',
    '[[audit.deliveries]]\nphrase = "a"\npersisted_by = "b"\nreplayed_by = "c"\nnudged_by = "d"',
    '[[audit.suppressions]]\npaths = ["a"]\nrules = ["A"]\nreason = "b"\nuntil = "2027-01-31"',
)
BAD = (
    "audit = 1",
    "[adit]",
    "[ingest]\nmax-files = 0",
    "[ingest]\nmax-files = true",
    "[ingest]\nmax-files = 1.5",
    "[ingest]\nfiles = 1",
    'extend = ""',
    "extend = []",
    "[audit]\nselect = 1",
    "[audit]\nselect = [1]",
    '[audit]\nselect = [""]',
    '[audit]\nconfidence = "sure"',
    "[audit]\nconfidence = []",
    "[audit]\nbaseline = 3",
    "[audit]\nper-file-ignores = []",
    '[audit.per-file-ignores]\n"a" = "B"',
    "[audit.surfaces]",
    "[audit]\nsurfaces = [1]",
    '[[audit.surfaces]]\npaths = []\nsurface = "hint"',
    '[[audit.surfaces]]\npaths = ["a"]',
    '[[audit.surfaces]]\npaths = ["a"]\nsurface = "hints"',
    '[[audit.surfaces]]\npaths = ["a"]\nsurface = "hint"\nx = 1',
    '[[audit.deliveries]]\nphrase = "a"',
    '[[audit.suppressions]]\npaths = ["a"]\nrules = ["A"]\nreason = " "',
    '[[audit.suppressions]]\npaths = ["a"]\nrules = []\nreason = "b"',
    '[[audit.suppressions]]\npaths = ["a"]\nrules = ["A"]\nreason = "b"\nuntil = "soon"',
    '[[audit.suppressions]]\npaths = ["a"]\nrules = ["A"]\nreason = "b"\nuntil = "2027-02-30"',
)


def _oracle(table: dict[str, Any]) -> bool:
    checker = jsonschema.Draft202012Validator(settings.schema(), format_checker=jsonschema.FormatChecker())
    return checker.is_valid(table)


def _accepts(table: dict[str, Any]) -> bool:
    try:
        settings.check(table, settings.schema(), "", "scaup.toml")
    except ScaupError:
        return False
    return True


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(settings.schema())
    audit = settings.schema()["properties"]["audit"]["properties"]
    assert tuple(audit["surfaces"]["items"]["properties"]["surface"]["enum"]) == SURFACES
    defaults = settings.Settings()
    ingest = settings.schema()["properties"]["ingest"]["properties"]
    assert {key: ingest[key]["default"] for key in settings.KEYS} == {
        key: getattr(defaults, name) for key, name in settings.KEYS.items()
    }


@pytest.mark.parametrize(("text", "expected"), [*((text, True) for text in GOOD), *((text, False) for text in BAD)])
def test_what_is_checked_is_what_the_schema_says(text: str, expected: bool) -> None:
    table = tomllib.loads(text)
    assert (_oracle(table), _accepts(table)) == (expected, expected)


def test_a_date_of_toml_is_a_date() -> None:
    table = {"audit": {"suppressions": [{"paths": ["a"], "rules": ["A"], "reason": "b", "until": None}]}}
    table["audit"]["suppressions"][0]["until"] = tomllib.loads("d = 2027-01-31")["d"]
    assert _accepts(table)
    table["audit"]["suppressions"][0]["until"] = tomllib.loads("d = 2027-01-31T00:00:00")["d"]
    assert not _accepts(table)


# -------------------------------------------------------------------------------------------------------- the command


def test_the_command_says_which_file_sets_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(
        tmp_path,
        {
            "scaup.toml": '[ingest]\nmax-files = 9\n[audit]\nselect = ["C1"]\n[[audit.surfaces]]\npaths = ["*.py"]\nsurface = "hint"\n',
            "a/scaup.toml": 'extend = "../scaup.toml"\n[audit]\nconfidence = "certain"\n',
            "a/x.py": "",
            "a/y.rs": "",
        },
    )
    scaup = Scaup(tmp_path, capsys)
    response = scaup("config", str(tmp_path / "a" / "x.py"), "--format", "json").json
    assert {(row["key"], str(row["value"]), row["origin"]) for row in response["settings"]} == {
        ("ingest.max-file-bytes", "1048576", "default"),
        ("ingest.max-files", "9", "scaup.toml"),
        ("audit.select", "['C1']", "scaup.toml"),
        ("audit.ignore", "[]", "default"),
        ("audit.confidence", "certain", "a/scaup.toml"),
        ("audit.baseline", "None", "default"),
        ("audit.bound", "None", "default"),
        ("audit.surfaces", "{'paths': ['*.py'], 'surface': 'hint'}", "scaup.toml"),
    }
    assert response["files"] == ["scaup.toml", "a/scaup.toml"]
    assert response["rules"] == ["C101", "C102", "C103", "S101", "S102", "S103", "S104"]
    rust = scaup("config", str(tmp_path / "a" / "y.rs"), "--format", "json").json
    assert "audit.surfaces" not in {row["key"] for row in rust["settings"]}
    assert "audit.confidence" in scaup("config").out
    assert scaup("config", str(tmp_path / "nothing")).status == 2


def test_the_command_prints_the_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(Scaup(tmp_path, capsys)("config", "--schema").out) == settings.schema()
