"""What a user can name, and the answers about symbols."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import shop
from facts import write_files
from gitrepo import GitRepo

from scaup.pipeline import ingest, lookup, symbols
from scaup.pipeline.facts import Facts, open_facts
from scaup.pipeline.response import ScaupError


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop.build(tmp_path_factory.mktemp("shop")).root


@pytest.fixture(scope="module")
def opened(root: Path) -> Iterator[Facts]:
    with open_facts(ingest.project(root)) as opened:
        yield opened


def fails(call: object, *arguments: object) -> ScaupError:
    with pytest.raises(ScaupError) as error:
        call(*arguments)  # type: ignore[operator]
    return error.value


@pytest.mark.parametrize(
    "text",
    [
        "src/shop/cart.py",
        "./src/shop/cart.py",
        "src/shop/../shop/cart.py",
        "src\\shop\\cart.py",
        ".\\src\\shop\\cart.py",
        "cart.py",
        "shop/cart.py",
    ],
)
def test_a_file_is_found_by_its_path_or_the_end_of_it(opened: Facts, text: str) -> None:
    assert lookup.find_file(opened, text) == "src/shop/cart.py"


def test_a_file_is_found_by_its_absolute_path(opened: Facts, root: Path, tmp_path: Path) -> None:
    assert lookup.find_file(opened, str(root / "src/shop/cart.py")) == "src/shop/cart.py"
    (tmp_path / "link").symlink_to(root)
    assert lookup.find_file(opened, str(tmp_path / "link" / "src/shop/cart.py")) == "src/shop/cart.py"


def test_a_relative_path_counts_from_where_the_user_stands(root: Path) -> None:
    with open_facts(ingest.project(root), directory=root / "src/shop") as opened:
        assert lookup.find_file(opened, "money.py") == "src/shop/money.py"
        assert lookup.find_file(opened, "./money.py") == "src/shop/money.py"
        assert lookup.find_file(opened, "../../tests/test_cart.py") == "tests/test_cart.py"
        assert lookup.find_file(opened, "src/shop/money.py") == "src/shop/money.py"
        assert lookup.find(opened, ".") == lookup.Place("src/shop/")


def test_a_file_that_is_not_there_is_answered_with_the_nearest(opened: Facts, tmp_path: Path) -> None:
    error = fails(lookup.find_file, opened, "src/shop/crat.py")
    assert (error.code, error.details["nearest"][0]) == ("path_not_found", "src/shop/cart.py")
    assert "Nearest: src/shop/cart.py" in error.message
    assert "outside" in fails(lookup.find_file, opened, str(tmp_path / "x.py")).message
    assert fails(lookup.find_file, opened, "./cart.py").code == "path_not_found"
    assert fails(lookup.find_file, opened, "../x.py").code == "path_not_found"


def test_a_file_that_git_ignores_is_told_apart(tmp_path: Path) -> None:
    GitRepo(tmp_path).commit({".gitignore": "out\n", "a.py": "x = 1\n", "out/b.py": "y = 1\n"})
    with open_facts(ingest.project(tmp_path)) as opened:
        assert "git ignores it" in fails(lookup.find_file, opened, "out/b.py").message


def test_the_end_of_several_paths_is_ambiguous(tmp_path: Path) -> None:
    write_files(tmp_path, {"a/x.py": "def f(): pass\n", "b/x.py": "def g(): pass\n", "c/y.py": "def f(): pass\n"})
    with open_facts(ingest.project(tmp_path)) as opened:
        error = fails(lookup.find_file, opened, "x.py")
        assert (error.code, error.details["candidates"]) == (
            "ambiguous_match",
            [{"path": "a/x.py"}, {"path": "b/x.py"}],
        )
        # The name tells which of the files is meant.
        assert lookup.find_symbol(opened, "x.py::g").path == "b/x.py"
        error = fails(lookup.find_symbol, opened, "f")
        assert error.details["candidates"] == [
            {"path": "a/x.py", "line": 1, "qualname": "f", "kind": "function"},
            {"path": "c/y.py", "line": 1, "qualname": "f", "kind": "function"},
        ]
        assert lookup.find_symbol(opened, "f", "c/y.py").path == "c/y.py"


@pytest.mark.parametrize(
    ("text", "qualname"),
    [
        ("wait", "wait"),
        ("wait()", "wait"),
        ("Cart.price", "Cart.price"),
        ("price", "Cart.price"),
        ("Cart::price", "Cart.price"),
        ("cart.py::Cart.price", "Cart.price"),
        ("src/shop/cart.py::Cart::price", "Cart.price"),
        ("src/shop/cart.py::price", "Cart.price"),
        ("src/shop/cart.py:25", "Cart.price"),  # its comment
        ("src/shop/cart.py:27:9", "Cart.price"),
        ("cart.py:11:", "Cart"),
    ],
)
def test_a_symbol_is_found_by_name_or_line(opened: Facts, text: str, qualname: str) -> None:
    found = lookup.find_symbol(opened, text)
    assert (found.path, found.qualname) == ("src/shop/cart.py", qualname)


def test_a_line_of_module_code_is_in_the_body_of_the_module(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": "def f(): pass\n\nf()\n"})
    with open_facts(ingest.project(tmp_path)) as opened:
        assert lookup.find_symbol(opened, "a.py:3").qualname == "<module>"
        assert lookup.find_symbol(opened, "a.py:1").qualname == "f"


def test_a_whole_name_wins_over_the_end_of_one(opened: Facts) -> None:
    assert lookup.find_symbol(opened, "add").qualname == "add"  # and not Cart.add


def test_a_name_with_the_separator_of_paths_is_a_name(tmp_path: Path) -> None:
    write_files(tmp_path, {"lib.rs": "struct S;\nimpl S { fn go(&self) {} }\n"})
    with open_facts(ingest.project(tmp_path)) as opened:
        assert lookup.find_symbol(opened, "S::go").qualname == "S::go"
        assert lookup.find_symbol(opened, "lib.rs::S::go").qualname == "S::go"
        assert lookup.find_symbol(opened, "S.go").qualname == "S::go"


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("prise", "symbol_not_found", "Nearest: Cart.price"),
        ("cart.py::prise", "symbol_not_found", "no symbol prise in src/shop/cart.py"),
        ("crat.py::price", "path_not_found", "Nearest: src/shop/cart.py"),
        ("crat.py:3", "path_not_found", "Nearest: src/shop/cart.py"),
        ("cart.py:999", "symbol_not_found", "contains line 999. Nearest: wait (line 35)"),
        ("cart.py:1", "symbol_not_found", "contains line 1. Nearest: LIMIT (line 7)"),
        ("cart.py", "invalid_request", "src/shop/cart.py is a file"),
        ("size", "ambiguous_match", "2 symbols match size. Name one of them as path:line"),
        ("", "invalid_request", "is empty"),
        ("::", "symbol_not_found", "no symbol ::"),
        (":", "symbol_not_found", "no symbol :"),
        ("%", "symbol_not_found", "no symbol %"),
        ("\udcff", "symbol_not_found", "no symbol"),
        ("x" * 5000, "symbol_not_found", "no symbol"),
    ],
)
def test_a_name_that_is_not_found_says_what_is_near(opened: Facts, text: str, code: str, words: str) -> None:
    error = fails(lookup.find_symbol, opened, text)
    assert error.code == code
    assert words in error.message


def test_an_outline_is_in_order_of_place_and_knows_depth(opened: Facts) -> None:
    payload = symbols.outline(opened, "cart.py")
    assert [(s["line"], s["depth"], s["qualname"]) for s in payload["symbols"]] == [
        (7, 0, "LIMIT"),
        (10, 0, "Cart"),
        (13, 1, "Cart.__init__"),
        (17, 1, "Cart.size"),
        (21, 1, "Cart.size"),
        (25, 1, "Cart.price"),
        (29, 1, "Cart.add"),
        (35, 0, "wait"),
    ]


def test_the_outline_of_a_file_that_was_not_parsed_is_a_gap(root: Path) -> None:
    with open_facts(ingest.project(root)) as opened:
        answer = opened.answer(symbols.outline(opened, "README.md"))
    assert (answer["complete"], answer["symbols"]) == (False, [])
    assert answer["skipped_files"] == [{"file": "README.md", "reason": "unsupported_language"}]


def test_shown_text_is_verbatim_with_comments_and_decorators(opened: Facts, root: Path) -> None:
    (symbol,) = symbols.show(opened, "Cart.price")["symbols"]
    lines = (root / "src/shop/cart.py").read_text().splitlines(keepends=True)
    assert symbol["text"] == "".join(lines[symbol["start_line"] - 1 : symbol["end_line"]])
    assert symbol["text"].startswith("    # Prices change at night.\n    def price(self):\n")
    assert symbol["changed"] is False


def test_definitions_of_one_name_in_one_file_are_shown_together(opened: Facts) -> None:
    shown = symbols.show(opened, "Cart.size")["symbols"]
    assert [s["text"].split("\n")[0].strip() for s in shown] == ["@property", "@size.setter"]


def test_text_is_shown_as_it_is_in_any_encoding_and_with_any_line_ends(tmp_path: Path) -> None:
    content = b"def f():\r\n    return 'caf\xe9'\r\n\r\ndef g():\r\n    return 2"
    (tmp_path / "a.py").write_bytes(content)
    with open_facts(ingest.project(tmp_path)) as opened:
        assert symbols.show(opened, "f")["symbols"][0]["text"] == "def f():\r\n    return 'caf\\xe9'\r\n"
        assert symbols.show(opened, "g")["symbols"][0]["text"] == "def g():\r\n    return 2"


def test_a_file_that_changed_since_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    return 1\n")
    with open_facts(ingest.project(tmp_path)) as opened:
        (tmp_path / "a.py").write_text("import os\ndef f():\n    return 1\n")
        payload = symbols.show(opened, "f")
        assert payload["symbols"][0]["changed"] is True
        assert opened.answer(payload)["skipped_files"] == [{"file": "a.py", "reason": "changed"}]
        (tmp_path / "a.py").unlink()
        assert fails(symbols.show, opened, "f").code == "path_not_found"
        (tmp_path / "a.py").symlink_to("/etc/hostname")
        assert fails(symbols.show, opened, "f").code == "path_not_found"


def test_calls_name_both_sides_with_rung_and_lines(opened: Facts) -> None:
    payload = symbols.calls(opened, "Cart.price")
    assert payload["symbol"] == {"path": "src/shop/cart.py", "line": 25, "qualname": "Cart.price", "kind": "method"}
    assert [tuple(row.values()) for row in payload["callers"]] == [
        ("src/shop/cart.py", 29, "Cart.add", "method", "exact", [32])
    ]
    assert [tuple(row.values()) for row in payload["callees"]] == [
        ("src/shop/money.py", 1, "total", "function", "import", [27])
    ]
    assert list(payload["callers"][0]) == ["path", "line", "qualname", "kind", "provenance", "call_lines"]
    assert payload["unresolved"] == []


def test_calls_that_were_not_resolved_have_a_reason(opened: Facts) -> None:
    assert symbols.calls(opened, "wait")["unresolved"] == [
        {"line": 36, "callee": "sleep", "receiver": "time", "reason": "external", "target": "time.sleep"}
    ]


def test_metrics_are_of_a_symbol_a_file_a_folder_or_all(opened: Facts) -> None:
    def qualnames(target: str | None) -> set[str]:
        return {row["qualname"] for row in symbols.metrics(opened, target, limit=0)["symbols"]} - {"<module>"}

    assert qualnames("total") == {"total"}
    assert qualnames("money.py") == {"total", "add", "tax"}
    assert qualnames("tests") == {"test_price"}
    assert qualnames("src/") > {"total", "wait"}
    assert qualnames(None) == qualnames(".") == qualnames("src") | qualnames("tests")


def test_metrics_are_sorted_and_limited_with_the_total_beside_them(opened: Facts) -> None:
    payload = symbols.metrics(opened, "money.py", sort="lines", limit=2)
    assert payload["symbols"][0]["qualname"] == "total"
    assert (len(payload["symbols"]), payload["total"]) == (2, 3)
    named = symbols.metrics(opened, "money.py", sort="qualname")["symbols"]
    assert [row["qualname"] for row in named] == ["add", "tax", "total"]
    error = fails(lambda: symbols.metrics(opened, sort="chrun"))
    assert (error.code, error.details["nearest"]) == ("invalid_request", ["churn"])


def test_reach_of_one_symbol_is_exact_above_the_cap(tmp_path: Path) -> None:
    callers = "".join(
        f"def caller_{n}():\n    return target()\n\n\ndef test_{n}():\n    caller_{n}()\n\n\n" for n in range(40)
    )
    write_files(tmp_path, {"test_many.py": f"def target():\n    return 1\n\n\n{callers}"})
    with open_facts(ingest.project(tmp_path)) as opened:
        (row,) = [s for s in symbols.metrics(opened, limit=0)["symbols"] if s["qualname"] == "target"]
        assert (row["reach"], row["reach_capped"], row["tested_by"]) == (None, True, None)
        (row,) = symbols.metrics(opened, "target")["symbols"]
        assert (row["reach"], row["reach_capped"], row["tested_by"]) == (80, True, 40)
        for name in ("caller_7", "test_7"):
            (one,) = symbols.metrics(opened, name)["symbols"]
            (same,) = [s for s in symbols.metrics(opened, limit=0)["symbols"] if s["qualname"] == name]
            assert one == same
