"""Rust: what is extracted from hand-worked sources, and where its paths lead."""

from __future__ import annotations

from typing import Any

import pytest
from extraction import Extraction

from scaup.pipeline.languages.rust.names import Resolver, import_target, relative_receiver
from scaup.pipeline.stages.graph import known_names


def rust(source: str, path: str = "src/lib.rs") -> Extraction:
    return Extraction("rust", source, path)


def calls(body: str) -> list[tuple[str, str | None, int | None]]:
    """Return (callee, receiver, arity) of the calls in a function of that body."""
    return [(callee, receiver, arity) for _, callee, receiver, arity in rust(f"fn f() {{ {body} }}").calls()]


def bases(found: Extraction) -> set[tuple[str | None, str]]:
    return {(found.qualname(row["symbol_id"]), row["base"]) for row in found.rows("internal.bases")}


# Definitions --------------------------------------------------------------------------------------------------------

SHAPES = """\
//! About the crate.

/// A shape.
///
/// With an area.
#[derive(Debug)]
pub struct Shape<T> {
    pub side: Vec<T>,
    next: Option<Box<Shape<T>>>,
}

pub struct Meters(pub f64);

pub enum Colour { Red, Mixed(u8), Named { name: String } }

pub trait Area: Sized + fmt::Debug {
    const UNIT: u8;
    type Number;
    fn area(&self) -> Self::Number;
    /// Twice the area.
    fn twice(&self) -> u8 { 2 }
}

impl<T: Clone> Shape<T> {
    pub const SIDES: usize = 4;
    pub fn new() -> Self { todo!() }
    async unsafe fn grow(&mut self, by: T, (a, b): (u8, u8)) -> io::Result<()> { Ok(()) }
}

impl<T> Area for Shape<T> {
    type Number = f64;
    fn area(&self) -> f64 { 1.0 }
}

type Small = Shape<u8>;
static mut COUNT: u32 = 0;
extern "C" { fn abs(x: i32, ...) -> i32; }
pub extern "C" fn exported() {
    fn inner() {}
    const LOCAL: u8 = 1;
}
union Bits { int: u32, float: f32 }

mod outer {
    pub mod deep {
        pub fn f() {}
        impl super::Thing for G {
            fn g(self: Box<Self>) {}
        }
    }
}

macro_rules! shape {
    ($name:ident) => { fn made() { helper($name) } };
}
"""


def test_definitions_have_qualified_names_kinds_and_owners() -> None:
    found = rust(SHAPES)
    owners = {row["symbol_id"]: row["owner"] for row in found.rows("internal.symbol_shape")}
    rows = [(row["qualname"], row["kind"], owners[row["symbol_id"]]) for row in found.rows("symbols")]
    assert rows == [
        ("Shape", "class", None),
        ("Meters", "class", None),
        ("Colour", "class", None),
        ("Area", "class", None),
        ("Area::area", "method", None),
        ("Area::twice", "method", None),
        ("Shape::SIDES", "constant", "Shape"),
        ("Shape::new", "method", "Shape"),
        ("Shape::grow", "method", "Shape"),
        ("Shape::area", "method", "Shape"),
        ("Small", "class", None),
        ("COUNT", "constant", None),
        ("abs", "function", None),
        ("exported", "function", None),
        ("exported::inner", "function", None),
        ("Bits", "class", None),
        ("outer::deep::f", "function", None),
        ("outer::deep::G::g", "method", "G"),
        ("shape!", "function", None),
    ]


def test_lines_span_doc_and_signature_of_a_definition() -> None:
    found = {row["qualname"]: row for row in rust(SHAPES).rows("symbols")}
    shape = found["Shape"]
    assert (shape["span_start"], shape["start_line"], shape["end_line"]) == (3, 7, 10)
    assert shape["doc"] == "A shape.\n\nWith an area."
    assert shape["signature"] == "pub struct Shape<T>"
    assert found["Meters"]["signature"] == "pub struct Meters(pub f64);"
    assert found["Area::twice"]["doc"] == "Twice the area."
    assert found["Shape::grow"]["signature"] == (
        "async unsafe fn grow(&mut self, by: T, (a, b): (u8, u8)) -> io::Result<()>"
    )


