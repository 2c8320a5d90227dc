"""Edges, unresolved calls, tests and purity of a Python package, worked out by hand."""

from __future__ import annotations

import pytest
from facts import Facts

FILES = {
    "pyproject.toml": """
        [project]
        name = "shop"
        """,
    "src/shop/__init__.py": """
        from .cart import Cart
        from .prices import total as sum_up
        """,
    "src/shop/cart.py": """
        import time
        from shop.prices import total, tax as levy
        from . import prices as p
        from .store import Store


        class Record:
            def save(self):
                return self.key()

            def key(self):
                return "record"

            def log(self, message):
                print(message)


        class Cart(Record):
            def __init__(self, store: Store):
                self.store = store
                self.lines = []

            def key(self):
                return super().key() + "cart"

            def close(self):
                self.save()
                self.log("closed")
                self.store.write(self.key())
                return total(self.lines) + levy(1) + p.tax(2)

            @classmethod
            def empty(cls):
                return cls(Store())

            def age(self):
                return time.time()


        def open_cart():
            cart = Cart(Store())
            cart.close()
            return cart


        def helper():
            return 1


        def run(callback):
            callback()
            return helper()


        def wire():
            return run(helper)
        """,
    "src/shop/prices.py": """
        def total(lines):
            return sum(tax(line) for line in lines)


        def tax(line):
            return round(line * 0.2)


        def helper():
            return 2


        def even(n):
            return True if n == 0 else odd(n - 1)


        def odd(n):
            return False if n == 0 else even(n - 1)


        def lonely(thing):
            return thing.munge()


        def chained():
            return even(2) and "".join([]).strip()
        """,
    "src/shop/store.py": """
        class Store:
            def write(self, text):
                with open("x", "w") as file:
                    file.write(text)

            def get(self, key):
                return key


        def use(thing):
            thing.get("k")
            thing.audit_trail("k")
            return STATE


        class Audited:
            def audit_trail(self, key):
                return key


        def set_state():
            global STATE
            STATE = 1


        STATE = 0
        set_state()
        """,
    "tests/test_cart.py": """
        import pytest
        import shop
        from shop import Cart, sum_up
        from shop.cart import open_cart


        @pytest.fixture
        def cart():
            return open_cart()


        def test_closing(cart):
            assert sum_up([1]) == 0


        class TestCart:
            def test_key(self):
                assert make().key() == "recordcart"


        def make() -> Cart:
            return shop.Cart(None)


        def checking():
            return make()
        """,
}


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    return Facts(tmp_path_factory.mktemp("shop"), FILES)


CART, PRICES, STORE, TEST = "src/shop/cart.py:", "src/shop/prices.py:", "src/shop/store.py:", "tests/test_cart.py:"


def test_every_edge_is_the_one_worked_out_by_hand(facts: Facts) -> None:
    assert facts.edges() == {
        # a method called on self: in the class, and in a base
        (CART + "Record.save", CART + "Record.key", "exact"),
        (CART + "Cart.close", CART + "Record.save", "exact"),
        (CART + "Cart.close", CART + "Record.log", "exact"),
        (CART + "Cart.close", CART + "Cart.key", "exact"),
        (CART + "Cart.key", CART + "Record.key", "exact"),  # super() starts above the own class
        (
            CART + "Cart.close",
            STORE + "Store.write",
            "type",
        ),  # the attribute has the type of the parameter it was set from
        (CART + "Cart.close", PRICES + "total", "import"),
        (CART + "Cart.close", PRICES + "tax", "import"),  # by alias, and through an imported module
        # the call of a class is a call of the class and of its constructor
        (CART + "open_cart", CART + "Cart", "same_file"),
        (CART + "open_cart", CART + "Cart.__init__", "same_file"),
        (CART + "open_cart", STORE + "Store", "import"),
        (CART + "open_cart", CART + "Cart.close", "type"),
        (CART + "Cart.empty", STORE + "Store", "import"),
        (CART + "Cart.empty", CART + "Cart", "exact"),
        (CART + "Cart.empty", CART + "Cart.__init__", "exact"),
        # the same name in two files: the nearer one
        (CART + "run", CART + "helper", "same_file"),
        (CART + "wire", CART + "run", "same_file"),  # the callback passed by value is no call
        (PRICES + "total", PRICES + "tax", "same_file"),
        (PRICES + "even", PRICES + "odd", "same_file"),
        (PRICES + "odd", PRICES + "even", "same_file"),
        (PRICES + "chained", PRICES + "even", "same_file"),
        (STORE + "use", STORE + "Audited.audit_trail", "unique_name"),
        (STORE + "<module>", STORE + "set_state", "same_file"),
        # through re-exports of the package
        (TEST + "cart", CART + "open_cart", "import"),
        (TEST + "test_closing", PRICES + "total", "import"),
        (TEST + "make", CART + "Cart", "import"),
        (TEST + "make", CART + "Cart.__init__", "import"),
        # the return annotation gives the receiver its type
        (TEST + "TestCart.test_key", TEST + "make", "same_file"),
        (TEST + "TestCart.test_key", CART + "Cart.key", "type"),
        (TEST + "checking", TEST + "make", "same_file"),
        # pytest calls a fixture for the parameter of that name
        (TEST + "test_closing", TEST + "cart", "same_file"),
    }


