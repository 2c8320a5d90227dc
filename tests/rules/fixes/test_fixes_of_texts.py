"""Fixes in every form of string of every language: the file before, the sentence, and the file after, by hand.

`OLD` becomes `NEW` in each; `fixed` also checks that the file parses and says that and nothing else.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fixing import fixed, plan

OLD, NEW = "Retry the call now.", 'Retry the call "once", it\'s due.'
PYTHON = [
    ('x = "Busy. Retry the call now. Bye."', "x = \"Busy. Retry the call \\\"once\\\", it's due. Bye.\""),
    ("x = 'Busy. Retry the call now.'", "x = 'Busy. Retry the call \"once\", it\\'s due.'"),
    ("x = '''Busy.\n  Retry the call now.'''", "x = '''Busy.\n  Retry the call \"once\", it\\'s due.'''"),
    ('x = r"Busy\\d. Retry the call now."', "not fixed: cannot_be_written"),
    ('x = b"Busy. Retry the call now."', 'x = b"Busy. Retry the call \\"once\\", it\'s due."'),
    ("x = f'{a!r:>{w}} Retry the call now. {b}'", "x = f'{a!r:>{w}} Retry the call \"once\", it\\'s due. {b}'"),
    ('x = "Busy: %s. Retry the call now." % a', 'x = "Busy: %s. Retry the call \\"once\\", it\'s due." % a'),
    ('x = "{} {{}} Retry the call now.".format(a)', 'x = "{} {{}} Retry the call \\"once\\", it\'s due.".format(a)'),
    ("x = ('Busy. '  # why\n     \"Retry the call now.\")",
     "x = ('Busy. '  # why\n     \"Retry the call \\\"once\\\", it's due.\")"),
    ('x = "Busy. " + a + " Retry the call now."', 'x = "Busy. " + a + " Retry the call \\"once\\", it\'s due."'),
    ('x = "\\u00e9\\t. Retry the call now.\\n"', 'x = "\\u00e9\\t. Retry the call \\"once\\", it\'s due.\\n"'),
    ('@mcp.tool()\ndef f():\n    """Waits.\n\n    Retry the call now.\n    """\n',
     '@mcp.tool()\ndef f():\n    """Waits.\n\n    Retry the call \\"once\\", it\'s due.\n    """\n'),
]  # fmt: skip
JAVASCRIPT = [
    ('const x = "Busy. Retry the call now.";', 'const x = "Busy. Retry the call \\"once\\", it\'s due.";'),
    ("const x = 'Busy. Retry the call now.';", "const x = 'Busy. Retry the call \"once\", it\\'s due.';"),
    ("const x = `Busy ${a}. Retry the call now.`;", "const x = `Busy ${a}. Retry the call \"once\", it's due.`;"),
    ("const x = 'Busy ' + a + '. Retry the call now.';", "const x = 'Busy ' + a + '. Retry the call \"once\", it\\'s due.';"),
    ("const x = dedent`\n    Busy.\n    Retry the call now.\n  `;",
     "const x = dedent`\n    Busy.\n    Retry the call \"once\", it's due.\n  `;"),
    ('f({ description: "Busy. Retry the call now." });', 'f({ description: "Busy. Retry the call \\"once\\", it\'s due." });'),
]  # fmt: skip
RUST = [
    ('const X: &str = "Busy. Retry the call now.";', 'const X: &str = "Busy. Retry the call \\"once\\", it\'s due.";'),
    ('const X: &str = "Busy. \\\n    Retry the call now.";',
     'const X: &str = "Busy. \\\n    Retry the call \\"once\\", it\'s due.";'),
    ('fn f() -> String { format!("{a}. Retry the call now. {}", b) }',
     'fn f() -> String { format!("{a}. Retry the call \\"once\\", it\'s due. {}", b) }'),
    ('const X: &[u8] = b"Busy. Retry the call now.";', 'const X: &[u8] = b"Busy. Retry the call \\"once\\", it\'s due.";'),
    ('const X: &str = r#"Busy. Retry the call now."#;', "not fixed: cannot_be_written"),
    ('const X: &str = concat!("Busy. ", "Retry the call now.");',
     'const X: &str = concat!("Busy. ", "Retry the call \\"once\\", it\'s due.");'),
]  # fmt: skip
GO = [
    ('var x = "Busy. Retry the call now."', 'var x = "Busy. Retry the call \\"once\\", it\'s due."'),
    ("var x = `Busy.\n  Retry the call now.`", "var x = `Busy.\n  Retry the call \"once\", it's due.`"),
    ('var x = fmt.Sprintf("Busy: %d. Retry the call now.", n)',
     'var x = fmt.Sprintf("Busy: %d. Retry the call \\"once\\", it\'s due.", n)'),
    ('var x = "Busy. " +\n\t"Retry the call now."', 'var x = "Busy. " +\n\t"Retry the call \\"once\\", it\'s due."'),
]  # fmt: skip
JSON = [
    ('{"prompt": "\\u00e9. Retry the call now."}', '{"prompt": "\\u00e9. Retry the call \\"once\\", it\'s due."}'),
]
YAML = [
    ("k: Busy. Retry the call now. # why", 'k: Busy. Retry the call "once", it\'s due. # why'),
    ('k: "Busy. Retry the call now."', 'k: "Busy. Retry the call \\"once\\", it\'s due."'),
    ("k: 'Busy. Retry the call now.'", "k: 'Busy. Retry the call \"once\", it''s due.'"),
    ("k: |\n  Busy.\n  Retry the call now.\n", 'k: |\n  Busy.\n  Retry the call "once", it\'s due.\n'),
    ("k: >-\n  Busy.\n  Retry the call now.\n", 'k: >-\n  Busy.\n  Retry the call "once", it\'s due.\n'),
    ("k: Busy.\n  Retry the call now.\n", 'k: Busy.\n  Retry the call "once", it\'s due.\n'),
]
TOML = [
    ('k = "Busy. Retry the call now."', 'k = "Busy. Retry the call \\"once\\", it\'s due."'),
    ("k = 'Busy. Retry the call now.'", "not fixed: cannot_be_written"),
    ('k = """\nBusy.\nRetry the call now."""', 'k = """\nBusy.\nRetry the call \\"once\\", it\'s due."""'),
    ("k = '''\nBusy.\nRetry the call now.'''", "not fixed: cannot_be_written"),
]
MARKDOWN = [
    ("# Title\n\n- Busy.\n  Retry the call now.\n", "# Title\n\n- Busy.\n  Retry the call \"once\", it's due.\n"),
    ("| a | b |\n|---|---|\n| Busy | Retry the call now. |\n",
     "| a | b |\n|---|---|\n| Busy | Retry the call \"once\", it's due. |\n"),
    ("---\nname: x\ndescription: Busy. Retry the call now.\n---\nText.\n",
     "---\nname: x\ndescription: Busy. Retry the call \"once\", it's due.\n---\nText.\n"),
    ("> Busy.\n> Retry the call now.\n", "> Busy.\n> Retry the call \"once\", it's due.\n"),
]  # fmt: skip
ALL = [
    (path, prefix + before, after if after.startswith("not fixed") else prefix + after)
    for path, prefix, rows in [
        ("m.py", "", PYTHON),
        ("m.ts", "", JAVASCRIPT),
        ("m.js", "", JAVASCRIPT),
        ("m.rs", "", RUST),
        ("m.go", "package m\n\n", GO),
        ("m.json", "", JSON),
        ("m.yaml", "", YAML),
        ("m.toml", "", TOML),
        ("AGENTS.md", "", MARKDOWN),
    ]
    for before, after in rows
]


