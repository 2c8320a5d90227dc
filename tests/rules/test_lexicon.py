"""How the lexicon reads English: sentences with their offsets, words, inflection, patterns, negation and mention."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaup.rules.lexicon import family, first_of, group, read
from scaup.rules.lexicon.families import Family, Lexicon, lexicon
from scaup.rules.lexicon.inflection import Irregular, noun_forms, verb_forms
from scaup.rules.lexicon.patterns import Compiled, Compiler

NONE = Irregular()


def sentences(text: str) -> list[str]:
    return [sentence.raw for sentence in read(text).sentences]


def _compile(pattern: str) -> Compiled:
    return Compiler(lambda name: (name,)).compile(pattern)


def stream(text: str) -> str:
    return " | ".join(sentence.stream.strip() for sentence in read(text).sentences)


@pytest.fixture
def small() -> Family:
    """A family of its own, so that the tests do not hang on the words of a rule."""
    tables = [
        lexicon_table(),
        {
            "groups": {"ask": {"verbs": ["poll", "retry"]}, "noun": {"nouns": ["reply"], "words": ["an answer"]}},
            "families": {"asks": {"about": "asking", "patterns": ["{ask}"]}},
        },
    ]
    return Lexicon(tables).families["asks"]


def lexicon_table() -> dict[str, object]:
    return {"irregular": {"doubled": ["submit"], "past": {"send": ["sent"]}}}


# --- sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Index still building. Try again.", ["Index still building.", "Try again."]),
        ("See foo.py and v1.2.3 of lib.core. Then go on.", ["See foo.py and v1.2.3 of lib.core.", "Then go on."]),
        ("Pass a scope, e.g. a folder, i.e. its path.", ["Pass a scope, e.g. a folder, i.e. its path."]),
        ("Wait approx. 5 s, then go on!", ["Wait approx. 5 s, then go on!"]),
        ("Done? Then stop.", ["Done?", "Then stop."]),
        ("Run `a. b. c` once. Stop.", ["Run `a. b. c` once.", "Stop."]),
        ('It says "Not now. Try again." and ends.', ['It says "Not now. Try again." and ends.']),
        ("Loading... please hold", ["Loading... please hold"]),
        ("Loading... Please hold", ["Loading...", "Please hold"]),
        ("No full stop at the end", ["No full stop at the end"]),
        ("  \n ", []),
        ("", []),
    ],
)
def test_a_text_is_split_at_its_sentence_marks(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- one\n- two\n  goes on", ["- one", "- two\n  goes on"]),
        ("1. Open it.\n2. Close it.", ["1. Open it.", "2. Close it."]),
        ("# Heading\nText below", ["# Heading", "Text below"]),
        ("scan: pending\nbuild: running", ["scan: pending\nbuild: running"]),
        ("Scan: pending\nBuild: running", ["Scan: pending", "Build: running"]),
        ("First part\n\nSecond part", ["First part", "Second part"]),
        (
            "A description that is wrapped at some column and goes\non in the next line.",
            ["A description that is wrapped at some column and goes\non in the next line."],
        ),
    ],
)
def test_lines_that_begin_something_new_begin_a_sentence(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Don't   poll;\n\n  - call `job_wait`. Then “stop”…  {id}!",
        "a/b and src/x.rs — it's done: retryLater() (e.g. 5 s).\r\nNext\tline",
        "**Never** retry… you'll be told.",
    ],
)
def test_offsets_are_those_of_the_text(text: str) -> None:
    for sentence in read(text).sentences:
        assert text[sentence.start : sentence.end] == sentence.raw == sentence.raw.strip()
        for token, place in zip(sentence.tokens, sentence.places, strict=True):
            assert sentence.start <= token.start < token.end <= sentence.end
            assert sentence.stream[place : place + len(token.text)] == token.text
            assert sentence.tokens[sentence.token_at(place)] is token


# --- words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't", "do not"),
        ("You’ll see, it's fine", "you will see , it is fine"),
        ("cannot", "can not"),
        ("the file's end", "the file 's end"),
        ("**Do** not *poll*", "do not poll"),
        ("call jobStatus", "call job_status"),
        ("on GitHub", "on github"),
        ("retry/poll", "retry / poll"),
        ("in src/app.rs", "in src/app.rs"),
        ("wait {seconds} s", "wait {seconds} s"),
        ("{len(found)} found", "{len(found)} found"),
        ("a - b", "a — b"),
        ("re-read it", "re-read it"),
        ("see https://example.org/a.html", "see https://example.org/a.html"),
    ],
)
def test_the_stream_has_one_form_for_each_word(text: str, expected: str) -> None:
    assert stream(text) == expected


def test_words_in_quotes_and_code_are_marked() -> None:
    (sentence,) = read('Call `retry` or "try again", isn\'t it').sentences
    assert [token.text for token in sentence.tokens if token.quoted and token.text.isalpha()] == [
        "retry",
        "try",
        "again",
    ]


def test_a_text_that_is_one_quotation_is_not_quoted() -> None:
    (sentence,) = read('"try again"').sentences
    assert not any(token.quoted for token in sentence.tokens)


@pytest.mark.parametrize(
    ("verb", "s", "ing", "past"),
    [
        ("retry", "retries", "retrying", "retried"),
        ("stop", "stops", "stopping", "stopped"),
        ("wait", "waits", "waiting", "waited"),
        ("push", "pushes", "pushing", "pushed"),
        ("save", "saves", "saving", "saved"),
        ("tie", "ties", "tying", "tied"),
        ("try again", "tries again", "trying again", "tried again"),
        ("redo", "redoes", "redoing", "redoed"),
    ],
)
def test_verbs_are_inflected_by_rule(verb: str, s: str, ing: str, past: str) -> None:
    assert verb_forms(verb, NONE) == {"base": (verb,), "s": (s,), "ing": (ing,), "past": (past,)}


def test_irregular_forms_go_before_the_rule() -> None:
    known = Irregular({"send": ("sent",)}, {"index": "indices"}, frozenset({"submit"}))
    assert verb_forms("send off", known)["past"] == ("sent off",)
    assert verb_forms("submit", known)["ing"] == ("submitting",)
    assert noun_forms("index", known) == ("index", "indices")
    assert noun_forms("wake-up call", known) == ("wake-up call", "wake-up calls")


# --- groups and patterns


def test_a_group_has_all_forms_or_those_that_are_asked_for() -> None:
    words = Lexicon([lexicon_table(), {"groups": {"g": {"verbs": ["send"], "nouns": ["job"], "words": ["by hand"]}}}])
    assert set(words.forms("g")) == {"send", "sends", "sending", "sent", "job", "jobs", "by hand"}
    assert words.forms("g:ing+past") == ("sending", "sent")


@pytest.mark.parametrize("name", ["nothing", "g:future"])
def test_an_unknown_group_or_form_is_named(name: str) -> None:
    words = Lexicon([{"groups": {"g": {"verbs": ["send"]}}}])
    with pytest.raises(ValueError, match=name):
        words.forms(name)


def test_a_name_is_defined_once() -> None:
    table = {"groups": {"g": {"words": ["x"]}}}
    with pytest.raises(ValueError, match="'g' is defined twice"):
        Lexicon([table, table])


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("try again", "please try again", True),
        ("try again", "try, again", False),
        ("try ,? again", "try, again", True),
        ("call @", "call `job status` now", True),
        ("call @", "call get_job", True),
        ("call @", "call home", False),
        ("wait # s", "wait {n} s", True),
        ("wait # s", "wait some s", False),
        ("try ..2 again", "try it once again", True),
        ("try ..2 again", "try it for me again", False),
        ("try ..2 again", "try not again", False),
        ("try ..3 again", "try it; do so again", False),
        ("^ stop", "read it, stop", True),
        ("^ stop", "do not stop", False),
        ("^^ stop", "read it, stop", False),
        ("stop $", "then stop.", True),
        ("stop $", "then stop it", False),
        ("a|b c", "b c", True),
        ("x (a|b c) d", "x b c d", True),
        ("x (a|b c) d", "x b d", False),
        ("stop now?", "stop", True),
        ("(come back)? later", "come back later", True),
        ("(come back)? later", "later", True),
        ("call the @", "call 'the' `job status` now", True),
        ("call the @", "call the `one two three four five six seven` now", False),
        ("a * * $", "a b", False),
    ],
)
def test_what_a_pattern_matches(pattern: str, text: str, matches: bool) -> None:
    compiled = _compile(pattern)
    (sentence,) = read(text).sentences
    words = sentence.closed
    found = any(compiled.match(words, place) >= 0 for place in range(len(words)))
    assert found is any(compiled.match(words, place) >= 0 for place in compiled.starts(words))
    assert found is matches
    if found and compiled.needs:
        assert compiled.needs & sentence.words  # the pre-filter loses nothing


def _elements() -> st.SearchStrategy[tuple[str, str]]:
    """Patterns, each with a regular expression that says the same of a stream in which a space follows each word."""
    word = st.sampled_from("abc").map(lambda w: (w, f"(?:{w} )"))
    gap = st.integers(1, 3).map(lambda n: (f"..{n}", f"(?:(?!not )\\w+ ){{0,{n}}}?"))
    plain = st.one_of(word, gap, st.just(("*", "(?:\\w+ )")), st.just(("^^", "(?<!\\w )")), st.just(("$", "$")))
    either = st.lists(word, min_size=2, max_size=2).map(
        lambda two: ("|".join(one for one, _ in two), "(?:" + "|".join(one for _, one in two) + ")")
    )
    rows = st.lists(st.lists(plain, min_size=1, max_size=3), min_size=1, max_size=3).map(
        lambda rows: (
            "(" + "|".join(" ".join(one for one, _ in row) for row in rows) + ")",
            "(?:" + "|".join("".join(one for _, one in row) for row in rows) + ")",
        )
    )
    whole = st.one_of(plain, either, rows)
    maybe = st.one_of(word, rows).map(lambda one: (f"{one[0]}?", f"(?:{one[1]})?"))
    return st.lists(st.one_of(whole, maybe), min_size=1, max_size=5).map(
        lambda all_of: (" ".join(one for one, _ in all_of), "".join(one for _, one in all_of))
    )


@given(_elements(), st.lists(st.sampled_from(["a", "b", "c", "d", "not"]), min_size=1, max_size=8))
def test_a_match_is_that_of_a_backtracking_regular_expression(both: tuple[str, str], words: list[str]) -> None:
    compiled, expression = _compile(both[0]), re.compile("(?<= )" + both[1])
    line = "".join(f" {word}" for word in words) + " "
    places = [found.start() for found in re.finditer(r"\w+", line)]
    tokens = (*words, "")
    starts = set(compiled.starts(tokens))
    for index, place in enumerate(places):
        found = expression.match(line, place)
        end = compiled.match(tokens, index)
        assert (end - index if end >= 0 else None) == (None if found is None else len(found[0].split()))
        assert found is None or not found[0] or index in starts
        assert found is None or not found[0] or not compiled.needs or compiled.needs & set(words)


@pytest.mark.parametrize("pattern", ["(a b", "a) b"])
def test_an_unbalanced_pattern_is_named(pattern: str) -> None:
    with pytest.raises(ValueError, match="unbalanced"):
        _compile(pattern)


@pytest.mark.parametrize("name", sorted(lexicon().families))
def test_every_family_compiles_and_says_what_it_is(name: str) -> None:
    one = family(name)
    assert one.about
    assert list(one.find(read("A sentence, with nothing in it.").sentences[0])) is not None
    assert len(one.compiled) == len(one.patterns)


def test_a_family_that_does_not_exist_is_named() -> None:
    with pytest.raises(ValueError, match="'no_such_family'"):
        family("no_such_family")


# --- negation and mention


@pytest.mark.parametrize(
    "text",
    [
        "Do not poll.",
        "Don't ever retry it.",
        "Never poll or sleep.",
        "Never sleep, poll or loop.",
        "Do not sleep and poll.",
        "There is no need to poll.",
        "Call it instead of polling.",
        "Go on without polling.",
        "Avoid retrying blindly.",
        "Stop polling.",
        "Polling is useless.",
        "Retrying it will not help.",
        "Polling the server never helps.",
        "You must not keep polling.",
    ],
)
def test_what_denies_or_forbids_a_word(small: Family, text: str) -> None:
    matches = [match for sentence in read(text).sentences for match in small.find(sentence)]
    assert matches and all(match.negated and not match.asserted for match in matches)


@pytest.mark.parametrize(
    "text",
    [
        "Poll it.",
        "Do not wait; poll it.",
        "If it does not answer, poll it.",
        "It does not block: poll it.",
        "Do not forget to poll it.",
        "Never hesitate to retry.",
        "It is not ready. Retry it.",
        "If not, retry.",
        "Not only wait but poll.",
        "Poll it, as it does not block.",
    ],
)
def test_a_negation_in_another_clause_denies_nothing(small: Family, text: str) -> None:
    matches = [match for sentence in read(text).sentences for match in small.find(sentence)]
    assert matches and all(match.asserted for match in matches)


@pytest.mark.parametrize(
    "text",
    [
        "The tool is named `retry`.",
        'It prints "retry" and ends.',
        "It has the status called retry.",
        "The retry policy is fixed.",
        "Set the poll interval.",
        "It shows the word poll.",
    ],
)
def test_a_word_that_is_spoken_of_is_not_used(small: Family, text: str) -> None:
    matches = [match for sentence in read(text).sentences for match in small.find(sentence)]
    assert matches and all(match.mentioned and not match.asserted for match in matches)


def test_an_identifier_is_no_use_of_the_words_in_it(small: Family) -> None:
    assert not any(small.touches(sentence) for sentence in read("Set retry_count and poll.every").sentences)


def test_a_match_has_the_offsets_of_its_words(small: Family) -> None:
    text = "It fails.   Please   RETRY\nit."
    (match,) = (match for sentence in read(text).sentences for match in small.find(sentence))
    assert text[match.start : match.end] == "RETRY" and match.text == "retry"


def test_a_plain_family_is_not_denied() -> None:
    table = {"families": {"limits": {"about": "limits", "plain": True, "patterns": ["until"]}}}
    (sentence,) = read("Not until it is done.").sentences
    assert Lexicon([table]).families["limits"].holds(sentence)


# --- discharge


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("condition", "It holds unless the file changes."),
        ("trigger", "Once the build has finished, look."),
        ("trigger", "Search after the 'index ready' notice."),
        ("bound", "Wait {seconds} s."),
        ("bound", "Look at most five times."),
        ("ban", "Do not poll the job."),
        ("ban", "The same call will fail again."),
        ("waits", "To wait, use job_wait."),
        ("blocking", "It blocks until the job exits."),
        ("lifetime", "It is added to this session."),
        ("lifetime", "It works while the server keeps running."),
        ("lifetime", "It is stored, and replayed after a restart."),
        ("change", "Narrow the query."),
        ("change", "Use a smaller range."),
        ("person", "Ask the user to sign in."),
        ("page", "Pass next_cursor to get the following page."),
    ],
)
def test_what_discharges_a_sentence(name: str, text: str) -> None:
    (sentence,) = read(text).sentences
    assert family(name).holds(sentence)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("trigger", "Keep calling it until it returns a value."),
        ("bound", "Try again in a few moments."),
        ("ban", "Try it again."),
        ("lifetime", "Findings are delivered to the conversation."),
        ("lifetime", "You will be notified when the scan ends."),
        ("change", "Check with job_status."),
        ("person", "You will be told."),
        ("page", "Call list_results for the latest."),
    ],
)
def test_what_discharges_nothing(name: str, text: str) -> None:
    (sentence,) = read(text).sentences
    assert not family(name).holds(sentence)


def test_the_first_family_in_the_given_order_is_named() -> None:
    (sentence,) = read("Do not poll more than five times.").sentences
    assert first_of(("bound", "ban"), sentence) == "bound"
    assert first_of(("ban", "bound"), sentence) == "ban"
    assert first_of(("page",), sentence) is None


def test_groups_have_phrases_and_forms() -> None:
    assert {"retry", "retried", "re-ran", "resent"} <= group("retry")