def test_arity_and_whether_a_method_has_a_receiver() -> None:
    found = rust(SHAPES)
    shapes = {
        found.qualname(row["symbol_id"]): (row["min_arity"], row["max_arity"], row["is_static"])
        for row in found.rows("internal.symbol_shape")
    }
    assert shapes["Shape::new"] == (0, 0, True)
    assert shapes["Shape::grow"] == (2, 2, False)
    assert shapes["outer::deep::G::g"] == (0, 0, False)
    assert shapes["abs"] == (1, None, False)


def test_bases_come_from_traits_impls_aliases_and_dereferencing() -> None:
    assert bases(rust(SHAPES)) == {
        ("Area", "Sized"),
        ("Area", "fmt::Debug"),
        ("Shape", "Area"),
        ("Small", "Shape"),
        # G is not in this file: its base stands with the method that has G as its owner.
        ("outer::deep::G::g", "super::Thing"),
    }
    held = rust("struct W(Inner); impl Deref for W { type Target = Inner; fn deref(&self) -> &Inner { &self.0 } }")
    assert bases(held) == {("W", "Deref"), ("W", "Inner")}


def test_an_impl_for_a_reference_belongs_to_the_type_and_one_for_a_box_to_the_box() -> None:
    found = rust(
        "impl A for &mut Foo { fn a(&self) {} } impl A for Box<Foo> { fn a(&self) {} }"
        "impl A for [u8] { fn a(&self) {} }"
    )
    assert found.symbols("qualname") == [("Foo::a",), ("Box::a",), ("slice::a",)]


def test_one_line_attributes_do_not_reach_the_next_line() -> None:
    found = rust("#[inline] fn a() {}\nfn b() {}\n")
    assert found.symbols("qualname", "span_start") == [("a", 1), ("b", 2)]


def test_constants_of_two_types_may_share_a_name() -> None:
    found = rust("impl A { const N: u8 = 1; } impl B { const N: u8 = 2; }")
    assert found.symbols("qualname") == [("A::N",), ("B::N",)]


# Tests --------------------------------------------------------------------------------------------------------------


def test_attributes_that_end_in_test_make_a_test() -> None:
    found = rust("""\
        #[test] fn plain() {}
        #[tokio::test(flavor = "current_thread")]
        #[should_panic]
        // a comment
        async fn with_runtime() {}
        #[rstest] #[case(1)] fn with_cases(x: u8) {}
        #[test_case(1)] fn by_case() {}
        #[cfg_attr(not(miri), tokio::test)] fn conditional() {}
        #[cfg_attr(miri, ignore)] fn ignored() {}
        #[cfg(test)] fn helper() {}
        #[bench] fn measured(b: &mut Bencher) {}
        #[test]
        struct S;
        fn after() {}
    """)
    assert [name for name, is_test in found.symbols("name", "is_test") if is_test] == [
        "plain", "with_runtime", "with_cases", "by_case", "conditional",
    ]  # fmt: skip


def test_a_test_module_qualifies_its_tests_and_helpers_are_none() -> None:
    found = rust("#[cfg(test)] mod tests { use super::*; #[test] fn it_works() { check() } fn check() {} }")
    assert found.symbols("qualname", "is_test") == [("tests::it_works", True), ("tests::check", False)]
    assert found.imports() == [("self", "*", None)]


def test_macros_that_write_tests_make_test_blocks() -> None:
    found = rust("""\
        cli_test!(finds_nothing, |dir: Dir| { dir.run(1); });
        macro_rules! same { ($name:ident, $a:expr) => { #[test] fn $name() { assert!(check($a)); } } }
        macro_rules! other { ($name:ident, $a:expr) => { fn $name() { $a } } }
        same!(is_equal, make(2));
        other!(no_test, make(3));
    """)
    assert [row for row in found.symbols("qualname", "kind", "is_test") if row[2]] == [
        ("finds_nothing", "test", True), ("is_equal", "test", True),
    ]  # fmt: skip
    assert ("finds_nothing", "run", "dir", 1) in found.calls()
    assert ("is_equal", "make", None, 1) in found.calls()
    assert ("finds_nothing", "dir", "Dir") in found.bindings()
    assert ("same!", "check", None, 1) in found.calls()


