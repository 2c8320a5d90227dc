"""Ranks in small repositories, worked out by hand, and the promises that hold for every question."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from facts import Facts
from gitrepo import GitRepo
from hypothesis import given
from hypothesis import strategies as st

from scaup.pipeline import store
from scaup.pipeline.ingest import ingest, project
from scaup.pipeline.response import ScaupError
from scaup.pipeline.search import fusion, lanes, question, search

SHOP = {
    "shop/orders.py": '''
        """Orders."""

        class Order:
            """What a customer bought."""

            def total(self):
                return sum(line.price for line in self.lines)

            def cancel_order(self, reason):
                """Cancel: the parcel stays here."""
                self.state = "cancelled"
                refund(self)


        def refund(order):
            """Give the money back."""
            return order
        ''',
    "shop/parcels.py": '''
        def ship_parcel(order):
            """Hand a parcel to the courier."""
            return courier.collect(order)


        def track_parcel(parcel):
            return courier.locate(parcel)
        ''',
    "tests/test_parcels.py": '''
        def test_ship_parcel_with_courier():
            """A parcel, a parcel, a parcel: courier, ship, courier."""
            ship_parcel(parcel)
        ''',
    "docs/guide.py": '''
        def ship_parcel_example():
            """Ship a parcel with the courier."""
        ''',
    "README.md": "# Shop\n",
    "deploy/Dockerfile": "FROM python\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    return Facts(tmp_path_factory.mktemp("shop"), SHOP)


def results(facts: Facts, query: str, **options: Any) -> list[dict[str, Any]]:
    con = facts.connect()
    try:
        found: list[dict[str, Any]] = search(con, query, **options)["results"]
        return found
    finally:
        con.close()


def names(facts: Facts, query: str, **options: Any) -> list[str]:
    return [row["qualname"] for row in results(facts, query, **options)]


# ----------------------------------------------------------------------------------------------------------- symbols


def test_the_symbol_named_after_the_words_comes_before_those_that_use_them(shop: Facts) -> None:
    # `cancel` stands in the name of one symbol only, and its doc and body have it too.
    assert names(shop, "cancel")[0] == "Order.cancel_order"
    # Both words stand in the name of ship_parcel; track_parcel has one in its name, cancel_order one in its doc.
    assert names(shop, "ship parcel")[:2] == ["ship_parcel", "track_parcel"]


def test_a_score_is_bm25f_as_worked_out_by_hand(tmp_path: Path) -> None:
    facts = Facts(tmp_path, {"a.py": "def alpha():\n    pass\n\n\ndef beta():\n    pass\n"})
    con = facts.connect()
    asked = question.read("alpha")
    terms = lanes.telling(con, asked)
    # Two symbols, one of which has the term: idf = ln(1 + (2 - 1 + 0.5) / (1 + 0.5)) = ln 2.
    assert list(terms.values()) == [pytest.approx(math.log(2))]
    ((_, score),) = lanes.symbols(con, terms, "").items()
    # Once each in name, signature and body, all of average length: 5 + 1.5 + 1 = 7.5 occurrences.
    assert score == round(1e6 * math.log(2) * 7.5 / (1.5 + 7.5))
    con.close()


def test_a_symbol_says_where_it_is_and_which_lanes_found_it(shop: Facts) -> None:
    first = results(shop, "track")[0]
    assert first == {
        "path": "shop/parcels.py", "line": 6, "qualname": "track_parcel", "kind": "function", "score": 0.52,
        "lanes": ["files", "symbols"],
    }  # fmt: skip


def test_stems_and_subtokens_meet(shop: Facts) -> None:
    assert names(shop, "shipping parcels")[0] == "ship_parcel"


def test_words_that_nothing_has_find_nothing(shop: Facts) -> None:
    assert results(shop, "zzyzx") == []
    assert results(shop, "zzyzx", files=True) == []


def test_more_results_begin_with_the_fewer(shop: Facts) -> None:
    every = names(shop, "parcel order courier", limit=100)
    for limit in range(1, len(every) + 1):
        assert names(shop, "parcel order courier", limit=limit) == every[:limit]


# ------------------------------------------------------------------------------------------------------------- roles


def test_tests_and_docs_come_last_unless_the_question_asks_for_them(shop: Facts) -> None:
    found = results(shop, "ship a parcel with the courier", files=True)
    assert found[0]["path"] == "shop/parcels.py"
    scores = {row["path"]: row["score"] for row in found}
    asked = {row["path"]: row["score"] for row in results(shop, "test ship a parcel with the courier", files=True)}
    assert asked["tests/test_parcels.py"] > 2 * scores["tests/test_parcels.py"]


# ---------------------------------------------------------------------------------------------------------- mentions


@pytest.mark.parametrize(
    "query",
    [
        "why does `total` fail",
        "Order.total is wrong",
        "total() is wrong",
        "orders::Order::total",
        "shop.orders.Order.total",
    ],
)
def test_a_name_that_the_question_writes_out_comes_first(shop: Facts, query: str) -> None:
    first = results(shop, query)[0]
    assert first["qualname"] == "Order.total"
    assert "mentions" in first["lanes"]


def test_a_plain_word_is_no_mention(shop: Facts) -> None:
    assert question.read("the total is wrong").names == []


def test_only_the_longest_ending_of_a_name_counts(tmp_path: Path) -> None:
    body = "    def run(self):\n        pass\n"
    facts = Facts(tmp_path, {"a.py": f"class A:\n{body}", "b.py": f"class B:\n{body}"})
    found = results(facts, "x.B.run()")
    assert [row["qualname"] for row in found if "mentions" in row["lanes"]] == ["B.run"] == [found[0]["qualname"]]


@pytest.mark.parametrize("place", ["shop/orders.py:9", 'File "/home/me/shop/orders.py", line 9', "orders.py:9:1"])
def test_a_place_names_the_innermost_symbol_around_it(shop: Facts, place: str) -> None:
    assert names(shop, f"it fails at {place}")[0] == "Order.cancel_order"


def test_a_file_without_symbols_is_named_as_a_place(shop: Facts) -> None:
    (first, *_) = results(shop, "deploy/Dockerfile or README.md")
    assert first["path"] == "README.md"
    assert (first["qualname"], first["kind"], first["line"]) == (None, None, 1)


# ----------------------------------------------------------------------------------------------------------- history


def test_a_past_commit_with_the_same_words_names_the_files_that_it_touched(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({"old.py": "def f():\n    return 1\n", "b.py": "def g():\n    return 2\n"}, "Start")
    repo.commit({"old.py": "def f():\n    return 3\n"}, "Keep the kettle from boiling over")
    repo.rename("old.py", "new.py")
    facts = Facts(repo.root)
    assert results(facts, "the kettle is boiling again", files=True) == [
        {"path": "new.py", "score": 0.2, "lanes": ["history"]}
    ]


def test_a_commit_of_many_files_says_nothing(tmp_path: Path) -> None:
    repo = GitRepo(tmp_path / "repo")
    repo.commit({f"m{i}.py": "x = 1\n" for i in range(31)}, "Polish the kettle")
    repo.commit({"m1.py": "x = 2\n"}, "Fix it")
    assert results(Facts(repo.root), "kettle", files=True) == []


# ------------------------------------------------------------------------------------------------------------- scope


def test_a_path_narrows_every_lane(shop: Facts) -> None:
    for query in ("parcel", "Order.total", "shop/orders.py"):
        for row in results(shop, query, path_prefix="shop/parcels.py"):
            assert row["path"] == "shop/parcels.py"
    assert {row["path"] for row in results(shop, "parcel", path_prefix="shop/")} == {
        "shop/orders.py",
        "shop/parcels.py",
    }


def test_a_folder_is_no_prefix_of_a_name(tmp_path: Path) -> None:
    facts = Facts(tmp_path, {"a/x.py": "def kettle():\n    pass\n", "ab/x.py": "def kettle():\n    pass\n"})
    assert [row["path"] for row in results(facts, "kettle", path_prefix="a")] == ["a/x.py"]


@pytest.mark.parametrize(
    ("options", "code"), [({"path_prefix": "nowhere"}, "path_not_found"), ({"limit": 0}, "invalid_request")]
)
def test_what_cannot_be_searched_says_so(shop: Facts, options: dict[str, Any], code: str) -> None:
    with pytest.raises(ScaupError) as caught:
        results(shop, "parcel", **options)
    assert caught.value.code == code


@pytest.mark.parametrize("query", ["", "  \n"])
def test_an_empty_question_is_refused(shop: Facts, query: str) -> None:
    with pytest.raises(ScaupError) as caught:
        results(shop, query)
    assert caught.value.code == "invalid_request"


# ------------------------------------------------------------------------------------------------------- determinism


def test_one_thread_and_four_give_the_same_ranks(tmp_path: Path) -> None:
    words = ["kettle", "boil", "steam", "water", "spout", "lid", "heat", "cup"]
    files = {
        f"m{i}.py": "".join(
            f'def {words[j % 8]}_{words[(i + j) % 8]}_{j}(a, b):\n    """{words[(i * j) % 8]} {words[j // 8]}."""\n'
            f"    return {words[(j * 3) % 8]}(a, {words[i % 8]})\n"
            for j in range(60)
        )
        for i in range(40)
    }
    root = Facts(tmp_path, files).root
    answers = set()
    for threads in (1, 4):
        con = duckdb.connect(":memory:", config={"threads": threads})
        con.execute(f"ATTACH '{store.locate(root).path}' AS facts (READ_ONLY)")
        con.execute("USE facts")
        for _ in range(3):
            answers.add(repr([search(con, "boil water in the kettle", limit=300), search(con, "lid", files=True)]))
        con.close()
    assert len(answers) == 1


