"""Text within literals: what is written reads as the text again, as the language's own reader says."""

from __future__ import annotations

import ast
import json
import random
import shutil
import subprocess
import tomllib
import warnings
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scaup.rules.fixes.literals import Literal
from scaup.rules.fixes.quoting import UnwritableError, is_plain_yaml, quoted_yaml, written

NASTY = [
    "",
    "plain",
    "it's",
    'say "now"',
    "back\\slash",
    "\\n",
    "ends\\",
    "{x} {{y}} }{",
    "100 % %d %%",
    "a\nb",
    "tab\tend",
    "cr\rend",
    "\0001",
    "\x1b[31m",
    "é 😀 \u2028 \u2029 \ufeff \x85 \x7f",
    "\u202eabc",
    "${x} $ $$ `q` \\`",
    "'''",
    '"""',
    '"#',
    '"##',
    "#",
    "*/",
    "-->",
    ": a",
    " # b",
]
TEXTS = st.one_of(st.sampled_from(NASTY), st.text(), st.text(alphabet="ab\\\"'`{}$%#\n\t\r: "))


def literal(host: str, opening: str, *inner: str) -> Literal:
    return Literal(host, opening, 0, 0, 0, 0, frozenset(inner))


def value(source: str) -> object:
    """Return what a Python expression of literals is, as the compiler reads it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        node = ast.parse(source, mode="eval").body
    if isinstance(node, ast.JoinedStr):
        assert all(isinstance(part, ast.Constant) for part in node.values)
        return "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
    return ast.literal_eval(node)


@pytest.mark.parametrize("prefix", ["", "u", "f", "F", "r", "rf", "Rb", "b"])
@pytest.mark.parametrize("quotes", ['"', "'", '"""', "'''"])
@given(text=TEXTS)
@example(text="\\N{DIGIT ONE}")
def test_in_python(prefix: str, quotes: str, text: str) -> None:
    try:
        source = prefix + quotes + written(text, literal("python", prefix + quotes)) + quotes
    except UnwritableError:
        assert "r" in prefix.lower() or not text.isascii()
        return
    found = value(source)
    assert (found.decode() if isinstance(found, bytes) else found) == text


@given(text=TEXTS)
def test_in_json(text: str) -> None:
    assert json.loads(f'"{written(text, literal("json", chr(34)))}"') == text


@pytest.mark.parametrize("quotes", ['"', "'", '"""', "'''"])
@given(text=TEXTS)
def test_in_toml(quotes: str, text: str) -> None:
    try:
        source = f"k = {quotes}x{written(text, literal('toml', quotes))}{quotes}"
    except UnwritableError:
        assert quotes[0] == "'"
        return
    assert tomllib.loads(source)["k"] == f"x{text}"


@pytest.mark.parametrize(
    ("form", "around"),
    [("double", '"%s"'), ("single", "'%s'"), ("block", "|-\n  x%s"), ("block", ">-\n  x%s"), ("plain", "x%s")],
)
@given(text=TEXTS)
def test_in_yaml(form: str, around: str, text: str) -> None:
    yaml = pytest.importorskip("yaml")
    try:
        inside = written(text, literal("yaml", form))
    except UnwritableError:
        assert form != "double"
        return
    whole = around % inside
    if form == "plain" and not is_plain_yaml(whole, flow=False):
        whole = quoted_yaml(whole)
    found = yaml.safe_load(f"k: {whole}\n")["k"]
    expected = f"x{text}" if "x" in around else text
    # Blanks at the end of a folded line, and lines that start with one, are read in a way of their own.
    assert found == expected or (around.startswith(">") and " " in text)


@given(text=TEXTS)
def test_a_plain_scalar_in_brackets_stays_one_scalar(text: str) -> None:
    yaml = pytest.importorskip("yaml")
    try:
        inside = "x" + written(text, literal("yaml", "plain"))
    except UnwritableError:
        return
    whole = inside if is_plain_yaml(inside, flow=True) else quoted_yaml(inside)
    assert yaml.safe_load(f"k: [{whole}, end]\n")["k"] == [f"x{text}", "end"]


def many() -> list[str]:
    """Return texts for oracles that are too slow to be asked one by one."""
    random_texts = random.Random(7)  # noqa: S311  # no secret
    alphabet = "ab01\\\"'`{}$%#\n\t\r\0é😀\u2028xu"
    return NASTY + ["".join(random_texts.choices(alphabet, k=random_texts.randrange(1, 12))) for _ in range(300)]


@pytest.mark.skipif(shutil.which("node") is None, reason="the oracle is node")
def test_in_javascript() -> None:
    rows = []
    for text in many():
        for quote in ('"', "'", "`"):
            inside = written(text, literal("javascript", quote))
            rows.append((quote + inside + quote, text))
            if quote == "`":
                rows.append((f"`{inside}${{'v'}}{inside}`", f"{text}v{text}"))
                rows.append((f"`{inside}{{v}}`", text + "{v}"))
    source = f"console.log(JSON.stringify([{','.join(code for code, _ in rows)}]))"
    ran = subprocess.run(["node", "-"], input=source.encode(), capture_output=True, check=True)
    assert json.loads(ran.stdout) == [text for _, text in rows]


@pytest.mark.skipif(shutil.which("rustc") is None, reason="the oracle is rustc")
def test_in_rust(tmp_path: Path) -> None:
    codes, expected = [], []
    for text in many():
        for opening, closing in (('"', '"'), ('r"', '"'), ('r#"', '"#'), ('r##"', '"##'), ('b"', '"')):
            try:
                inside = written(text, literal("rust", opening))
            except UnwritableError:
                assert "r" in opening or not text.isascii()
                continue
            code = opening + inside + closing
            codes.append(f"({code}).to_vec()" if opening == 'b"' else f"({code}).as_bytes().to_vec()")
            expected.append(text.encode().hex())
    body = "".join(f"show({code});\n" for code in codes)
    show = 'fn show(v: Vec<u8>) { for b in v { print!("{:02x}", b); } println!(); }'
    (tmp_path / "m.rs").write_text(f"{show}\nfn main() {{\n{body}}}\n", encoding="utf-8", newline="")
    made = subprocess.run(
        ["rustc", "-A", "warnings", "-o", "m", "m.rs"], cwd=tmp_path, capture_output=True, check=False
    )
    assert made.returncode == 0, made.stderr.decode()[:2000]
    ran = subprocess.run([tmp_path / "m"], capture_output=True, check=True)
    assert ran.stdout.decode().splitlines() == expected


@pytest.mark.parametrize("opening", ['"', "`"])
@given(text=TEXTS)
def test_in_go(opening: str, text: str) -> None:
    """The oracle is the extraction, which knows Go's escapes by a table of its own."""
    from textfacts import texts

    try:
        inside = written(text, literal("go", opening))
    except UnwritableError:
        assert opening == "`"
        return
    source = f"package m\n\nvar x = {opening}three words before {inside} and behind{opening}\n"
    (row,) = texts(source, "go").strings
    assert row.text == f"three words before {text} and behind"


def test_what_no_literal_holds_is_refused() -> None:
    for host, opening, inner, text in [
        ("python", '"', (), "\ud800"),
        ("python", 'f"', ("nested",), 'a "b"'),
        ("javascript", "`", ("tagged",), "a `b`"),
        ("go", "`", ("tag",), "anything"),
        ("comment", "", (), "a\nb"),
        ("comment", "", (), "a */ b"),
        ("markdown", "", (), "a\nb"),
        ("markdown", "", (), "<!-- a"),
    ]:
        with pytest.raises(UnwritableError):
            written(text, literal(host, opening, *inner))