# Calls --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("g(1, 2)", [("g", None, 2)]),
        ("a.b.g()", [("g", "a.b", 0)]),
        ("self.x.g(1)", [("g", "self.x", 1)]),
        ("Self::new()", [("new", "Self", 0)]),
        ("a::b::g(x)", [("g", "a::b", 1)]),
        ("crate::a::g()", [("g", "crate::a", 0)]),
        ("super::g()", [("g", "super", 0)]),
        ("self::a::g()", [("g", "a", 0)]),
        ("::std::mem::swap(a, b)", [("swap", "std::mem", 2)]),
        ("Vec::<u8>::with_capacity(1)", [("with_capacity", "Vec", 1)]),
        ("x.collect::<Vec<_>>()", [("collect", "x", 0)]),
        ("parse::<u8>(s)", [("parse", None, 1)]),
        ("a::parse::<u8>(s)", [("parse", "a", 1)]),
        ("Trait::method(&x)", [("method", "Trait", 1)]),
        ("<T as Trait>::method(&x)", [("method", "T", 1)]),
        ("<[u8]>::len(x)", [("len", "<expression>", 1)]),
        ("T::new(1).g()", [("g", "T::new()", 0), ("new", "T", 1)]),
        ("(*x).g(); (&mut x).h()", [("g", "x", 0), ("h", "x", 0)]),
        ('"a".len(); 5.max(6); [1].first()', [("len", "<str>", 0), ("max", "<i32>", 1), ("first", "<slice>", 0)]),
        ("T { a: 1 }.g()", [("g", "<T>", 0)]),
        ("(x as T).g()", [("g", "<T>", 0)]),
        ("xs[0].g()", [("g", "<expression>", 0)]),
        ("(self.callback)(1); make()(2)", [
            ("<expression>", None, 1), ("<expression>", None, 1), ("make", None, 0),
        ]),
        ("x.await.g(); y?.h()", [("g", "x", 0), ("h", "y?", 0)]),
        ("T::open()?.g()", [("g", "T::open()", 0), ("open", "T", 0)]),
        ("x.lock().unwrap().g()", [("g", "x?", 0), ("unwrap", "x?", 0), ("lock", "x", 0)]),
        ("x.clone().g()", [("g", "x", 0), ("clone", "x", 0)]),
        ("Arc::new(T::new()).g()", [("g", "T::new()", 0), ("new", "Arc", 1), ("new", "T", 0)]),
        ("Meters(1.0); units::Meters(2.0)", [("Meters", None, 1), ("Meters", "units", 1)]),
        # A variant of an enum is a value: no code runs.
        ("Colour::Mixed(1); a::Colour::Mixed(g())", [("g", None, 0)]),
        ("|x| g(x)", [("g", None, 1)]),
        ("run(async move { g().await })", [("run", None, 1), ("g", None, 0)]),
        ("vec![1].len()", [("len", "<Vec>", 0), ("vec!", None, None)]),
        ("std::println!()", [("println!", "std", None)]),
    ],
)  # fmt: skip
def test_calls_in_every_form(code: str, expected: list[Any]) -> None:
    assert calls(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("assert_eq!(g(1), a.h(2, 3), \"{}\", m::k())", [("g", None, 1), ("h", "a", 2), ("k", "m", 0)]),
        ("vec![g(); n]", [("g", None, 0)]),
        ('println!("{x}", x = T::g(1).h())', [("h", "T::g()", 0), ("g", "T", 1)]),
        ("assert!(matches!(g(), Some(h) if h.ok(vec![k()])))", [
            ("matches!", None, None), ("g", None, 0), ("Some", None, 1), ("ok", "h", 1), ("vec!", None, None),
            ("k", None, 0),
        ]),
        # No code of the language: a name in front of parentheses is taken for a call.
        ("select! { v = a.g() => { h() } _ = m::k(1) => {} else => { l() } }", [
            ("g", "a", 0), ("h", None, 0), ("k", "m", 1), ("l", None, 0),
        ]),
        ('json!({ "a": g(1), "b": [x.y.h(2)] })', [("g", None, None), ("h", "x.y", 1)]),
        ("cfg!(any(unix, windows))", []),
    ],
)  # fmt: skip
def test_arguments_of_macros_are_read_as_code(code: str, expected: list[Any]) -> None:
    assert [call for call in calls(code) if call[0] in {name for name, *_ in expected}] == expected
    assert len(calls(code)) == 1 + len(expected)


