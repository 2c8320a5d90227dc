; Definitions ----------------------------------------------------------------------------------------------------

(function_item
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: (_)? @returns
  body: (block) @body) @definition.function
(function_signature_item
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: (_)? @returns) @definition.function

(struct_item name: (type_identifier) @name body: (field_declaration_list)? @body) @definition.class
(union_item name: (type_identifier) @name body: (field_declaration_list) @body) @definition.class
(enum_item name: (type_identifier) @name body: (enum_variant_list) @body) @definition.class
(trait_item name: (type_identifier) @name bounds: (trait_bounds)? @bases body: (declaration_list) @body) @definition.class
; An alias has what its type has. The types that an impl or a trait associates are no symbols.
(source_file (type_item name: (type_identifier) @name type: (_) @base) @definition.class)
(mod_item body: (declaration_list (type_item name: (type_identifier) @name type: (_) @base) @definition.class))
(block (type_item name: (type_identifier) @name type: (_) @base) @definition.class)

(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.constant

(macro_definition name: (identifier) @name) @definition.macro

(mod_item name: (identifier) @name body: (declaration_list)) @scope
; The arguments of a generic type are no part of its name; in a reference, they are told by the type's noise.
(impl_item !trait type: [
  (generic_type type: (_) @name @type)
  [(type_identifier) (scoped_type_identifier) (primitive_type) (dynamic_type) (reference_type) (metavariable)] @name @type
]) @scope
(impl_item trait: (_) @base type: [
  (generic_type type: (_) @name @type)
  [
    (type_identifier) (scoped_type_identifier) (primitive_type) (array_type) (tuple_type) (unit_type) (dynamic_type)
    (reference_type) (pointer_type) (function_type) (never_type) (metavariable) (macro_invocation)
  ] @name @type
]) @scope
; What a type dereferences to lends it its methods.
((impl_item trait: (_) @base type: [(type_identifier) @name @type (generic_type type: (_) @name @type)]
   body: (declaration_list (type_item name: (type_identifier) @target type: (_) @base))) @scope
  (#eq? @target "Target"))

; Tests: attributes that make a function one, and macros that write one --------------------------------------------

((attribute_item (attribute [(identifier) @attribute (scoped_identifier name: (identifier) @attribute)]))
  . [(attribute_item) (line_comment) (block_comment)]*
  . (function_item) @test
  (#match? @attribute "test$|^test_case$|^test_matrix$|^quickcheck$"))
; #[cfg_attr(condition, test)]
((attribute_item (attribute (identifier) @attribute arguments: (token_tree (identifier) @given . (token_tree)? .)))
  . [(attribute_item) (line_comment) (block_comment)]*
  . (function_item) @test
  (#eq? @attribute "cfg_attr")
  (#match? @given "test$"))
; some_test!(name, …)
((macro_invocation
   macro: [(identifier) @writer (scoped_identifier name: (identifier) @writer)]
   (token_tree . (identifier) @name . ",") @body) @definition.test
  (#match? @writer "test$"))
; name!(test, …) of a macro of this file that writes a function with #[test]
((macro_definition
   name: (identifier) @name
   (macro_rule right: (token_tree "#" . (token_tree . (identifier) @attribute .)))) @test.macro
  (#eq? @attribute "test"))
((macro_invocation macro: (identifier) @macro (token_tree . (identifier) @name . ",") @body) @definition.test
  (#not-match? @macro "test$|^assert|^debug_assert|^matches$|^write|^vec$"))

; Calls ----------------------------------------------------------------------------------------------------------

(call_expression function: (identifier) @name arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (field_expression value: (_) @receiver field: (field_identifier) @name)
  arguments: (arguments) @arguments) @reference.call
; self::f() is f(): as a receiver, self is the object.
(call_expression function: (scoped_identifier path: (self) name: (identifier) @name) arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (scoped_identifier
    path: [
      (identifier) (scoped_identifier) (crate) (super) (metavariable) (generic_type) (generic_type_with_turbofish) (bracketed_type)
    ] @receiver
    name: (identifier) @name)
  arguments: (arguments) @arguments
  ; Type::Variant(x) makes a value of an enum: no code runs.
  (#not-match? @name "^[A-Z]")) @reference.call
(call_expression
  function: (scoped_identifier path: (_) @receiver name: (identifier) @name)
  arguments: (arguments) @arguments
  (#match? @name "^[A-Z]")
  (#match? @receiver "(^|::)[a-z_][a-z0-9_]*$")) @reference.call
(call_expression
  function: (generic_function function: (identifier) @name)
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @name))
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (generic_function function: (scoped_identifier path: (_) @receiver name: (identifier) @name))
  arguments: (arguments) @arguments) @reference.call
(call_expression
  function: [
    (call_expression) (parenthesized_expression) (index_expression) (macro_invocation) (try_expression) (await_expression)
    (field_expression field: (integer_literal))
  ] @computed
  arguments: (arguments) @arguments) @reference.call

(macro_invocation macro: (identifier) @name) @reference.macro
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (identifier) @name)) @reference.macro

; Arguments of macros are tokens to the grammar. They are parsed again as code; where they are none, a name in front of
; parentheses is a call.
((macro_invocation macro: (_) @macro (token_tree) @embedded)
  (#not-match? @macro "^(cfg|stringify)$"))
(macro_rule right: (token_tree) @embedded)
[
  (token_tree (identifier) @name . (token_tree . "("))
  (token_repetition (identifier) @name . (token_tree . "("))
] @reference.tokens
[
  (token_tree "#" . (token_tree . "[") @embedded.none)
  (token_repetition "#" . (token_tree . "[") @embedded.none)
]

; Imports --------------------------------------------------------------------------------------------------------

(use_declaration argument: (_) @module) @import
(extern_crate_declaration name: (_) @module) @import
; A module in a file of its own is a name of this one.
(mod_item name: (identifier) @module !body) @import

; Bindings: parameters come from @parameters ---------------------------------------------------------------------

(let_declaration pattern: (identifier) @name type: (_)? @type value: (_)? @value) @binding
(static_item name: (identifier) @name type: (_) @type) @binding
(const_item name: (identifier) @name type: (_) @type) @binding
(struct_item body: (field_declaration_list (field_declaration name: (field_identifier) @member type: (_) @type) @binding))
(union_item body: (field_declaration_list (field_declaration name: (field_identifier) @member type: (_) @type) @binding))
(closure_parameters (parameter pattern: (identifier) @name type: (_) @type) @binding)
(closure_parameters (identifier) @name) @binding
(let_condition
  pattern: (tuple_struct_pattern type: (identifier) @holder . (identifier) @name .)
  value: (_) @value
  (#any-of? @holder "Some" "Ok")) @binding
(let_declaration
  pattern: (tuple_struct_pattern type: (identifier) @holder . (identifier) @name .)
  value: (_) @value
  (#any-of? @holder "Some" "Ok")) @binding
; Names in patterns have a type that the syntax does not tell.
(for_expression pattern: (identifier) @name) @binding
(let_condition pattern: (identifier) @name) @binding
(tuple_pattern (identifier) @name) @binding
(slice_pattern (identifier) @name) @binding
(reference_pattern (identifier) @name) @binding
(ref_pattern (identifier) @name) @binding
(mut_pattern (identifier) @name) @binding
(captured_pattern . (identifier) @name) @binding
(tuple_struct_pattern type: (_) (identifier) @name) @binding
(field_pattern pattern: (identifier) @name) @binding
(field_pattern name: (shorthand_field_identifier) @name !pattern) @binding
((match_pattern . (identifier) @name) @binding
  (#match? @name "^[a-z_]"))

; Members of result objects --------------------------------------------------------------------------------------

(field_initializer field: (field_identifier) @field.produced)
(shorthand_field_initializer (identifier) @field.produced)
(token_tree (string_literal (string_content) @field.produced) . ":")
(index_expression (_) . (string_literal (string_content) @field.read))
((call_expression
   function: (field_expression field: (field_identifier) @get)
   arguments: (arguments . (string_literal (string_content) @field.read)))
  (#eq? @get "get"))

; Effects that are no call ---------------------------------------------------------------------------------------

((assignment_expression left: (_) @target) @effect.global_state
  (#match? @target "^[*(]*[A-Z]"))
((compound_assignment_expr left: (_) @target) @effect.global_state
  (#match? @target "^[*(]*[A-Z]"))

; Branches: `?` and early returns are none -------------------------------------------------------------------------

[(if_expression) (for_expression) (while_expression) (loop_expression)] @branch
(let_declaration alternative: (block) @branch)
(else_clause (if_expression) @branch.elif)
(else_clause (block)) @branch.else
(match_expression) @branch.switch
; An arm that takes everything that is left is no branch, its condition is.
((match_arm pattern: (match_pattern) @pattern) @branch.flat
  (#not-match? @pattern "^(_|[a-z_][A-Za-z0-9_]*)(\\s+if\\s|$)"))
(match_pattern condition: (_)) @branch.flat
(binary_expression operator: ["&&" "||"]) @branch.boolean
(let_chain "&&" @branch.boolean)
(break_expression (label)) @branch.jump
(continue_expression (label)) @branch.jump
(closure_expression) @nesting

; Comments: those of the file itself belong to no definition -------------------------------------------------------

(line_comment !inner) @comment
(block_comment !inner) @comment
(attribute_item) @comment @attached