def test_hits_are_in_a_total_order(shop: Facts) -> None:
    found = results(shop, "parcel order courier", limit=100)
    keys = [(-row["score"], row["path"], row["line"]) for row in found]
    assert [key[0] for key in keys] == sorted(key[0] for key in keys)
    assert len({(row["path"], row["line"], row["qualname"]) for row in found}) == len(found)


def test_only_postings_of_the_questions_terms_are_read(shop: Facts) -> None:
    con = shop.connect()
    terms = lanes.telling(con, question.read("cancel"))
    # `cancel` stands in one symbol, as a part of its name.
    query = "SELECT count(*) FROM postings WHERE term_id IN (SELECT unnest($terms::BIGINT[]))"
    assert con.execute(query, {"terms": list(terms)}).fetchall() == [(1,)]
    parameters = {"terms": list(terms), "weights": list(terms.values()), "prefix": "", "depth": 9}
    plan = con.execute("EXPLAIN (ANALYZE, FORMAT json) " + lanes.sql("symbols"), parameters).fetchall()[0][1]
    assert [rows for table, rows in _scans(json.loads(plan)["operator"]) if table == "postings"] == [1]
    con.close()


def _scans(nodes: list[dict[str, Any]]) -> Iterator[tuple[str, int]]:
    """Yield the tables that a plan reads, and how many rows it takes from each."""
    for node in nodes:
        if "Table" in node["extra_info"]:
            yield node["extra_info"]["Table"].rpartition(".")[2], node["intermediate_rows"]
        yield from _scans(node.get("children", []))