def test_items_in_a_macro_are_definitions_where_it_is_called() -> None:
    found = rust("""\
        cfg_unix! {
            mod unix;
            /// Starts.
            pub fn start(x: u8) { helper(); }
            impl Drop for Guard { fn drop(&mut self) { start(1) } }
        }
        mod inner { cfg_unix! { pub fn stop() {} } }
    """)
    assert found.symbols("qualname", "start_line") == [
        ("<module>", 1), ("start", 4), ("Guard::drop", 5), ("inner::stop", 7),
    ]  # fmt: skip
    assert ("start", "helper", None, 0) in found.calls()
    assert found.imports() == [("self::unix", None, "unix")]
    assert dict(found.symbols("qualname", "doc"))["start"] == "Starts."


def test_what_a_macro_definition_writes_is_no_definition() -> None:
    found = rust("macro_rules! make { ($t:ty) => { impl Tr for $t { fn f(&self) { g(1) } } struct S; } }")
    assert found.symbols("qualname") == [("make!",)]
    assert found.calls() == [("make!", "g", None, 1)]


def test_paths_in_an_inline_module_are_seen_from_the_top_of_the_file() -> None:
    found = rust("mod tests { fn t() { super::a::f(); super::f(); self::g(); super::super::h() } }")
    assert [(callee, receiver) for _, callee, receiver, _ in found.calls()] == [
        ("f", "tests::super::a"), ("f", "tests::super"), ("g", None), ("h", "tests::super::super"),
    ]  # fmt: skip


# Imports ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("use std::fs;", [("std", "fs", "fs")]),
        ("use rand;", [("rand", None, "rand")]),
        ("use a::b::C as D;", [("a::b", "C", "D")]),
        ("use a::Trait as _;", [("a", "Trait", None)]),
        ("use a::*;", [("a", "*", None)]),
        ("use super::*;", [("super", "*", None)]),
        ("use ::a::b;", [("a", "b", "b")]),
        ("use std::{io::{self, Read as R}, fmt::*, mem};", [
            ("std", "io", "io"), ("std::io", "Read", "R"), ("std::fmt", "*", None), ("std", "mem", "mem"),
        ]),
        ("use {a::b, c};", [("a", "b", "b"), ("c", None, "c")]),
        ("use crate::a::{self as q, b::C};", [("crate", "a", "q"), ("crate::a::b", "C", "C")]),
        ("pub use self::x::Y as Z;", [("self::x", "Y", "Z")]),
        ("pub(crate) use r#type::x;", [("r#type", "x", "x")]),
        ("extern crate foo as bar;", [("foo", None, "bar")]),
        ("extern crate self as me;", [("crate", None, "me")]),
        ("mod other;", [("self::other", None, "other")]),
        ("mod inline { } use inline::x;", [("self::inline", "x", "x")]),
        ("enum E { A } use E::*;", [("self::E", "*", None)]),
        ("mod a { mod b; use super::c; use self::d::e; mod f { use super::super::g; } }", [
            ("self::a::b", None, "b"), ("self", "c", "c"), ("self::a::d", "e", "e"), ("self", "g", "g"),
        ]),
    ],
)  # fmt: skip
def test_imports_in_every_form(code: str, expected: list[Any]) -> None:
    assert rust(code).imports() == expected


def test_an_import_in_a_function_belongs_to_it() -> None:
    found = rust("fn f() { use a::b; b() } impl T { fn m() { use super::c; } }")
    rows = [(found.qualname(row["scope"]), row["target"], row["alias"]) for row in found.rows("imports")]
    assert rows == [("f", "a", "b"), ("T::m", "super", "c")]


# Bindings -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("x: Foo", "Foo"),
        ("x: &'a mut Foo<T>", "Foo"),
        ("mut x: Box<dyn Foo + Send>", "Foo"),
        ("x: Arc<Rc<Foo>>", "Foo"),
        ("x: impl Foo<u8>", "Foo"),
        ("x: std::sync::Arc<a::Foo>", "a::Foo"),
        ("x: *const Foo", "Foo"),
        ("x: Pin<&mut Foo>", "Foo"),
        ("x: Cow<'static, Foo>", "Foo"),
        ("x: &[Foo]", "slice"),
        ("x: [Foo; 3]", "slice"),
        ("x: (Foo, Bar)", "tuple"),
        ("x: fn(Foo) -> Bar", "fn"),
        ("x: HashMap<String, Foo>", "HashMap"),
        ("x: Option<Foo>", "Option"),
        ("x: &Self", "Owner"),
    ],
)
def test_a_parameter_has_the_type_that_its_methods_come_from(parameter: str, expected: str) -> None:
    found = rust(f"impl Owner {{ fn f({parameter}) {{ x.g(); }} }}")
    assert found.bindings() == {("Owner::f", "x", expected)}


