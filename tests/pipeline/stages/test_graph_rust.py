"""Edges, unresolved calls, tests and purity of a Rust workspace, worked out by hand."""

from __future__ import annotations

import pytest
from facts import Facts

FILES = {
    "Cargo.toml": """
        [workspace]
        members = ["shop", "money"]
        """,
    "money/Cargo.toml": """
        [package]
        name = "shop-money"
        """,
    "money/src/lib.rs": """
        pub mod prices;
        pub use prices::{tax as levy, total};

        pub fn helper() -> i32 {
            2
        }
        """,
    "money/src/prices.rs": """
        /// The total of all lines.
        pub fn total(lines: &[i32]) -> i32 {
            lines.iter().map(|line| tax(*line)).sum()
        }

        pub fn tax(line: i32) -> i32 {
            line * self::rate()
        }

        fn rate() -> i32 {
            2
        }

        pub fn even(n: u32) -> bool {
            if n == 0 { true } else { odd(n - 1) }
        }

        fn odd(n: u32) -> bool {
            if n == 0 { false } else { even(n - 1) }
        }
        """,
    "shop/Cargo.toml": """
        [package]
        name = "shop"
        """,
    "shop/src/lib.rs": """
        mod cart;
        mod store;

        pub use cart::Cart;
        """,
    "shop/src/cart.rs": """
        use crate::store::Store;
        use shop_money as money;
        use shop_money::{levy, total};

        pub trait Record {
            fn key(&self) -> String;

            fn save(&self) -> String {
                self.key()
            }
        }

        pub struct Cart {
            store: Store,
        }

        impl Cart {
            pub fn new(store: Store) -> Self {
                Self { store }
            }

            pub fn empty() -> Self {
                Self::new(Store::default())
            }

            pub fn close(&self) -> i32 {
                self.save();
                self.store.write(&self.key());
                total(&[1]) + levy(1) + money::helper() + helper()
            }
        }

        impl Record for Cart {
            fn key(&self) -> String {
                "cart".to_string()
            }
        }

        fn open() -> Cart {
            let cart = Cart::empty();
            cart.close();
            cart
        }

        fn helper() -> i32 {
            1
        }

        fn run(callback: fn() -> i32) -> i32 {
            callback()
        }

        fn wire() -> i32 {
            run(helper)
        }

        fn show() {
            println!("{}", helper());
        }

        #[cfg(test)]
        mod tests {
            use super::*;

            fn prepare() -> Cart {
                open()
            }

            #[test]
            fn it_closes() {
                assert_eq!(prepare().close(), 1);
            }
        }
        """,
    "shop/src/store.rs": """
        use std::time::Instant;

        #[derive(Default)]
        pub struct Store;

        impl Store {
            pub fn write(&self, text: &str) {
                std::fs::write("x", text).unwrap();
            }

            pub fn get(&self, key: u32) -> u32 {
                key
            }
        }

        pub fn now() -> Instant {
            Instant::now()
        }
        """,
}

CART, STORE, MONEY, PRICES = "shop/src/cart.rs:", "shop/src/store.rs:", "money/src/lib.rs:", "money/src/prices.rs:"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Facts:
    return Facts(tmp_path_factory.mktemp("shop"), FILES)


def test_every_edge_is_the_one_worked_out_by_hand(facts: Facts) -> None:
    assert facts.edges() == {
        (CART + "Record::save", CART + "Record::key", "exact"),
        (CART + "Cart::empty", CART + "Cart::new", "exact"),
        (CART + "Cart::close", CART + "Record::save", "exact"),  # a method that the trait gives to the type
        (CART + "Cart::close", CART + "Cart::key", "exact"),
        (CART + "Cart::close", STORE + "Store::write", "type"),  # by the type of the field
        (CART + "Cart::close", PRICES + "total", "import"),  # re-exported by the other crate
        (CART + "Cart::close", PRICES + "tax", "import"),  # re-exported under another name
        (CART + "Cart::close", MONEY + "helper", "import"),  # by the alias of the crate
        (CART + "Cart::close", CART + "helper", "same_file"),
        (CART + "open", CART + "Cart::empty", "exact"),
        (CART + "open", CART + "Cart::close", "type"),
        (CART + "wire", CART + "run", "same_file"),
        (CART + "show", CART + "helper", "same_file"),  # inside a macro
        (CART + "tests::prepare", CART + "open", "same_file"),
        (CART + "tests::it_closes", CART + "tests::prepare", "same_file"),
        (CART + "tests::it_closes", CART + "Cart::close", "type"),
        (PRICES + "total", PRICES + "tax", "same_file"),
        (PRICES + "tax", PRICES + "rate", "same_file"),
        (PRICES + "even", PRICES + "odd", "same_file"),
        (PRICES + "odd", PRICES + "even", "same_file"),
    }


def test_every_unresolved_call_has_its_reason(facts: Facts) -> None:
    assert facts.unresolved() == {
        (CART + "Cart::empty", "Store default", "dynamic", None),  # derived: no definition is written anywhere
        (CART + "Cart::key", "<str> to_string", "external", "str::to_string"),
        (CART + "run", "callback", "dynamic", None),
        (CART + "show", "println!", "external", "println!"),
        (CART + "tests::it_closes", "assert_eq!", "external", "assert_eq!"),
        (STORE + "Store::write", "std::fs write", "external", "std::fs::write"),
        (STORE + "Store::write", "std::fs::write() unwrap", "external", "std::fs::write::unwrap"),
        (STORE + "now", "Instant now", "external", "std::time::Instant::now"),
        (PRICES + "total", "lines iter", "external", "slice::iter"),
        (PRICES + "total", "lines.iter() map", "external", "slice::iter::map"),
        (PRICES + "total", "lines.iter().map() sum", "external", "slice::iter::map::sum"),
    }


def test_an_inline_module_of_tests_tests_what_it_calls(facts: Facts) -> None:
    assert {name for name, value in facts.metric("is_test").items() if value} == {CART + "tests::it_closes"}
    tested = {name for name, value in facts.metric("tested").items() if value}
    assert tested == {
        CART + "tests::it_closes",
        CART + "tests::prepare",
        CART + "open",
        CART + "Cart::empty",
        CART + "Cart::new",
        CART + "Cart::close",
        CART + "Cart::key",
        CART + "Record::save",
        CART + "Record::key",
        CART + "helper",
        STORE + "Store::write",
        MONEY + "helper",
        PRICES + "total",
        PRICES + "tax",
        PRICES + "rate",
    }


def test_purity_spreads_from_effects_to_callers(facts: Facts) -> None:
    purity = facts.metric("purity")
    assert {name for name, value in purity.items() if value == "impure"} == {
        CART + "Cart::close",
        CART + "open",
        CART + "show",
        CART + "tests::prepare",
        CART + "tests::it_closes",
        STORE + "Store::write",
        STORE + "now",
    }
    assert purity[CART + "run"] == purity[CART + "wire"] == "unknown"
    assert purity[CART + "Record::key"] == "unknown"  # declared, and given a body elsewhere
    assert purity[PRICES + "even"] == purity[PRICES + "odd"] == "pure"
    assert facts.metric("effect_kinds")[CART + "open"] == ["io"]
    assert facts.metric("effect_kinds")[STORE + "now"] == ["clock"]