def test_every_unresolved_call_has_its_reason(facts: Facts) -> None:
    assert facts.unresolved() == {
        (CART + "Record.log", "print", "external", "print"),
        (CART + "Cart.key", "super", "external", "super"),
        (CART + "Cart", "classmethod", "external", "classmethod"),
        (CART + "Cart.age", "time time", "external", "time.time"),
        (CART + "run", "callback", "dynamic", None),
        (PRICES + "total", "sum", "external", "sum"),
        (PRICES + "tax", "round", "external", "round"),
        (PRICES + "lonely", "thing munge", "external", None),  # nothing in the repository has that name
        (PRICES + "chained", "<str> join", "external", "str.join"),
        (PRICES + "chained", "<str>.join() strip", "external", "str.join.strip"),
        (STORE + "Store.write", "open", "external", "open"),
        (STORE + "Store.write", "file write", "external", "open.write"),
        (STORE + "use", "thing get", "dynamic", None),  # one definition here, but dict has it too
        (TEST + "<module>", "pytest fixture", "external", "pytest.fixture"),
    }


def test_tested_follows_resolved_calls_from_tests_alone(facts: Facts) -> None:
    tested = {name for name, value in facts.metric("tested").items() if value}
    assert tested == {
        TEST + "test_closing",
        TEST + "TestCart.test_key",
        TEST + "make",
        TEST + "cart",
        CART + "open_cart",
        CART + "Cart",
        CART + "Cart.__init__",
        CART + "Cart.close",
        CART + "Cart.key",
        CART + "Record.save",
        CART + "Record.key",
        CART + "Record.log",
        PRICES + "total",
        PRICES + "tax",
        STORE + "Store",
        STORE + "Store.write",
    }
    assert facts.metric("test_distance")[PRICES + "tax"] == 2
    assert facts.metric("nearest_test")[CART + "Cart"] == "TestCart.test_key"


def test_a_test_is_a_test_by_its_syntax(facts: Facts) -> None:
    tests = {name for name, value in facts.metric("is_test").items() if value}
    assert tests == {TEST + "test_closing", TEST + "TestCart.test_key"}


def test_purity_spreads_from_effects_to_callers(facts: Facts) -> None:
    purity = facts.metric("purity")
    assert {name for name, value in purity.items() if value == "impure"} == {
        CART + "Record.log",
        CART + "Cart.close",
        CART + "Cart.age",
        CART + "open_cart",
        STORE + "Store.write",
        STORE + "set_state",
        STORE + "<module>",
        TEST + "cart",
        TEST + "test_closing",
    }
    assert {name for name, value in purity.items() if value == "unknown"} == {
        CART + "run",  # calls what it was given
        CART + "wire",
        PRICES + "lonely",
        STORE + "use",
    }
    assert purity[PRICES + "even"] == purity[PRICES + "odd"] == "pure"  # a recursive pair
    assert purity[STORE + "STATE"] is None  # a constant runs nothing
    kinds = facts.metric("effect_kinds")
    assert kinds[CART + "Cart.close"] == ["io"]
    assert kinds[CART + "Cart.age"] == ["clock"]
    assert kinds[STORE + "<module>"] == ["global_state"]
    assert kinds[PRICES + "even"] == []
    assert facts.metric("effect_via")[CART + "open_cart"] == "Cart.close"


def test_callers_and_reach_count_distinct_symbols(facts: Facts) -> None:
    assert facts.metric("callers")[PRICES + "tax"] == 2
    assert facts.metric("callees")[CART + "Cart.close"] == 6
    assert facts.metric("reach")[PRICES + "even"] == 2  # odd and chained; not itself, though it is recursive
    assert facts.metric("reach_capped")[PRICES + "even"] is False


def test_without_a_history_what_depends_on_it_is_null(facts: Facts) -> None:
    for metric in ("churn", "cochange_files", "amp"):
        assert set(facts.metric(metric).values()) == {None}