def test_what_an_option_or_a_lock_holds_has_a_type_of_its_own() -> None:
    found = rust(
        "fn f(x: &Mutex<Option<Foo>>, y: Foo) { x.lock().unwrap().g(); y.g(); let z = Some(Foo::new()); z?.h(); }"
    )
    assert found.bindings() == {
        ("f", "x", "Mutex"), ("f", "x?", "Foo"), ("f", "y", "Foo"), ("f", "z", "Some()"), ("f", "z?", "Foo::new()"),
    }  # fmt: skip


def test_a_type_parameter_is_bound_to_its_trait() -> None:
    found = rust("fn f<A: Read + Send, B>(a: A, b: &mut B) where B: io::Write { a.read(); b.write(); }")
    assert found.bindings() == {("f", "a", "Read"), ("f", "b", "io::Write")}


def test_variables_get_types_from_annotations_constructors_and_patterns() -> None:
    found = rust("""\
        static POOL: Lazy<Pool> = Lazy::new(|| Pool::new());
        impl Owner {
            fn f() {
                let a: Foo = make(); let b = Foo::new(1)?; let c = Foo { x: 1 }; let d = Self::new();
                let e = Arc::clone(&a);
                let g = Self { x: 1 };
                if let Some(h) = find(1) { h.m() }
                let Ok(i) = find(2) else { return };
                for j in xs { j.m() }
                match k { Wrapped(l) => l.m(), n => n.m() }
                run(|o: Foo, p| { o.m(); p.m() });
                a.m(); b.m(); c.m(); d.m(); e.m(); g.m(); i.m(); POOL.m();
            }
        }
    """)
    assert found.bindings() == {
        (None, "POOL", "Lazy"),
        ("Owner::f", "a", "Foo"),
        ("Owner::f", "b", "Foo::new()"),
        ("Owner::f", "c", "<Foo>"),
        ("Owner::f", "d", "Owner::new()"),
        ("Owner::f", "e", None),
        ("Owner::f", "g", "<Owner>"),
        ("Owner::f", "h", "find()"),
        ("Owner::f", "h", None),
        ("Owner::f", "i", "find()"),
        ("Owner::f", "i", None),
        ("Owner::f", "j", None),
        ("Owner::f", "l", None),
        ("Owner::f", "n", None),
        ("Owner::f", "o", "Foo"),
        ("Owner::f", "p", None),
    }


def test_fields_of_a_struct_are_members_with_types() -> None:
    assert rust("struct S { a: Vec<u8>, pub b: Arc<Mutex<Foo>> }").bindings() == {
        ("S", "a", "Vec"), ("S", "b", "Mutex"), ("S", "b?", "Foo"),
    }  # fmt: skip


def test_returns_name_what_the_result_holds() -> None:
    found = rust(
        "fn a() -> Self {} fn b() -> io::Result<Foo> {} fn c() -> Option<Box<dyn Foo>> {} fn d() {}"
        "fn e() -> &'static str {}"
    )
    assert [row["returns"] for row in found.rows("internal.symbol_shape")] == ["Self", "Foo", "Foo", None, "str"]


# Results and effects ------------------------------------------------------------------------------------------------


def test_members_of_results_are_fields_of_literals_and_string_keys() -> None:
    found = rust("""fn f() { S { a: 1, b, ..d }; json!({"c": 1}); v["e"]; m.get("f"); m.set("g") }""")
    assert {(row["field"], row["use"]) for row in found.rows("field_uses")} == {
        ("a", "produced"), ("b", "produced"), ("c", "produced"), ("e", "read"), ("f", "read"),
    }  # fmt: skip


