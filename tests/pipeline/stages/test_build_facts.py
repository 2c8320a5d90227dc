"""What build files say about names: one small project a kind, and build files that are broken in every way."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaup.pipeline.stages import build_facts
from scaup.pipeline.stages.build_facts import BuildFacts


def read(root: Path, files: dict[str, str | bytes]) -> BuildFacts:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return build_facts.read(root, files)


def rows(root: Path, files: dict[str, str | bytes]) -> list[tuple[str, str, str, str]]:
    facts = read(root, files)
    assert facts.warnings == []
    return facts.rows


def test_a_go_module_has_its_path(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        {
            "go.mod": "// module of/a/comment\n\nmodule example.org/app // the app\n\ngo 1.22\n",
            "examples/go.mod": "",
            "tools/go.mod": 'module "example.org/tools"\n',
        },
    )
    assert found == [
        ("go.mod", "go_module", "", "example.org/app"),
        ("tools/go.mod", "go_module", "", "example.org/tools"),
    ]


def test_cargo_packages_have_the_root_files_of_their_crates(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        {
            "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
            "crates/a-b/Cargo.toml": '[package]\nname = "a-b"\n[[bin]]\nname = "own"\npath = "tools/own.rs"\n',
            "crates/a-b/src/lib.rs": "",
            "crates/a-b/src/main.rs": "",
            "crates/a-b/src/bin/one.rs": "",
            "crates/a-b/src/bin/two/main.rs": "",
            "crates/a-b/src/bin/two/more.rs": "",
            "crates/a-b/tools/own.rs": "",
            "crates/c/Cargo.toml": '[package]\nname = "c"\n[lib]\nname = "cc"\npath = "lib/root.rs"\n',
            "crates/c/lib/root.rs": "",
        },
    )
    a = "crates/a-b/Cargo.toml"
    assert found == [
        (a, "cargo_bin", "a_b", "crates/a-b/src/main.rs"),
        (a, "cargo_bin", "one", "crates/a-b/src/bin/one.rs"),
        (a, "cargo_bin", "own", "crates/a-b/tools/own.rs"),
        (a, "cargo_bin", "two", "crates/a-b/src/bin/two/main.rs"),
        (a, "cargo_package", "a_b", "crates/a-b/src/lib.rs"),
        ("crates/c/Cargo.toml", "cargo_package", "cc", "crates/c/lib/root.rs"),
    ]


def test_a_package_of_npm_has_its_folder_and_its_entries(tmp_path: Path) -> None:
    package = {
        "name": "@scope/ui",
        "main": "./dist/index.js",
        "types": "src/index.ts",
        "exports": {
            ".": {"types": "./src/index.ts", "default": ["./dist/index.js", "../../../escape.js"]},
            "./icons/*": "./src/icons/*.ts",
            "./hidden": None,
        },
    }
    found = rows(
        tmp_path,
        {
            "package.json": json.dumps({"private": True, "workspaces": ["packages/*", "tools"]}),
            "packages/ui/package.json": json.dumps(package),
        },
    )
    path = "packages/ui/package.json"
    assert found == [
        ("package.json", "npm_workspace", "", "packages/*"),
        ("package.json", "npm_workspace", "", "tools"),
        (path, "npm_entry", "@scope/ui", "packages/ui/dist/index.js"),
        (path, "npm_entry", "@scope/ui", "packages/ui/src/index.ts"),
        (path, "npm_entry", "@scope/ui/icons/*", "packages/ui/src/icons/*.ts"),
        (path, "npm_package", "@scope/ui", "packages/ui"),
    ]


def test_paths_of_a_tsconfig_are_relative_to_its_base_url(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        {
            "web/tsconfig.json": """\ufeff{
                // a comment, and a "string" in it
                "compilerOptions": {
                    "baseUrl": "src", /* "paths": {} */
                    "paths": { "@/*": ["./*", "../lib/*",], "//odd": ["a,]b"], },
                },
            }""",
            "jsconfig.json": '{"compilerOptions": {"paths": {"~/*": ["app/*"]}}}',
        },
    )
    assert found == [
        ("jsconfig.json", "ts_path", "~/*", "app/*"),
        ("web/tsconfig.json", "ts_base_url", "", "web/src"),
        ("web/tsconfig.json", "ts_path", "//odd", "web/src/a,]b"),
        ("web/tsconfig.json", "ts_path", "@/*", "web/lib/*"),
        ("web/tsconfig.json", "ts_path", "@/*", "web/src/*"),
    ]


def test_a_tsconfig_inherits_from_those_that_it_extends_inside_the_repository(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        {
            "base.json": '{"compilerOptions": {"paths": {"@/*": ["shared/*"]}}}',
            "strict.json": '{"extends": "./app/tsconfig.json", "compilerOptions": {"baseUrl": "lib"}}',
            "app/tsconfig.json": '{"extends": ["@tsconfig/node20/tsconfig.json", "../base", "../../outside.json"]}',
            "own/tsconfig.app.json": '{"extends": "../strict.json", "compilerOptions": {"paths": {"#/*": ["x/*"]}}}',
        },
    )
    assert found == [
        ("app/tsconfig.json", "ts_path", "@/*", "shared/*"),
        ("own/tsconfig.app.json", "ts_base_url", "", "lib"),
        ("own/tsconfig.app.json", "ts_path", "#/*", "lib/x/*"),
    ]


def test_tsconfigs_that_extend_each_other_end(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        {
            "tsconfig.json": '{"extends": "./tsconfig.b.json", "compilerOptions": {"baseUrl": "a"}}',
            "tsconfig.b.json": '{"extends": "./tsconfig.json", "compilerOptions": {"baseUrl": "b"}}',
        },
    )
    assert found == [("tsconfig.b.json", "ts_base_url", "", "b"), ("tsconfig.json", "ts_base_url", "", "a")]


@pytest.mark.parametrize(
    ("pyproject", "expected"),
    [
        ('[tool.setuptools.package-dir]\n"" = "lib"\n"a.b" = "b"', {("", "lib"), ("a.b", "b")}),
        ('[tool.setuptools.packages.find]\nwhere = ["lib", "more"]', {("", "lib"), ("", "more")}),
        ('[tool.poetry]\npackages = [{include = "a", from = "lib"}, {include = "b"}]', {("", "lib")}),
        ('[tool.hatch.build.targets.wheel]\npackages = ["lib/a"]', {("", "lib")}),
        ('[tool.hatch.build.targets.wheel.sources]\n"lib" = "a"', {("a", "lib")}),
        ('[tool.uv.build-backend]\nmodule-root = "lib"', {("", "lib")}),
        ('[tool.maturin]\npython-source = "python"', {("", "python")}),
        ('[tool.pytest.ini_options]\npythonpath = ["lib", "../.."]', {("", "lib")}),
        ("", set()),
    ],
)  # fmt: skip
def test_a_pyproject_says_where_packages_are(tmp_path: Path, pyproject: str, expected: set[tuple[str, str]]) -> None:
    found = rows(tmp_path, {"pyproject.toml": f'[project]\nname = "a"\n{pyproject}\n'})
    assert {(key, value) for _, kind, key, value in found if kind == "python_root"} == expected | {("", "")}


def test_the_folders_that_build_tools_find_by_themselves_are_roots(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        {
            "pyproject.toml": "[tool.ruff]\nline-length = 100\n",
            "service/pyproject.toml": '[build-system]\nrequires = ["flit_core"]\n',
            "service/src/app/__init__.py": "",
            "old/setup.py": "raise SystemExit('not run')",
        },
    )
    assert found == [
        ("old/setup.py", "python_root", "", "old"),
        ("service/pyproject.toml", "python_root", "", "service"),
        ("service/pyproject.toml", "python_root", "", "service/src"),
    ]


def test_a_setup_cfg_says_where_packages_are(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        {
            "lib/setup.cfg": "[metadata]\nname = a\n[options]\npackage_dir =\n    = code\n    x.y = xy\n"
            "[options.packages.find]\nwhere = other\n",
            "setup.cfg": "[flake8]\nmax-line-length = 100\n",
        },
    )
    assert {row[1:] for row in found} == {
        ("python_root", "", "lib"),
        ("python_root", "", "lib/code"),
        ("python_root", "x.y", "lib/xy"),
        ("python_root", "", "lib/other"),
    }


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("package.json", "{", "not valid JSON"),
        ("package.json", "[]", "not a JSON object"),
        ("package.json", "[" * 100_000, "nested too deeply"),
        ("package.json", '{"a": ' + "9" * 5000 + "}", "not valid JSON"),
        ("Cargo.toml", "[package", "not valid TOML"),
        ("pyproject.toml", b"\xff\xfe", "not UTF-8"),
        ("pyproject.toml", "a = " + "[" * 100_000, "nested too deeply"),
        ("setup.cfg", "no section = 1", "not valid"),
        ("go.mod", "go 1.22\n", "no module line"),
        ("tsconfig.json", b"x" * (4 * 1024 * 1024 + 1), "larger than 4 MiB"),
    ],
)
def test_a_bad_build_file_is_named_and_the_others_are_read(
    tmp_path: Path, name: str, content: str | bytes, why: str
) -> None:
    facts = read(tmp_path, {f"bad/{name}": content, "good/go.mod": "module good"})
    assert facts.rows == [("good/go.mod", "go_module", "", "good")]
    (warning,) = facts.warnings
    assert warning.startswith(f"bad/{name} was passed over: ")
    assert why in warning


@pytest.mark.skipif(os.name != "posix", reason="links need rights on Windows")
def test_a_build_file_that_is_a_link_or_gone_is_named(tmp_path: Path) -> None:
    (tmp_path / "go.mod").symlink_to("/etc/passwd")
    facts = build_facts.read(tmp_path, ["go.mod", "gone/go.mod"])
    assert facts.rows == []
    assert [warning.split()[0] for warning in facts.warnings] == ["go.mod", "gone/go.mod"]


def test_values_of_another_type_than_they_should_be_are_passed_over(tmp_path: Path) -> None:
    found = rows(
        tmp_path,
        {
            "package.json": '{"name": 1, "workspaces": {"packages": 2}, "exports": 3}',
            "b/package.json": '{"name": "b", "main": {}, "exports": [1, {"x": 2}], "types": "\\ud800"}',
            "tsconfig.json": '{"extends": 1, "compilerOptions": {"paths": {"a": 1}, "baseUrl": []}}',
            "Cargo.toml": 'bin = 1\nlib = 2\n[package]\nname = "p"\n',
            "pyproject.toml": "tool = 1\nproject = 2\n",
            "c/pyproject.toml": '[project]\n[tool.poetry]\npackages = 1\n[tool.setuptools]\npackage-dir = ["a"]\n',
        },
    )
    assert found == [
        ("b/package.json", "npm_entry", "b", "b/?"),
        ("b/package.json", "npm_package", "b", "b"),
        ("c/pyproject.toml", "python_root", "", "c"),
        ("pyproject.toml", "python_root", "", ""),
    ]


def test_unfinished_comments_and_strings_cost_no_more_than_finished_ones(tmp_path: Path) -> None:
    started = time.perf_counter()
    for part in ("/*", '"', '"\\', ", ", "//", "/* */"):
        read(tmp_path, {"tsconfig.json": part * 200_000})
    assert time.perf_counter() - started < 10  # quadratic would be minutes


_TEXT = st.text(st.characters() | st.sampled_from('"\\\\/*,]}'), max_size=8)
_JSON = st.recursive(_TEXT | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(_TEXT, inner), max_leaves=6)


@given(st.dictionaries(_TEXT, _JSON, max_size=3))
def test_plain_json_is_read_as_it_is(value: dict[str, object]) -> None:
    assert build_facts._json(json.dumps(value)) == value
    assert build_facts._json(json.dumps(value, ensure_ascii=False, indent=1)) == value
