"""Directives in comments of every language, and what they are about."""

from __future__ import annotations

import pytest

from scaup.pipeline import languages
from scaup.pipeline.text.suppressions import find

DIRECTIVE = 'scaup: ignore[C101] reason="the queue bounds it"'

# By language: a comment behind something, a comment alone above something, the directive in a text.
FORMS = {
    "python": ("x = 1  # {}\n", "# {}\nx = 1\n", "x = '{}'\n"),
    "javascript": ("x(1); // {}\n", "/* {} */\nx(1);\n", "x('{}');\n"),
    "typescript": ("x(1); // {}\n", "/* {} */\nx(1);\n", "x(`{}`);\n"),
    "tsx": ("x(1); // {}\n", "// {}\nx(<p/>);\n", "x('{}');\n"),
    "rust": ("fn f() {{}} // {}\n", "/* {} */\nfn f() {{}}\n", 'const A: &str = r#"{}"#;\n'),
    "go": ("var a = 1 // {}\n", "// {}\nvar a = 1\n", "var a = `{}`\n"),
    "json": ('{{"a": 1}} // {}\n', '// {}\n{{"a": 1}}\n', None),
    "yaml": ("a: 1 # {}\n", "# {}\na: 1\n", "a: |\n  # {}\n"),
    "toml": ("a = 1 # {}\n", "# {}\na = 1\n", "a = '''\n# {}\n'''\n"),
    "markdown": ("Some text <!-- {} -->\n", "<!-- {} -->\n\nSome text\n", "```\n<!-- {} -->\n```\n"),
}


def test_every_language_is_here() -> None:
    assert FORMS.keys() == languages.load().keys()


@pytest.mark.parametrize("language", FORMS)
def test_a_comment_is_about_its_line_or_the_next(language: str) -> None:
    behind, above, text = FORMS[language]
    told = ("C101", "the queue bounds it", None, None)
    assert find(language, behind.format(DIRECTIVE).encode()) == [(1, 1, *told)]
    target = 3 if language == "markdown" else 2
    assert find(language, above.format(DIRECTIVE).encode()) == [(1, target, *told)]
    if text is not None:
        assert find(language, text.format(DIRECTIVE).encode()) == []


def test_several_above_one_line_are_all_about_it() -> None:
    source = b"# scaup: ignore[C101] reason='a'\n\n# scaup: ignore[B103] reason='b'\nx = 1\n"
    assert [(line, target) for line, target, *_ in find("python", source)] == [(1, 4), (3, 4)]


def test_one_at_the_end_of_a_file_is_about_itself() -> None:
    assert find("python", b"x = 1\n# scaup: ignore[C101] reason='a'\n\n")[0][:2] == (2, 2)


@pytest.mark.parametrize(
    ("comment", "rules", "reason", "until", "problem"),
    [
        ("ignore[C101,B] reason='x'", "C101,B", "x", None, None),
        (
            'ignore[ C101 , retry-without-bound ] reason="it\'s fine"',
            "C101,retry-without-bound",
            "it's fine",
            None,
            None,
        ),
        ("ignore[C101] until=2027-01-31 reason='x'", "C101", "x", "2027-01-31", None),
        ("ignore[C101]", "C101", None, None, "gives no reason"),
        ("ignore[C101] reason=' '", "C101", None, None, "gives no reason"),
        ("ignore", "", None, None, "names no rule"),
        ("ignore[] reason='x'", "", None, None, "names no rule"),
        ("ignore[C101] reason='x' until=2027-02-30", "C101", "x", None, "is no date"),
        ("ignore[C101] reason='x' until=20270131", "C101", "x", None, "is no date"),
        ("ignore[C101] reason='x' by=me", "C101", "x", None, "unknown by"),
        ("ignore[C101] because it is fine", "C101", None, None, "cannot be read"),
        ("mute[C101] reason='x'", "", None, None, "mute is no directive"),
    ],
)
def test_what_a_directive_says(
    comment: str, rules: str, reason: str | None, until: str | None, problem: str | None
) -> None:
    (row,) = find("python", f"x = 1  # scaup: {comment}\n".encode())
    assert row[2:5] == (rules, reason, until)
    assert (row[5] is None) if problem is None else (problem in str(row[5]))


@pytest.mark.parametrize("comment", ["scaup: the tool", "see `scaup: ignore[C101]`", "myscaup: ignore[C101]"])
def test_prose_that_names_the_tool_is_no_directive(comment: str) -> None:
    assert find("python", f"x = 1  # {comment}\n".encode()) == []


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert find("python", b"x = '\xff'  # scaup: ignore[C101] reason='\xff'\n")[0][2] == "C101"
