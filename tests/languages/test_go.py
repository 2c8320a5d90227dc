"""Extraction of Go and its package names: inputs are small, expected rows and numbers are worked out by hand."""

from __future__ import annotations

import tomllib

import pytest
from extraction import Extraction

from scaup.pipeline import languages
from scaup.pipeline.languages.go.names import ROOT, Resolver, import_target, package_name


def go(source: str, path: str = "shop/cart.go") -> Extraction:
    """Extract a file of package shop; its role follows from its name, as that of a file in a repository does."""
    return Extraction("go", f"package shop\n{source}", path, "test" if path.endswith("_test.go") else "source")


# Definitions --------------------------------------------------------------------------------------------------------


def test_functions_methods_and_types_have_their_place_and_kind() -> None:
    found = go(
        """
// Cart holds lines.
type Cart struct {
	lines []Line
}

func New() *Cart { return &Cart{} }

// Add puts a line
// into the cart.
func (c *Cart) Add(l Line) {
	c.lines = append(c.lines, l)
}

func (Cart) Empty() bool { return false }
"""
    )
    assert found.errors == 0
    assert found.symbols("qualname", "kind", "span_start", "start_line", "end_line", "doc") == [
        ("Cart", "class", 3, 4, 6, "Cart holds lines."),
        ("New", "function", 8, 8, 8, None),
        ("Cart.Add", "method", 10, 12, 14, "Add puts a line\ninto the cart."),
        ("Cart.Empty", "method", 16, 16, 16, None),
    ]
    assert [s["signature"] for s in found.rows("symbols")] == [
        "type Cart struct",
        "func New() *Cart",
        "func (c *Cart) Add(l Line)",
        "func (Cart) Empty() bool",
    ]


def test_a_method_belongs_to_its_receivers_type_without_pointer_and_type_arguments() -> None:
    found = go(
        """
type Tree[K comparable, V any] struct{}

func (t *Tree[K, V]) Get(k K) (v V, ok bool) { return }
func (t Tree[_, _]) Len() int                { return 0 }
"""
    )
    assert [(s["owner"], s["returns"]) for s in found.rows("internal.symbol_shape")] == [
        (None, None),
        ("Tree", "V"),
        ("Tree", "int"),
    ]
    assert [q for (q,) in found.symbols("qualname")] == ["Tree", "Tree.Get", "Tree.Len"]


def test_method_specs_of_an_interface_are_methods_without_a_body() -> None:
    found = go(
        """
type Store interface {
	io.Closer
	Cache[string]
	// Load reads one.
	Load(ctx context.Context, id string) (*Item, error)
	~int | ~string
}

func use(v interface{ Inline() }) {}
"""
    )
    assert found.symbols("qualname", "kind", "start_line", "doc", "signature") == [
        ("Store", "class", 3, None, "type Store interface"),
        ("Store.Load", "method", 7, "Load reads one.", "Load(ctx context.Context, id string) (*Item, error)"),
        ("use", "function", 11, None, "func use(v interface{ Inline() })"),
    ]
    store, load, _ = found.rows("internal.symbol_shape")
    assert (load["min_arity"], load["max_arity"], load["returns"], load["cyclomatic"]) == (2, 2, "Item", None)
    assert [(b["symbol_id"], b["base"]) for b in found.rows("internal.bases")] == [
        (store["symbol_id"], "io.Closer"),
        (store["symbol_id"], "Cache"),
    ]


def test_embedded_types_are_bases_and_fields_are_typed_members() -> None:
    found = go(
        """
type Server struct {
	sync.Mutex
	*Base
	Set[int]
	a, b *Store
	opts struct{ inner Option }
}
"""
    )
    assert [b["base"] for b in found.rows("internal.bases")] == ["sync.Mutex", "Base", "Set"]
    assert found.bindings() == {
        ("Server", "Mutex", "sync.Mutex"),
        ("Server", "Base", "Base"),
        ("Server", "Set", "Set"),
        ("Server", "a", "Store"),
        ("Server", "b", "Store"),
        ("Server", "opts", "struct{innerOption}"),
    }


