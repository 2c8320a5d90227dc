"""Edges, unresolved calls, tests and purity of a Go module, worked out by hand."""

from __future__ import annotations

import pytest
from facts import Facts

FILES = {
    "go.mod": """
        module example.org/shop

        go 1.22
        """,
    "cart/cart.go": """
        package cart

        import (
            "fmt"
            "strings"
            "time"

            money "example.org/shop/prices"
            "example.org/shop/store"
        )

        // Record is embedded.
        type Record struct {
            name string
        }

        func (r *Record) Save() string {
            return r.Key()
        }

        func (r *Record) Key() string {
            return strings.ToUpper(r.name)
        }

        type Cart struct {
            Record
            store *store.Store
        }

        func NewCart(s *store.Store) *Cart {
            return &Cart{store: s}
        }

        func (c *Cart) Close() int {
            c.Save()
            c.store.Write(c.Key())
            return money.Total(1) + helper()
        }

        func Open() *Cart {
            c := NewCart(store.New())
            c.Close()
            return c
        }

        func helper() int {
            return 1
        }

        func run(callback func() int) int {
            return callback()
        }

        func wire() int {
            return run(helper)
        }

        func Age() time.Time {
            return time.Now()
        }

        func show() {
            fmt.Println("x")
        }
        """,
    "cart/other.go": """
        package cart

        func again() int {
            return helper()
        }
        """,
    "prices/prices.go": """
        package prices

        func Total(n int) int {
            return tax(n)
        }

        func tax(n int) int {
            return helper() * n
        }

        func helper() int {
            return 2
        }

        func Even(n int) bool {
            if n == 0 {
                return true
            }
            return odd(n - 1)
        }

        func odd(n int) bool {
            if n == 0 {
                return false
            }
            return Even(n - 1)
        }

        type Sink interface {
            Drain(n int) int
        }

        func Use(s Sink, thing any) int {
            return s.Drain(1)
        }
        """,
    "store/store.go": """
        package store

        import "os"

        type Store struct{}

        func New() *Store {
            return new(Store)
        }

        func (s *Store) Write(text string) {
            os.WriteFile("x", []byte(text), 0o600)
        }
        """,
    "cart/cart_test.go": """
        package cart

        import "testing"

        func TestOpen(t *testing.T) {
            cases := []struct {
                name string
                want int
            }{{"one", 1}}
            for _, c := range cases {
                t.Run(c.name, func(t *testing.T) {
                    if got := Open().Close(); got != c.want {
                        t.Fatalf("got %d", got)
                    }
                })
            }
        }

        func prepare() int {
            return wire()
        }
        """,
}

CART, OTHER, PRICES, STORE, TEST = (
    "cart/cart.go:",
    "cart/other.go:",
    "prices/prices.go:",
    "store/store.go:",
    "cart/cart_test.go:",
)


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    return Facts(tmp_path_factory.mktemp("shop"), FILES)


def test_every_edge_is_the_one_worked_out_by_hand(facts: Facts) -> None:
    assert facts.edges() == {
        (CART + "Record.Save", CART + "Record.Key", "type"),
        (CART + "Cart.Close", CART + "Record.Save", "type"),  # promoted from the embedded struct
        (CART + "Cart.Close", CART + "Record.Key", "type"),
        (CART + "Cart.Close", STORE + "Store.Write", "type"),
        (CART + "Cart.Close", PRICES + "Total", "import"),  # by the name that the import gives
        (CART + "Cart.Close", CART + "helper", "same_file"),  # the other package has one of that name too
        (CART + "Open", CART + "NewCart", "same_file"),
        (CART + "Open", STORE + "New", "import"),
        (CART + "Open", CART + "Cart.Close", "type"),
        (CART + "wire", CART + "run", "same_file"),
        (OTHER + "again", CART + "helper", "exact"),  # one package, two files
        (PRICES + "Total", PRICES + "tax", "same_file"),
        (PRICES + "tax", PRICES + "helper", "same_file"),
        (PRICES + "Even", PRICES + "odd", "same_file"),
        (PRICES + "odd", PRICES + "Even", "same_file"),
        (PRICES + "Use", PRICES + "Sink.Drain", "type"),
        (TEST + "TestOpen", CART + "Open", "exact"),
        (TEST + "TestOpen", CART + "Cart.Close", "type"),
        (TEST + "prepare", CART + "wire", "exact"),
    }


def test_every_unresolved_call_has_its_reason(facts: Facts) -> None:
    assert facts.unresolved() == {
        (CART + "Record.Key", "strings ToUpper", "external", "strings.ToUpper"),
        (CART + "run", "callback", "dynamic", None),
        (CART + "Age", "time Now", "external", "time.Now"),
        (CART + "show", "fmt Println", "external", "fmt.Println"),
        (STORE + "New", "new", "external", "new"),
        (STORE + "Store.Write", "os WriteFile", "external", "os.WriteFile"),
        (TEST + "TestOpen", "t Run", "external", "testing.T.Run"),
        (TEST + "TestOpen", "t Fatalf", "external", "testing.T.Fatalf"),
    }


def test_tested_follows_resolved_calls_from_tests_alone(facts: Facts) -> None:
    tested = {name for name, value in facts.metric("tested").items() if value}
    assert tested == {
        TEST + "TestOpen",
        CART + "Open",
        CART + "NewCart",
        CART + "Cart.Close",
        CART + "Record.Save",
        CART + "Record.Key",
        CART + "helper",
        STORE + "New",
        STORE + "Store.Write",
        PRICES + "Total",
        PRICES + "tax",
        PRICES + "helper",
    }
    assert {name for name, value in facts.metric("is_test").items() if value} == {TEST + "TestOpen"}


def test_purity_spreads_from_effects_to_callers(facts: Facts) -> None:
    purity = facts.metric("purity")
    assert {name for name, value in purity.items() if value == "impure"} == {
        CART + "Cart.Close",
        CART + "Open",
        CART + "Age",
        CART + "show",
        STORE + "Store.Write",
        TEST + "TestOpen",
    }
    assert {name for name, value in purity.items() if value == "unknown"} == {
        CART + "run",
        CART + "wire",
        TEST + "prepare",
        PRICES + "Sink.Drain",  # what implements it is not known
        PRICES + "Use",
    }
    assert purity[PRICES + "Even"] == purity[PRICES + "odd"] == "pure"
    assert facts.metric("effect_kinds")[CART + "Open"] == ["io"]
    assert facts.metric("effect_kinds")[CART + "Age"] == ["clock"]