@pytest.mark.parametrize(("path", "before", "after"), ALL)
def test_by_hand(tmp_path: Path, path: str, before: str, after: str) -> None:
    assert fixed(tmp_path, path, before, OLD, NEW) == after


@pytest.mark.parametrize(("path", "before", "after"), ALL)
def test_line_ends_and_a_byte_order_mark_stay(tmp_path: Path, path: str, before: str, after: str) -> None:
    crlf = before.replace("\n", "\r\n")
    wanted = after if after.startswith("not fixed") else after.replace("\n", "\r\n")
    assert fixed(tmp_path, path, crlf, OLD, NEW) == wanted
    if path.endswith(".py"):
        marked = wanted if after.startswith("not fixed") else "\ufeff" + wanted
        assert fixed(tmp_path, path, "\ufeff" + crlf, OLD, NEW) == marked


@pytest.mark.parametrize(
    ("path", "before", "old", "new", "after"),
    [
        # A break in the text is an escape where there are escapes, else a break.
        ("m.py", 'x = "a b c {d}"', "a b c", "a b\nc", 'x = "a b\\nc {d}"'),
        ("m.go", "package m\nvar x = `a b c d`", "b c", "b\nc", "package m\nvar x = `a b\nc d`"),
        ("m.yaml", "k: |\n  a b c d\n", "b c", "b\nc", "not fixed: cannot_be_written"),
        # What a plain scalar cannot hold gets quotes.
        ("m.yaml", "k: Ask the \\ \"user\" now.", "now", "now: yes", 'k: "Ask the \\\\ \\"user\\" now: yes."'),
        ("m.yaml", "k: [Ask the user now, b]", "user", "user, him", 'k: ["Ask the user, him now", b]'),
        # Braces and percent signs may be marks of a format.
        ("m.py", 'x = "a b c d"', "b c", "b {c}", "not fixed: may_be_format_mark"),
        ("m.py", 'x = "a b c d"', "b c", "b 5 % c", "not fixed: may_be_format_mark"),
        ("m.py", 'x = f"a b c {d}"', "b c", "b 5 % {c}", 'x = f"a b 5 % {{c}} {d}"'),
        ("m.js", "x = `a b c ${d}`;", "b c", "b ${c}", "x = `a b \\${c} ${d}`;"),
        ("m.rs", 'const X: &str = "a b c d";', "b c", "b {c}", "not fixed: may_be_format_mark"),
        ("m.json", '{"prompt": "a b c d"}', "b c", "b {{c}}", "not fixed: may_be_format_mark"),
        # Placeholders stay as they stand in the source.
        ("m.py", "x = f'a {b!r} c {d[0]:>4} e'", "a {b} c {} e", "See {b}, then {}.", "x = f'See {b!r}, then {d[0]:>4}.'"),
        ("m.py", "x = f'a {b} c {d} e'", "a {b} c {d} e", "a {d} c {b} e", "not fixed: placeholder_lost"),
        ("m.py", "x = f'a {b} c {d} e'", "a {b} c {d} e", "a {b} c e", "not fixed: placeholder_lost"),
        ("m.py", "x = '{b}' + b + ' c d e'", "c d", "f", "not fixed: placeholder_ambiguous"),
        # Both ends of a wrapper in literals of their own; a sentence over two of them is left alone.
        ("m.py", "x = ('<n>See the ' \n 'plan.</n>')", "<n>See the plan.</n>", "See the plan.",
         "x = ('See the ' \n 'plan.')"),
        ("m.py", "x = ('See the ' \n 'plan now.')", "the plan", "a file", "not fixed: crosses_literals"),
        ("m.py", "x = a + ' is b c'", "{a} is", "So {a} is", "not fixed: not_in_literal"),
        # A line goes with its indentation.
        ("m.py", 'x = dedent("""\\\n    <n>\n    See the plan.\n    </n>""")', "<n>\nSee the plan.\n</n>", "See the plan.",
         'x = dedent("""\\\n    See the plan.""")'),
        ("m.js", "x = dedent`\n  See:\n  <n>\n  the plan.\n  </n>\n  Do.`;", "<n>\nthe plan.\n</n>", "the plan.",
         "x = dedent`\n  See:\n  the plan.\n  Do.`;"),
        # Half of an escape cannot be replaced, all of it can.
        ("m.js", 'x = "a b \\ud83d\\ude00 c";', "b 😀", "b", 'x = "a b c";'),
        # Expressions in f-strings, tags of Go fields, functions that read templates as written.
        ("m.py", "x = f'{f(\"a b c d\")}'", "b c", "b \"c\"", "not fixed: cannot_be_written"),
        ("m.js", "x = String.raw`a b c d`;", "b c", "b\\c", "not fixed: cannot_be_written"),
        ("m.js", "x = String.raw`a b c d`;", "b c", "b, c", "x = String.raw`a b, c d`;"),
        # Nothing to do.
        ("m.py", 'x = "a b c d"', "b c", "b c", "not fixed: nothing_to_change"),
    ],
)  # fmt: skip
def test_what_is_special(tmp_path: Path, path: str, before: str, old: str, new: str, after: str) -> None:
    assert fixed(tmp_path, path, before, old, new) == after


def test_an_edit_is_the_smallest_stretch(tmp_path: Path) -> None:
    source = 'é = 1; x = f"é {n}. Try again later. Bye."'
    _, edits = plan(tmp_path, "m.py", source.encode(), "Try again later.", "Try again later, once.")
    assert edits == [
        {
            "path": "m.py",
            "span": {"start_line": 1, "start_column": 36, "end_line": 1, "end_column": 36},
            "text": ", once",
            "safe": False,
        }
    ]
    assert source[:35].endswith("later")


def test_a_file_that_is_not_utf8_is_left_alone(tmp_path: Path) -> None:
    fix, edits = plan(tmp_path, "m.py", b"# \xe9\nx = 'Busy. Retry the call now.'", OLD, NEW)
    assert (fix.reason, edits) == ("not_utf8", [])