def test_an_alias_has_what_it_stands_for_as_its_base_and_a_defined_type_does_not() -> None:
    found = go("type (\n\tA = pkg.B\n\tC pkg.B\n\tF func(int) error\n)\n")
    assert found.symbols("qualname", "kind", "start_line", "signature") == [
        ("A", "class", 3, "type A = pkg.B"),
        ("C", "class", 4, "type C pkg.B"),
        ("F", "class", 5, "type F func(int) error"),
    ]
    assert [(found.qualname(b["symbol_id"]), b["base"]) for b in found.rows("internal.bases")] == [("A", "pkg.B")]


def test_every_name_of_a_grouped_or_parallel_declaration_is_a_constant() -> None:
    found = go(
        """
const Max, Min, Mid = 3, 1, 2
const (
	// Red is the first.
	Red = iota
	Green
	_
)
var one, two = 1, 2
var (
	a, b, c int
	_ Store = (*Cart)(nil)
)

func f() { const local = 1; var other = 2; _ = local + other }
"""
    )
    names = [(s["name"], s["start_line"]) for s in found.rows("symbols") if s["kind"] == "constant"]
    assert names == [
        *(("Max", 3), ("Min", 3), ("Mid", 3), ("Red", 6), ("Green", 7)),
        *(("one", 10), ("two", 10), ("a", 12), ("b", 12), ("c", 12)),
    ]
    red = next(s for s in found.rows("symbols") if s["name"] == "Red")
    assert (red["signature"], red["doc"]) == ("const Red = iota", "Red is the first.")


def test_a_package_variable_made_of_a_function_literal_is_a_function() -> None:
    found = go(
        """
var hook = func(n int) error { return run(n) }
var (
	typed Handler = func(w Writer) { w.Flush() }
	made          = wrap(func() { inner() })
)
"""
    )
    assert [(s["qualname"], s["kind"]) for s in found.rows("symbols")] == [
        ("<module>", "module"),
        ("hook", "function"),
        ("typed", "function"),
        ("made", "constant"),
    ]
    assert found.calls() == [
        ("hook", "run", None, 1),
        ("typed", "Flush", "w", 0),
        ("<module>", "wrap", None, 1),
        ("<module>", "inner", None, 0),
    ]


def test_types_in_functions_are_nested_and_init_may_be_there_twice() -> None:
    found = go("func f() { type local struct{ n int } }\nfunc init() { a() }\nfunc init() { b() }\n")
    assert found.symbols("qualname", "kind") == [
        ("f", "function"),
        ("f.local", "class"),
        ("init", "function"),
        ("init", "function"),
    ]
    assert len({s["symbol_id"] for s in found.rows("symbols")}) == 4


def test_directives_belong_to_a_definition_and_document_nothing() -> None:
    found = go("\n// Fast runs.\n//\n//go:noinline\nfunc Fast() {}\n\n// far away\n\nfunc Slow() {}\n")
    assert found.symbols("qualname", "span_start", "start_line", "doc") == [
        ("Fast", 3, 6, "Fast runs."),
        ("Slow", 10, 10, None),
    ]


def test_parameters_are_counted_with_and_without_names() -> None:
    found = go(
        """
func none()                              {}
func pair(a, b int, c string)            {}
func unnamed(int, *Cart, func(int) bool) {}
func many(format string, args ...any)    {}
func asm(x int) int
"""
    )
    assert {
        found.qualname(s["symbol_id"]): (s["min_arity"], s["max_arity"]) for s in found.rows("internal.symbol_shape")
    } == {"none": (0, 0), "pair": (3, 3), "unnamed": (3, 3), "many": (1, None), "asm": (1, 1)}
    assert found.complexity()["asm"] == (None, None)


# Tests --------------------------------------------------------------------------------------------------------------

