"""Settings of the audit: what is read, which file is nearest, and what is said of mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest
from facts import write_files

from scaup.pipeline.response import ScaupError
from scaup.pipeline.text import configuration
from scaup.pipeline.text.configuration import Delivery


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
            "scaup.toml: audit.surfaces: unknown surface 'tool_results'; did you mean tool_result?",
        ),
        ('[[audit.surfaces]]\nsurface = "hint"\n', "scaup.toml: audit.surfaces: paths has to list at least one glob"),
        ('[[audit.deliveries]]\nphrase = "x"\n', "scaup.toml: audit.deliveries: persisted_by has to be given, as a text"),
        ('[audit]\nconfidence = "sure"\n', "scaup.toml: audit.confidence has to be one of certain, likely, needs_evidence, not 'sure'"),
        ("[audit\n", "scaup.toml is not valid TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_the_nearest_that_is_known(tmp_path: Path, text: str, message: str) -> None:
    assert _message(tmp_path, text).startswith(message)


def test_globs_that_match_nothing_are_said(tmp_path: Path) -> None:
    text = '[[audit.surfaces]]\npaths = ["out/*.py"]\nsurface = "hint"\n'
    found = _load(tmp_path, {"scaup.toml": text})
    assert found.unmatched(["in/a.py"]) == ["scaup.toml: no file matches out/*.py (surface hint)"]
    assert found.unmatched(["in/a.py", "out/a.py"]) == []
