"""Strings of Markdown: one block is one string, and what is code or comment is none."""

from __future__ import annotations

import pytest
from documents import rows, texts
from hypothesis import given
from hypothesis import strategies as st

from scaup.pipeline.text.rows import Segment, Span


def blocks(source: str | bytes, path: str = "AGENTS.md") -> list[str]:
    return texts("markdown", source, "instructions", path)


def test_each_block_is_a_string_of_its_own() -> None:
    source = """# A *heading* ##

A paragraph
of two lines with `code`, **bold** and [a link](there.md).

Underlined
==========

- an item
  that goes on
  - an item of it

  a second paragraph
- [ ] a task

2. a number

> a quote
> that goes on
lazily
>
> > - an item in it

| a | `b` |
|---|:-:|
| c d |  | e \\| f |

***
"""
    assert blocks(source) == [
        "A *heading*",
        "A paragraph\nof two lines with `code`, **bold** and [a link](there.md).",
        "Underlined",
        "an item\nthat goes on",
        "an item of it",
        "a second paragraph",
        "a task",
        "a number",
        "a quote\nthat goes on\nlazily",
        "an item in it",
        "a | `b`",
        "c d |  | e \\| f",
    ]


def test_code_comments_and_link_definitions_are_no_text() -> None:
    source = """One <!-- not this --> two, `<!-- but -->` this.

    indented code

```python
fenced = "code"
<tag>
```

<!-- a comment

<tag>

over blocks -->

<pre>
as it is
</pre>

[ref]: https://example.org "Title"

- an item

  ~~~
  fenced in it
  ~~~

The end.

```
open to the end

<tag>
The file ends.
"""
    assert blocks(source) == ["One  two, `<!-- but -->` this.", "an item", "The end."]


def test_tags_that_stand_alone_are_strings_and_what_is_between_them_is_blocks() -> None:
    source = """<rules>
Follow these:
1. First one.
2. Second one.
   <example kind="a b">
   user: hi
   </example>
</rules>
Say <b>this</b>.
<div>text in a block
of html</div>
"""
    assert blocks(source) == [
        "<rules>",
        "Follow these:",
        "First one.",
        "Second one.",
        '<example kind="a b">',
        "user: hi",
        "</example>",
        "</rules>",
        "Say <b>this</b>.",
        "<div>text in a block\nof html</div>",
    ]


def test_the_description_of_a_front_matter_is_a_string_of_the_file() -> None:
    source = """---
name: a-skill
description: >-
  Use it when
  two things meet.
when_to_use: "At \\"once\\"."
globs: some files, other files
---

# Title
"""
    found = [
        (row.surface, row.detail, row.tool, row.text) for row in rows("markdown", source, "instructions", "SKILL.md")
    ]
    assert found == [
        ("instructions", "front matter", None, "Use it when two things meet."),
        ("instructions", "front matter", None, 'At "once".'),
        ("instructions", "file name", None, "Title"),
    ]


def test_places_leave_out_the_marks_of_containers() -> None:
    source = "é\n\n> - óne {{x}}\n>   two\r\n"
    first, second = rows("markdown", source, "prompt")
    assert (first.text, first.span) == ("é", Span(1, 1, 1, 2))
    assert (second.text, second.span, second.placeholders) == ("óne {x}\ntwo", Span(3, 5, 4, 8), ["x"])
    assert second.segments == [
        Segment(0, 3, 5, 3, 9), Segment(4, 3, 9, 3, 14), Segment(7, 3, 14, 4, 5), Segment(8, 4, 5, 4, 8)
    ]  # fmt: skip


def test_template_code_is_dropped_with_its_lines() -> None:
    source = """{% if tools %}
## Tools
{% for tool in tools %}
- {{ tool.name }}: {{- tool.description }}
{% endfor %}
{% endif %}
{# a comment

over blocks #}
Today is {{.Date}}{{if .X}}, and more{{end}}.
"""
    assert blocks(source, "x.md.j2") == ["Tools", "{tool.name}: {tool.description}", "Today is {Date}, and more."]


def test_indented_blocks_are_code_in_markdown_and_text_in_templates() -> None:
    source = "{% if x %}\n\n    Do this\n    now.\n\n    - And that.\n{% endif %}\n"
    assert blocks(source, "prompts/x.md") == []
    assert blocks(source, "prompts/x.j2") == ["Do this\nnow.", "And that."]


def test_blank_and_wordless_blocks_are_none() -> None:
    assert blocks("---\n\n***\n\n- \n\n> \n\n!!!\n\n|||\n|-|-|\n") == []


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"---\n",
        b"---\na: [\n---\nText here.\n",
        b"\xff\xfe text",
        b"```",
        b"<!--",
        b"\x00a b",
        b"\xef\xbb\xbf# A b",
        b">" * 10_000 + b" a b",
        b"- " * 10_000 + b"a b",
        b"".join(b"  " * n + b"- a b\n" for n in range(1_000)),
        b"> - " * 3_000 + b"a",
        b"1. " * 3_000 + b"a",
        b"*" * 20_000 + b"a",
        b"_ " * 20_000,
        b"<a>" * 10_000,
        b"[" * 20_000,
        b"`" * 20_001,
        b"|" * 9_999,
        b"{{" * 20_000,
        b"{%" * 20_000,
        b"{#\n" * 5_000,
        b"<!--" * 20_000,
    ],
)
def test_broken_and_deep_input_breaks_nothing(source: bytes) -> None:
    blocks(source)
    blocks(source, "prompts/x.txt")


marks = [
    "# ",
    "one two",
    "> ",
    "- ",
    "1. ",
    "\n",
    "\n\n",
    "  ",
    "    ",
    "```",
    "~~~",
    "<tag>",
    "</tag>\n",
    "<!--",
    "-->",
    "|a|b|\n|-|-|\n",
    "| c | d |",
    "`x`",
    "{{name}}",
    "{% if a %}",
    "{% endif %}\n",
    "{name}",
    "é漢",
    "\t",
    "***",
    "===\n",
    "---\n",
    "[a](b)",
    "\r\n",
    "{{/* c",
    "*/}}",
    "description: foo bar\n",
    "<%= y %>",
    "{#",
    "#}",
]


@given(st.lists(st.sampled_from(marks), max_size=40).map("".join))
def test_any_mixture_of_marks_has_texts_that_stand_in_the_file(source: str) -> None:
    # `rows` looks at every segment.
    rows("markdown", source, "prompt", "x.md")
    rows("markdown", source, "prompt", "x.txt")


def test_markdown_that_no_name_declares_is_no_text_of_agents() -> None:
    assert texts("markdown", "# Title\n\nOne two.\n", None, "README.md") == []
