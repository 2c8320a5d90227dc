"""Python's own parser as the oracle: the definitions of the whole standard library."""

from __future__ import annotations

import ast
import sysconfig
import warnings
from collections import Counter
from pathlib import Path

import pytest
from extraction import Extraction

LIBRARY = Path(sysconfig.get_path("stdlib"))
# Files in whose trees tree-sitter-python leaves error nodes, though Python parses them: one breaks lines in a member
# access in parentheses (`(bar.` and `baz)` on the next line); the other imports * from __future__.
LEFT_OUT = {"test/test_compile.py", "test/test_future_stmt/badsyntax_future8.py"}
PARTS = 16


def library_files() -> list[Path]:
    """All files but those of other packages that are installed below the library."""
    return [f for f in sorted(LIBRARY.rglob("*.py")) if not {"site-packages", "dist-packages"} & set(f.parts)]


def defined(tree: ast.Module) -> Counter[tuple[str, int]]:
    """Functions and classes by qualified name, without <locals>, and line."""
    found: Counter[tuple[str, int]] = Counter()

    def walk(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found[prefix + child.name, child.lineno] += 1
                walk(child, f"{prefix}{child.name}.")
            else:
                walk(child, prefix)

    walk(tree, "")
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_functions_and_classes_of_the_standard_library_equal_those_of_ast(part: int) -> None:
    compared = 0
    for file in library_files()[part::PARTS]:
        source = file.read_bytes()
        try:
            source.decode("utf-8")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(source)
        except (UnicodeDecodeError, SyntaxError, ValueError, RecursionError):
            continue  # not UTF-8, or no Python: there is nothing to compare with
        name = file.relative_to(LIBRARY).as_posix()
        extraction = Extraction("python", source, name)
        if name in LEFT_OUT:
            continue
        assert extraction.errors == 0, name
        rows = extraction.symbols("qualname", "start_line", "kind")
        found = Counter((qualname, line) for qualname, line, kind in rows if kind in ("function", "method", "class"))
        assert found == defined(tree), name
        compared += 1
    assert compared > 50