def test_writes_to_statics_are_effects() -> None:
    found = rust(
        "static mut COUNT: u8 = 0; fn f() { unsafe { COUNT += 1; } }"
        "fn g() { let mut COUNT = 1; COUNT = 2; } fn h() { x = 1 }"
    )
    assert [(found.qualname(row["symbol_id"]), row["kind"]) for row in found.rows("internal.effects")] == [
        ("f", "global_state"),
    ]  # fmt: skip


# Complexity ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "cyclomatic", "cognitive"),
    [
        ("", 1, 0),
        ("if a { }", 2, 1),
        ("if a { } else if b { } else { }", 3, 3),
        ("if let Some(x) = a { if b { } }", 3, 3),
        ("while let Some(x) = it.next() { if x { break; } }", 3, 3),
        ("for x in xs { } loop { break }", 3, 2),
        ("'a: for x in xs { for y in ys { continue 'a; } }", 3, 4),
        ("let Some(x) = a else { return };", 2, 1),
        ("match x { 1 | 2 => {} 3 if a => {} _ => {} }", 4, 1),
        ("match x { Some(_) => {} other => {} }", 2, 1),
        ("match x { Some(_) => {} #[cfg(unix)] _ => {} }", 2, 1),
        ("match x { y if y > 1 => {} _ => {} }", 2, 1),
        ("a && b && c || d", 4, 2),
        ("if a && let Some(x) = b && c { }", 4, 2),
        ("a()?; b().await?; return;", 1, 0),
        ("let g = |x| if x { 1 } else { 2 };", 2, 3),
        ("let y = if a { 1 } else { 2 };", 2, 2),
        ('assert!(a && b); println!("{}", if c { 1 } else { 2 });', 3, 3),
        ("unsafe { if a { } } async { if b { } };", 3, 2),
        ("fn inner() { if a { } }", 1, 0),
    ],
)
def test_complexity_counts_every_kind_of_branch(body: str, cyclomatic: int, cognitive: int) -> None:
    assert rust(f"fn f() {{ {body} }}").complexity()["f"] == (cyclomatic, cognitive)


def test_what_has_no_body_has_no_complexity() -> None:
    assert rust("trait T { fn f(&self); } extern \"C\" { fn g(); }").complexity() == {
        "T": (None, None), "T::f": (None, None), "g": (None, None),
    }  # fmt: skip


# Malformed input ----------------------------------------------------------------------------------------------------


def test_syntax_errors_keep_what_parses() -> None:
    found = rust("fn a() { let = ; b(1) }\nfn c() { d(1) }\nimpl E { fn f(&self) { g() } }\n")
    assert found.errors > 0
    assert found.symbols("qualname") == [("a",), ("c",), ("E::f",)]
    assert found.calls() == [("a", "b", None, 1), ("c", "d", None, 1), ("E::f", "g", None, 0)]


@pytest.mark.parametrize(
    "source", [b"", b"\xff\xfe fn a() {}", b'fn a() { "\x00" }', b"m!(" * 50, b"#![x]\n", b"fn a() {}\r\nfn b() {}\r\n"]
)
def test_odd_bytes_are_read(source: bytes) -> None:
    Extraction("rust", source, "src/lib.rs")


# Names --------------------------------------------------------------------------------------------------------------

PATHS = [
    "app/Cargo.toml", "app/src/lib.rs", "app/src/main.rs", "app/src/net.rs", "app/src/net/tcp.rs",
    "app/src/net/udp/mod.rs", "app/src/net/udp/sock.rs", "app/src/fs/mod.rs", "app/src/inline/part.rs",
    "app/src/bin/tool.rs", "app/tests/it.rs", "app/tests/more.rs", "app/tests/common/mod.rs", "app/tests/util.rs",
    "app/build.rs", "core/source/root.rs", "core/source/time.rs",
]  # fmt: skip
BUILD = [
    ("app/Cargo.toml", "cargo_package", "my_app", "app/src/lib.rs"),
    ("app/Cargo.toml", "cargo_bin", "my_app", "app/src/main.rs"),
    ("core/Cargo.toml", "cargo_package", "core_time", "core/source/root.rs"),
]