TESTS = """
import "testing"

func TestAdd(t *testing.T)         { t.Run("one", func(t *testing.T) { add(1) }) }
func Test(t *testing.T)            {}
func Test_lower(t *testing.T)      {}
func Testify(t *testing.T)         {}
func TestHelper(t *Table)          {}
func TestMain(m *testing.M)        {}
func BenchmarkAdd(b *testing.B)    {}
func FuzzAdd(f *testing.F)         {}
func ExampleCart()                 {}
func ExampleWith(n int)            {}
func (s *CartSuite) TestEmpty()    {}
func (s *S) TestChecked(c *C)      {}
func (m *mailerMock) TestMailbox() {}
"""


def test_what_go_test_and_suites_collect_is_a_test() -> None:
    found = go(TESTS, "shop/cart_test.go")
    assert [q for q, is_test in found.symbols("qualname", "is_test") if is_test] == [
        *("TestAdd", "Test", "Test_lower", "BenchmarkAdd", "FuzzAdd", "ExampleCart"),
        *("CartSuite.TestEmpty", "S.TestChecked"),
    ]


def test_outside_of_test_files_nothing_is_a_test() -> None:
    assert not any(is_test for (is_test,) in go(TESTS).symbols("is_test"))


def test_calls_in_a_subtest_belong_to_the_test_function() -> None:
    found = go(
        """
func TestAdd(t *testing.T) {
	for _, tt := range []struct{ name string }{{"a"}} {
		t.Run(tt.name, func(t *testing.T) {
			add(tt.name)
		})
	}
}
""",
        "shop/cart_test.go",
    )
    assert found.calls() == [("TestAdd", "Run", "t", 2), ("TestAdd", "add", None, 1)]
    assert ("TestAdd", "t", "testing.T") in found.bindings()


def test_specs_of_ginkgo_are_test_blocks() -> None:
    found = go('var _ = Describe("a cart", func() {\n\tIt("adds", func() { add(1) })\n})\n', "shop/cart_test.go")
    assert found.symbols("qualname", "kind", "is_test") == [("a cart", "test", True), ("a cart.adds", "test", True)]
    assert ("a cart.adds", "add", None, 1) in found.calls()


# Calls --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "calls"),
    [
        ("f(1, 2)", [("f", None, 2)]),
        ("f(xs...)", [("f", None, None)]),
        ("(f)(1)", [("f", None, 1)]),
        ("pkg.F()", [("F", "pkg", 0)]),
        ("s.mu.Lock()", [("Lock", "s.mu", 0)]),
        ("go run(x)", [("run", None, 1)]),
        ("defer s.Close()", [("Close", "s", 0)]),
        ("a.B().C(1)", [("C", "a.B()", 1), ("B", "a", 0)]),
        ("F[int](x)", [("F", None, 1)]),
        ("F[int](x, y)", [("F", None, 2)]),
        ("F[int, string](x, y)", [("F", None, 2)]),
        ("pkg.F[int]()", [("F", "pkg", 0)]),
        ("pkg.F[*T](x)", [("F", "pkg", 1)]),
        ("F[T](x).Go()", [("Go", "F()", 0), ("F", None, 1)]),
        ("F[T]().Go()", [("Go", "F()", 0), ("F", None, 0)]),
        ("T(x).Go()", [("Go", "T()", 0), ("T", None, 1)]),
        ("new(pkg.T).Go()", [("Go", "<pkg.T>", 0), ("new", None, 1)]),
        ("make(http.Header).Set(a, b)", [("Set", "<http.Header>", 2), ("make", None, 1)]),
        ("(&T{a: 1}).Go()", [("Go", "<T>", 0)]),
        ("T[int]{}.Go()", [("Go", "<T>", 0)]),
        ("x.(*pkg.T).Go()", [("Go", "<pkg.T>", 0)]),
        ("(*p).Go()", [("Go", "p", 0)]),
        ("all[0].Go()", [("Go", "<expression>", 0)]),
        ('table["a"](x)', [("<expression>", None, 1)]),
        ("make1()(2)", [("<expression>", None, 1), ("make1", None, 0)]),
        ("func() { g() }()", [("g", None, 0)]),
        ("_ = (*T)(nil)", []),
        ("_ = []byte(text)", []),
        ("m := s.Method", []),
    ],
)
def test_every_form_of_call_is_found(expression: str, calls: list[tuple[str, str | None, int | None]]) -> None:
    found = go(f"func f() {{\n\t{expression}\n}}\n")
    assert found.errors == 0
    assert found.calls() == [("f", *call) for call in calls]


