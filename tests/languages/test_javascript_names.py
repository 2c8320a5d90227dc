"""Which file a module of JavaScript or TypeScript means."""

from __future__ import annotations

import pytest

from scaup.pipeline.languages.javascript.names import Resolver, import_target

PATHS = [
    "package.json",
    "src/app.ts",
    "src/util.ts",
    "src/util.test.ts",
    "src/legacy.js",
    "src/legacy.d.ts",
    "src/view.tsx",
    "src/module.mts",
    "src/lib/index.ts",
    "src/data.gen.ts",
    "src/both.ts",
    "src/both/index.ts",
    "packages/core/src/index.ts",
    "packages/core/src/helpers/index.ts",
    "packages/core/src/parse.ts",
    "packages/core/tests/a.test.ts",
    "packages/bare/index.js",
    "packages/bare/extra.js",
    "packages/cli/main.mjs",
    "apps/web/src/page.tsx",
    "apps/web/src/parts/button.tsx",
    "apps/web/vendor/shim.ts",
    "apps/web/app/other.ts",
    "index.js",
]
BUILD = [
    ("packages/core/package.json", "npm_package", "@acme/core", "packages/core"),
    ("packages/core/package.json", "npm_entry", "@acme/core", "packages/core/dist/index.js"),
    ("packages/core/package.json", "npm_entry", "@acme/core/helpers", "packages/core/dist/helpers.js"),
    ("packages/core/package.json", "npm_entry", "@acme/core/*", "packages/core/dist/esm/*.mjs"),
    ("packages/bare/package.json", "npm_package", "bare", "packages/bare"),
    ("packages/cli/package.json", "npm_package", "acme-cli", "packages/cli"),
    ("packages/cli/package.json", "npm_entry", "acme-cli", "packages/cli/main.mjs"),
    ("apps/web/tsconfig.json", "ts_path", "@/*", "apps/web/src/*"),
    ("apps/web/tsconfig.json", "ts_path", "@/*", "apps/web/app/*"),
    ("apps/web/tsconfig.json", "ts_path", "@/parts/*", "apps/web/src/parts/*"),
    ("apps/web/tsconfig.json", "ts_path", "shim", "apps/web/vendor/shim.ts"),
    ("apps/web/tsconfig.json", "ts_base_url", "", "apps/web/src"),
]


@pytest.fixture(scope="module")
def resolver() -> Resolver:
    return Resolver(PATHS, BUILD)


@pytest.mark.parametrize(
    ("path", "module", "file"),
    [
        ("src/app.ts", "./util", "src/util.ts"),
        ("src/app.ts", "./util.js", "src/util.ts"),
        ("src/app.ts", "./util.ts", "src/util.ts"),
        ("src/app.ts", "./legacy.js", "src/legacy.d.ts"),
        ("src/app.ts", "./view", "src/view.tsx"),
        ("src/app.ts", "./view.jsx", "src/view.tsx"),
        ("src/app.ts", "./module.mjs", "src/module.mts"),
        ("src/app.ts", "./lib", "src/lib/index.ts"),
        ("src/app.ts", "./lib/", "src/lib/index.ts"),
        ("src/lib/index.ts", "..", None),
        ("src/lib/index.ts", "../app", "src/app.ts"),
        ("src/app.ts", "..", "index.js"),
        ("src/lib/index.ts", ".", "src/lib/index.ts"),
        ("src/app.ts", "./data.gen", "src/data.gen.ts"),
        ("src/app.ts", "./both", "src/both.ts"),
        ("src/app.ts", "./util?raw", "src/util.ts"),
        ("src/app.ts", "./missing", None),
        ("src/app.ts", "../../outside", None),
        ("src/app.ts", "/src/util", "src/util.ts"),
        ("src/app.ts", "", "src/app.ts"),
        ("src/app.ts", "/src/app.ts", "src/app.ts"),
        ("src/app.ts", "react", None),
        ("src/app.ts", "fs", None),
    ],
)
def test_a_path_means_a_file_with_or_without_suffix_or_the_index_of_a_folder(
    resolver: Resolver, path: str, module: str, file: str | None
) -> None:
    assert resolver.resolve(path, module, "x") == (None if file is None else (file, "x"))


@pytest.mark.parametrize(
    ("module", "file"),
    [
        ("@acme/core", "packages/core/src/index.ts"),
        ("@acme/core/helpers", "packages/core/src/helpers/index.ts"),
        ("@acme/core/parse", "packages/core/src/parse.ts"),
        ("@acme/core/src/parse.js", "packages/core/src/parse.ts"),
        ("@acme/core/nothing", None),
        ("@acme/corex", None),
        ("bare", "packages/bare/index.js"),
        ("bare/extra", "packages/bare/extra.js"),
        ("acme-cli", "packages/cli/main.mjs"),
    ],
)
def test_a_package_of_the_repository_means_its_source(resolver: Resolver, module: str, file: str | None) -> None:
    assert resolver.resolve("src/app.ts", module, None) == (None if file is None else (file, ""))


@pytest.mark.parametrize(
    ("path", "module", "file"),
    [
        ("apps/web/src/page.tsx", "@/parts/button", "apps/web/src/parts/button.tsx"),
        ("apps/web/src/page.tsx", "@/other", "apps/web/app/other.ts"),
        ("apps/web/src/page.tsx", "shim", "apps/web/vendor/shim.ts"),
        ("apps/web/src/page.tsx", "parts/button", "apps/web/src/parts/button.tsx"),
        ("apps/web/src/page.tsx", "react", None),
        ("src/app.ts", "@/parts/button", None),
        ("src/app.ts", "parts/button", None),
    ],
)
def test_aliases_of_a_configuration_count_below_its_folder(
    resolver: Resolver, path: str, module: str, file: str | None
) -> None:
    assert resolver.resolve(path, module, None) == (None if file is None else (file, ""))


def test_the_unit_of_a_file_is_the_file(resolver: Resolver) -> None:
    assert resolver.unit("src/app.ts") == "src/app.ts"


@pytest.mark.parametrize(
    ("module", "target"),
    [
        ("./b", "/src/lib/b"),
        ("../b.js", "/src/b.js"),
        (".", "/src/lib"),
        ("../..", "/"),
        ("", "/src/lib/a.ts"),
        ("node:fs/promises", "fs/promises"),
        ("@scope/pkg", "@scope/pkg"),
        ("../../../beyond", "../../../beyond"),
    ],
)
def test_targets_of_relative_modules_are_paths_from_the_root(module: str, target: str) -> None:
    assert import_target("src/lib/a.ts", module, "") == target