@pytest.mark.parametrize(
    ("path", "module", "member", "expected"),
    [
        ("app/src/net/tcp.rs", "crate", "run", ("app/src/lib.rs", "run")),
        ("app/src/net/tcp.rs", "crate::net", None, ("app/src/net.rs", "")),
        ("app/src/net/tcp.rs", "crate::net::udp", "Socket::new", ("app/src/net/udp/mod.rs", "Socket::new")),
        # A function of the module can have the same name: net stays a name of the crate's root.
        ("app/src/net/tcp.rs", "crate", "net", ("app/src/lib.rs", "net")),
        ("app/src/net/tcp.rs", "crate", "net::connect", ("app/src/net.rs", "connect")),
        ("app/src/net/tcp.rs", "super", "connect", ("app/src/net.rs", "connect")),
        ("app/src/net/udp/sock.rs", "super::super", "connect", ("app/src/net.rs", "connect")),
        ("app/src/net/udp/sock.rs", "super::super::super", "run", ("app/src/lib.rs", "run")),
        ("app/src/net.rs", "self::tcp", "connect", ("app/src/net/tcp.rs", "connect")),
        ("app/src/net.rs", "tcp", "connect", ("app/src/net/tcp.rs", "connect")),
        ("app/src/net.rs", "Kind", "*", ("app/src/net.rs", "Kind")),
        ("app/src/lib.rs", "self", "*", ("app/src/lib.rs", "")),
        ("app/src/lib.rs", "tests::super::helper", None, ("app/src/lib.rs", "helper")),
        ("app/src/lib.rs", "crate::inline::part", "f", ("app/src/inline/part.rs", "f")),
        ("app/src/inline/part.rs", "super::super", "f", ("app/src/lib.rs", "f")),
        ("app/src/inline/part.rs", "super", "f", ("app/src/lib.rs", "inline::f")),
        ("app/src/main.rs", "my_app", "run", ("app/src/lib.rs", "run")),
        ("app/src/main.rs", "crate", "run", ("app/src/main.rs", "run")),
        ("app/src/bin/tool.rs", "crate", "run", ("app/src/bin/tool.rs", "run")),
        ("app/src/net.rs", "core_time::time", "now", ("core/source/time.rs", "now")),
        ("core/source/time.rs", "crate", "start", ("core/source/root.rs", "start")),
        # An integration test is a crate of its own.
        ("app/tests/it.rs", "my_app::fs", "open", ("app/src/fs/mod.rs", "open")),
        ("app/tests/it.rs", "common", "setup", ("app/tests/common/mod.rs", "setup")),
        ("app/tests/it.rs", "crate", "check", ("app/tests/it.rs", "check")),
        # Several crates share it: what stands in the root of each is not known.
        ("app/tests/common/mod.rs", "crate", "check", None),
        ("app/tests/common/mod.rs", "crate::util", "check", ("app/tests/util.rs", "check")),
        ("app/tests/common/mod.rs", "crate", "util", ("app/tests/util.rs", "")),
        ("app/src/net.rs", "std::io", "Read", None),
        ("app/src/net.rs", "serde", "Serialize", None),
        ("app/src/lib.rs", "super", "f", None),
    ],
)  # fmt: skip
def test_paths_lead_to_files(path: str, module: str, member: str | None, expected: tuple[str, str] | None) -> None:
    assert Resolver(PATHS, BUILD).resolve(path, module, member) == expected


def test_without_build_facts_crates_are_found_by_their_places() -> None:
    resolver = Resolver(["src/lib.rs", "src/a.rs", "tests/t.rs"], [])
    assert resolver.resolve("src/a.rs", "crate", "f") == ("src/lib.rs", "f")
    assert resolver.unit("src/a.rs") == "src/a.rs"


def test_targets_are_seen_from_the_top_of_the_file() -> None:
    assert import_target("a.rs", "super::b", "") == "super::b"
    assert import_target("a.rs", "super::b", "m::n") == "self::m::b"
    assert import_target("a.rs", "super::super::super::b", "m::n") == "super::b"
    assert import_target("a.rs", "crate::b", "m") == "crate::b"
    assert relative_receiver("super::b", "") == "super::b"


def test_known_names_have_effects() -> None:
    effects = {pattern: effect for pattern, kind, effect in known_names("rust") if kind == "effect"}
    assert effects["println!"] == "io"
    assert effects["std::time::Instant::now"] == "clock"
    assert effects["Vec::*"] == "none"
    kinds = {(pattern, kind) for pattern, kind, _ in known_names("rust")}
    assert {("Some", "builtin"), ("assert_eq!", "builtin"), ("unwrap", "method"), ("clone", "method")} <= kinds