def test_initialisers_of_package_variables_run_in_the_module_body() -> None:
    found = go("var all = load()\nvar (\n\ta, b = one(), pkg.Two()\n)\n")
    assert found.calls() == [
        ("<module>", "load", None, 0),
        ("<module>", "one", None, 0),
        ("<module>", "Two", "pkg", 0),
    ]


# Imports ------------------------------------------------------------------------------------------------------------


def test_imports_bind_packages_names_or_nothing() -> None:
    found = go(
        """
import "fmt"
import (
	"net/http"
	_ "embed"
	. "strings"
	y "gopkg.in/yaml.v3"
	"github.com/acme/shop/v2"
	`example.org/raw`
)
"""
    )
    assert found.imports() == [
        ("fmt", None, "fmt"),
        ("net/http", None, "http"),
        ("embed", None, None),
        ("strings", "*", None),
        ("gopkg.in/yaml.v3", None, "y"),
        ("github.com/acme/shop/v2", None, "shop"),
        ("example.org/raw", None, "raw"),
    ]


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("fmt", "fmt"),
        ("math/rand/v2", "rand"),
        ("gopkg.in/yaml.v3", "yaml"),
        ("github.com/acme/go-radix", "radix"),
        ("github.com/acme/zoo-go", "zoo"),
        ("github.com/acme/v2ray", "v2ray"),
        ("v2", "v2"),
    ],
)
def test_a_package_is_named_by_the_last_part_of_its_path_that_can_be_a_name(module: str, name: str) -> None:
    assert package_name(module) == name


# Bindings -----------------------------------------------------------------------------------------------------------


def bound(source: str, name: str = "x") -> set[str | None]:
    """Return the types that a name gets in a function of which it receives a call."""
    found = go(f"{source}\n\t{name}.Use()\n}}\n")
    assert found.errors == 0
    return {type_ for scope, bound_name, type_ in found.bindings() if bound_name == name and scope is not None}


@pytest.mark.parametrize(
    ("source", "types"),
    [
        ("func f(x *pkg.T) {", {"pkg.T"}),
        ("func f(a, x T[int]) {", {"T"}),
        ("func f(x ...T) {", {None}),
        ("func f[x any]() {", {None}),
        ("func f() (x *T, err error) {", {"T"}),
        ("func (x *T[K]) f() {", {"T"}),
        ("func f() {\n\tx := NewT()", {"NewT()"}),
        ("func f() {\n\tx, err := pkg.NewT(a)", {"pkg.NewT()"}),
        ("func f() {\n\ty, x := pkg.NewT(a)", {None}),
        ("func f() {\n\tx := T{}", {"<T>"}),
        ("func f() {\n\tx := &pkg.T{a: 1}", {"<pkg.T>"}),
        ("func f() {\n\tx := new(T)", {"<T>"}),
        ("func f() {\n\tx := make(Header)", {"<Header>"}),
        ("func f() {\n\tx := T(y)", {"T()"}),
        ("func f() {\n\tx := NewT[int]()", {"NewT()"}),
        ("func f() {\n\tx := NewT[int](y)", {"NewT()"}),
        ("func f() {\n\tx := a.B().C()", {"a.B().C()"}),
        ("func f() {\n\tx, ok := y.(*T)", {"<T>"}),
        ("func f() {\n\tx, ok := m[k]", {None}),
        ("func f() {\n\tx := <-ch", {None}),
        ("func f() {\n\tx := func() {}", {"<func>"}),
        ("func f() {\n\tvar x *T", {"T"}),
        ("func f() {\n\tvar a, x T", {"T"}),
        ("func f() {\n\tvar x, err = NewT()", {"NewT()"}),
        ("func f() {\n\tfor _, x := range xs {\n\t}", {None}),
        ("func f() {\n\tfor _, x := range []*T{} {\n\t}", {None, "T"}),
        ("func f() {\n\tswitch x := y.(type) {\n\tcase *T:\n\t}", {None}),
        ("func f() {\n\tselect {\n\tcase x := <-ch:\n\t}", {None}),
        ("func f() {\n\tg(func(x *T) {})", {"T"}),
        ("func f() {\n\tx = NewT()", set()),
    ],
)
def test_a_name_gets_the_type_that_its_declaration_shows(source: str, types: set[str | None]) -> None:
    assert bound(source) == types