def test_the_rarest_terms_are_read_when_there_are_too_many(shop: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    con = shop.connect()
    every = lanes.telling(con, question.read("cancel parcel order courier"))
    monkeypatch.setattr(lanes, "TOUCHED", 1)
    assert list(lanes.telling(con, question.read("cancel parcel order courier"))) == list(every)[:1]
    con.close()


# --------------------------------------------------------------------------------------------------------- questions


@given(st.text(max_size=300))
def test_any_text_can_be_read_as_a_question(text: str) -> None:
    read = question.read(text)
    assert len(read.terms) == len(read.emphasis) == len(set(read.terms))
    assert len(read.names) == len(read.mention)
    assert len(read.paths) == len(read.lines)


@pytest.mark.parametrize(
    "query", ["'; DROP TABLE symbols; --", "\x00", "a.*[b(c{1}", "\ud800 x", "%_%", "$terms", "x" * 50_000]
)
def test_hostile_questions_are_only_words(shop: Facts, query: str) -> None:
    assert isinstance(results(shop, query + " parcel"), list)


def test_a_repeated_word_counts_more_and_not_as_often() -> None:
    once, twice = question.read("kettle"), question.read("kettle kettle kettle kettle")
    assert once.emphasis == [1.0]
    assert twice.emphasis == [2.0]


def test_shares_are_of_a_full_score() -> None:
    for shares in (fusion.FILE_SHARES, fusion.SYMBOL_SHARES):
        assert sum(shares.values()) == 100
        assert fusion.shown(fusion.fuse(dict.fromkeys(shares, fusion.ONE), shares)) == 1.0


def test_an_unchanged_repository_answers_the_same_after_another_ingest(tmp_path: Path) -> None:
    facts = Facts(tmp_path, SHOP)
    before = results(facts, "ship parcel")
    ingest(project(tmp_path), fresh=True, workers=1)
    assert results(facts, "ship parcel") == before
