"""Python: complexity counted by hand, tests by their names, spans and docs."""

from __future__ import annotations

import textwrap

import pytest
from extraction import Extraction

# (body of f, cyclomatic, cognitive); each number was counted by hand by the definitions in complexity.py.
SAMPLES = {
    "nothing branches": ("return a", 1, 0),
    "if, elif, else": ("if a:\n    x()\nelif b:\n    y()\nelse:\n    z()", 3, 3),
    "an if in a loop in a loop": ("for i in a:\n    while b:\n        if i:\n            x()", 4, 6),
    "a run of equal operators costs once": ("return a and b and c", 3, 1),
    "a change of operators costs again": ("return a and b or c", 3, 2),
    "handlers branch, try and finally do not": (
        "try:\n    x()\nexcept KeyError:\n    y()\nexcept ValueError:\n    z()\nfinally:\n    w()",
        3,
        2,
    ),
    "a conditional expression in a conditional expression": ("return a if b else (c if d else e)", 3, 3),
    "loops and conditions of comprehensions": ("return [x for x in a if x if b for y in x]", 5, 0),
    "arms of match, the last takes all that is left": (
        "match a:\n    case 1:\n        x()\n    case 2 if b:\n        y()\n    case _:\n        z()",
        4,
        1,
    ),
    "a lambda nests": ("return lambda q: q if a else b", 2, 2),
    "an else of a loop is no branch": ("for i in a:\n    x()\nelse:\n    y()", 2, 1),
    "nested definitions count for themselves": ("def g():\n    if a:\n        x()\nreturn g", 1, 0),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_complexity_is_the_one_counted_by_hand(name: str) -> None:
    body, cyclomatic, cognitive = SAMPLES[name]
    source = "def f(a, b, c, d, e):\n" + textwrap.indent(body, "    ") + "\n"
    assert Extraction("python", source, "a.py").complexity()["f"] == (cyclomatic, cognitive)


SOURCE = '''
# Makes tea.
@decorated("x")
async def tea(water, *, leaves=2, **more):
    """Pour the
       water."""


class TestKettle:
    @property
    def test_it(self): ...
    def helper(self): ...


def test_alone(): ...
def tester(): ...
'''


def test_a_definition_starts_with_what_belongs_to_it_and_has_its_own_line() -> None:
    rows = Extraction("python", SOURCE, "tea.py").rows("symbols")
    tea = next(row for row in rows if row["name"] == "tea")
    assert (tea["span_start"], tea["start_line"], tea["end_line"]) == (2, 4, 6)
    assert tea["doc"] == "Pour the\nwater."
    assert tea["signature"] == "async def tea(water, *, leaves=2, **more)"


@pytest.mark.parametrize(
    ("role", "tests"), [("test", {"TestKettle.test_it", "test_alone", "tester"}), ("source", set())]
)
def test_names_make_tests_only_in_files_that_are_tests(role: str, tests: set[str]) -> None:
    rows = Extraction("python", SOURCE, "test_tea.py", role).rows("symbols")
    assert {row["qualname"] for row in rows if row["is_test"]} == tests


def test_members_of_results_are_keys_arguments_of_constructors_and_what_subscripts_assign() -> None:
    code = """
def pour(order):
    cup = {"filled": order["size"], "spilled": [], "hot": True}
    cup["lid"] = None
    cup.get("sugar")
    stir(speed=2)
    return tea.Cup(cup=cup, complete=False, note="milk", left=0)
"""
    rows = Extraction("python", code, "tea.py").rows("field_uses")
    assert {(row["field"], row["use"], row["value"]) for row in rows} == {
        *(("filled", "produced", None), ("spilled", "produced", "empty"), ("hot", "produced", "true")),
        *(("lid", "produced", "null"), ("size", "read", None), ("sugar", "read", None)),
        *(("cup", "produced", None), ("complete", "produced", "false")),
        *(("note", "produced", "text"), ("left", "produced", "zero")),
    }