def test_parallel_values_go_to_names_by_position() -> None:
    assert "NewX()" in bound("func f() {\n\ta, x := NewA(), NewX()")
    assert "NewX()" in bound("func f() {\n\tvar a, x = NewA(), NewX()")


def test_package_variables_keep_their_types_for_the_other_files_of_the_package() -> None:
    found = go("var a, b = NewA(), &B{}\nvar c *C\nvar d, e = split()\nvar f = func() { x := NewX(); x.Run() }\n")
    assert {b for b in found.bindings() if b[0] is None} == {
        (None, "a", "NewA()"),
        (None, "b", "<B>"),
        (None, "c", "C"),
        (None, "d", "split()"),
    }


# Result objects and effects -----------------------------------------------------------------------------------------


def test_fields_of_struct_literals_and_string_keys_are_produced_and_subscripts_read() -> None:
    found = go(
        """
func f(in map[string]any) any {
	a := T{Name: 1, Items: []pkg.U{{ID: 2}}}
	m := map[int]string{Low: "x"}
	return gin.H{"total": in["count"], `raw`: a, "m": m}
}
"""
    )
    assert [(f["field"], f["use"]) for f in found.rows("field_uses")] == [
        *(("Name", "produced"), ("Items", "produced"), ("ID", "produced")),
        *(("total", "produced"), ("raw", "produced"), ("m", "produced")),
        ("count", "read"),
    ]


def test_writes_to_package_variables_are_effects_and_writes_to_locals_are_none() -> None:
    found = go(
        """
import "flag"

var total, table, state = 0, map[string]int{}, State{}

func writes() {
	total = 1
	total++
	table["a"] = 1
	state.inner.n -= 1
	flag.Usage = nil
}
func literal() { go func() { total = 2 }() }
func reads() int { x := total; x = 2; return x }
func shadows(state *State) {
	total := 1
	total = 2
	state.n = 3
	for table := range total { table = 1 }
}
func (total *T) receives() { total.n = 1 }
"""
    )
    effects = [(found.qualname(e["symbol_id"]), e["kind"], e["line"]) for e in found.rows("internal.effects")]
    assert sorted(effects, key=lambda e: e[2]) == [
        *(("writes", "global_state", line) for line in range(8, 13)),
        ("literal", "global_state", 14),
    ]


# Complexity ---------------------------------------------------------------------------------------------------------

# Each body with its cyclomatic and cognitive complexity, worked out by hand.
COMPLEXITY = {
    "straight": ("x()\n\treturn", 1, 0),
    # if +1, nested if +2 | two branches
    "nested_ifs": ("if a {\n\t\tif b {\n\t\t}\n\t}", 3, 3),
    # if +1, else if +1, else if +1, else +1 | three branches
    "chain": ("if a {\n\t} else if b {\n\t} else if c {\n\t} else {\n\t}", 4, 4),
    # if +1, else +1, if in the else +2 | two branches
    "else_block": ("if a {\n\t} else {\n\t\tif b {\n\t\t}\n\t}", 3, 4),
    # five loops +1 each | five branches
    "loops": (
        "for {\n\t}\n\tfor a {\n\t}\n\tfor i := 0; i < n; i++ {\n\t}\n\tfor i := range xs {\n\t}\n\tfor range 3 {\n\t}",
        6,
        5,
    ),
    # switch +1 | two cases, however many values; default is none
    "cases": ("switch a {\n\tcase 1, 2, 3:\n\tcase 4:\n\tdefault:\n\t}", 3, 1),
    # switch without a value +1, if in it +2 | two cases and an if
    "bare_switch": ("switch {\n\tcase a > 1:\n\t\tif b {\n\t\t}\n\tcase c:\n\t}", 4, 3),
    # type switch +1 | three cases
    "types": ("switch y := x.(type) {\n\tcase *T:\n\tcase nil:\n\tcase int, string:\n\tdefault:\n\t}", 4, 1),
    # select +1 | two communications
    "selects": ("select {\n\tcase v := <-a:\n\t\t_ = v\n\tcase b <- 1:\n\tdefault:\n\t}", 3, 1),
    # if +1, run of && +1 | if and two operators
    "one_run": ("if a && b && c {\n\t}", 4, 2),
    # if +1, && and || and && +3 | if and three operators
    "three_runs": ("if a && b || c && d {\n\t}", 5, 4),
    # && +1, the negated && is a run of its own +1 | two operators
    "negated_run": ("_ = a && !(b && c)", 3, 2),
    # loop +1, loop +2, if +3, continue to a label +1, goto +1 | two loops and an if; plain jumps cost nothing
    "jumps": (
        "out:\n\tfor {\n\t\tfor a {\n\t\t\tif b {\n\t\t\t\tcontinue out\n\t\t\t}\n\t\t\tbreak\n\t\t}\n\t}\n\tgoto out",
        4,
        8,
    ),
    # if in a literal +2; the literal itself is no branch | one if
    "literal": ("defer func() {\n\t\tif a {\n\t\t}\n\t}()", 2, 2),
    # if in a literal in a loop: loop +1, if +3 | two
    "literal_in_loop": ("for a {\n\t\tg(func() {\n\t\t\tif b {\n\t\t\t}\n\t\t})\n\t}", 3, 4),
}


@pytest.mark.parametrize("name", COMPLEXITY)
def test_complexity_counts_every_branch_of_the_language(name: str) -> None:
    body, cyclomatic, cognitive = COMPLEXITY[name]
    found = go(f"func {name}() {{\n\t{body}\n}}\n")
    assert found.errors == 0
    assert found.complexity() == {name: (cyclomatic, cognitive)}


# Malformed input ----------------------------------------------------------------------------------------------------


def test_what_parses_around_a_syntax_error_is_kept() -> None:
    found = go("func good() { a() }\nfunc bad( {\nfunc after() { b() }\ntype T struct{}\n")
    assert found.errors > 0
    assert ("good", "a", None, 0) in found.calls()
    assert "T" in [name for (name,) in found.symbols("qualname")]


@pytest.mark.parametrize("source", ["", "\n", "//", "package", "import", "func", "\x00", "package p\ntype ("])
def test_a_file_without_declarations_has_no_definitions(source: str) -> None:
    assert Extraction("go", source, "a.go").symbols("kind") == []


def test_deep_nesting_is_no_error() -> None:
    depth = 400
    found = go("func f() {" + "if a {" * depth + "g()" + "}" * depth + "}\n")
    assert found.complexity()["f"] == (depth + 1, depth * (depth + 1) // 2)


# Packages and modules -----------------------------------------------------------------------------------------------

PATHS = [
    "main.go",
    "shop/cart.go",
    "shop/cart_test.go",
    "tools/gen/gen.go",
    "vendor/github.com/other/dep/dep.go",
    "plugins/auth/auth.go",
    "copy/shop/cart.go",
    "README.md",
]
MODULES = [
    ("go.mod", "go_module", "", "github.com/acme/app"),
    ("tools/go.mod", "go_module", "", "github.com/acme/app/tools"),
    ("plugins/go.mod", "go_module", "", "example.org/plugins"),
    ("copy/go.mod", "go_module", "", "example.org/copied"),
    ("fixture/go.mod", "go_module", "", "example.org/copied"),
    ("package.json", "npm_package", "app", "app"),
]


@pytest.mark.parametrize(
    ("path", "module", "member", "expected"),
    [
        ("main.go", "github.com/acme/app/shop", "Cart", ("shop", "Cart")),
        ("main.go", "github.com/acme/app/shop", "Cart.Add", ("shop", "Cart.Add")),
        ("main.go", "github.com/acme/app/shop", None, ("shop", "")),
        ("main.go", "github.com/acme/app/shop", "*", ("shop", "")),
        ("shop/cart_test.go", "github.com/acme/app", "Run", (ROOT, "Run")),
        # a module in the module has its own path
        ("main.go", "github.com/acme/app/tools/gen", "F", ("tools/gen", "F")),
        ("main.go", "example.org/plugins/auth", "F", ("plugins/auth", "F")),
        # the folder of another module is not the outer module's
        ("main.go", "github.com/acme/app/plugins/auth", "F", None),
        # a copy of a module is meant only by itself
        ("copy/shop/cart.go", "example.org/copied/shop", "F", ("copy/shop", "F")),
        ("main.go", "example.org/copied/shop", "F", None),
        ("main.go", "github.com/other/dep", "F", ("vendor/github.com/other/dep", "F")),
        ("main.go", "github.com/acme/application/shop", "F", None),
        ("main.go", "github.com/acme/app/missing", "F", None),
        ("main.go", "fmt", "Println", None),
    ],
)
def test_an_import_path_means_a_folder_below_a_module(
    path: str, module: str, member: str | None, expected: tuple[str, str] | None
) -> None:
    assert Resolver(PATHS, MODULES).resolve(path, module, member) == expected


def test_the_files_of_a_folder_are_one_unit() -> None:
    resolver = Resolver(PATHS, MODULES)
    assert [resolver.unit(path) for path in PATHS[:3]] == [ROOT, "shop", "shop"]


def test_without_go_mod_packages_are_found_below_src_and_vendor() -> None:
    resolver = Resolver(["src/a/b/b.go", "src/a/c.go", "src/a/vendor/x.org/d/d.go"], [])
    assert resolver.resolve("src/a/c.go", "a/b", "F") == ("src/a/b", "F")
    assert resolver.resolve("src/a/b/b.go", "x.org/d", "F") == ("src/a/vendor/x.org/d", "F")
    assert resolver.resolve("src/a/b/b.go", "fmt", "F") is None


def test_the_standard_librarys_own_module_is_no_prefix() -> None:
    resolver = Resolver(["src/fmt/print.go", "src/os/file.go"], [("src/go.mod", "go_module", "", "std")])
    assert resolver.resolve("src/os/file.go", "fmt", "Println") == ("src/fmt", "Println")


def test_relative_imports_are_resolved_against_the_files_folder() -> None:
    resolver = Resolver(["a/b/b.go", "a/c/c.go", "top.go"], [])
    assert resolver.resolve("a/c/c.go", import_target("a/c/c.go", "../b", ""), "F") == ("a/b", "F")
    assert resolver.resolve("a/c/c.go", import_target("a/c/c.go", "../..", ""), "F") == (ROOT, "F")
    assert resolver.resolve("a/c/c.go", import_target("a/c/c.go", "../../..", ""), "F") is None


# Known names --------------------------------------------------------------------------------------------------------


def known() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((languages.FOLDER / "go" / "known.toml").read_text("utf-8"))


def test_a_known_name_has_one_effect() -> None:
    names = [name for effects in known()["effects"].values() for name in effects]
    assert len(names) == len(set(names))


def test_effects_name_builtins_or_packages_of_the_standard_library() -> None:
    table = known()
    packages, builtins = set(table["modules"]["names"]), set(table["builtins"]["names"])
    for names in table["effects"].values():
        for name in names:
            folder, slash, last = name.rpartition("/")
            assert name in builtins or name == "error.*" or folder + slash + last.partition(".")[0] in packages, name


def test_common_method_names_are_known() -> None:
    common = "Close Do Err Error Fatalf Format Get Len Lock Name Next Parse Read Run Scan Set String Unwrap Value Write"
    assert set(common.split()) <= set(known()["methods"]["names"])
