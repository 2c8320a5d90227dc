; Definitions ----------------------------------------------------------------------------------------------------

; Of several results the first one's type is what chained calls and `x, err := f()` go on with.
(function_declaration
  name: (identifier) @name
  parameters: (parameter_list) @parameters
  result: [(parameter_list . (parameter_declaration type: (_) @returns)) (_simple_type) @returns]?
  body: (block)? @body) @definition.function

(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (field_identifier) @name
  parameters: (parameter_list) @parameters
  result: [(parameter_list . (parameter_declaration type: (_) @returns)) (_simple_type) @returns]?
  body: (block)? @body) @definition.method

; Method specs of an interface are methods without a body: what a call through a value of that type means.
(type_spec
  type: (interface_type
    (method_elem
      name: (field_identifier) @name
      parameters: (parameter_list) @parameters
      result: [(parameter_list . (parameter_declaration type: (_) @returns)) (_simple_type) @returns]?) @definition.method))

(type_spec name: (type_identifier) @name) @definition.class
(type_spec
  name: (type_identifier) @name
  type: [(struct_type (field_declaration_list) @body) (interface_type "{" @body)]) @definition.class
(type_alias name: (type_identifier) @name) @definition.class
(type_alias
  name: (type_identifier) @name
  type: [(type_identifier) (qualified_type) (generic_type) (pointer_type)] @base) @definition.class

; Embedded types lend their methods.
(type_spec type: (struct_type (field_declaration_list
  (field_declaration !name type: [(type_identifier) (qualified_type) (generic_type)] @base) @extends)))
(type_spec type: (interface_type
  (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .) @extends))

; The first name of a specification stands for all of it; the others stand for themselves. (The last two patterns find
; the first names again, where the definitions that they are part of are known already.)
((source_file (const_declaration (const_spec . name: (identifier) @name) @definition.constant))
  (#not-eq? @name "_"))
((source_file (const_declaration (const_spec (identifier) @name @definition.constant)))
  (#not-eq? @name "_"))
((source_file (var_declaration [
   (var_spec . name: (identifier) @name) @definition.constant
   (var_spec_list (var_spec . name: (identifier) @name) @definition.constant)]))
  (#not-eq? @name "_"))
((source_file (var_declaration [
   (var_spec name: (identifier) @name @definition.constant)
   (var_spec_list (var_spec name: (identifier) @name @definition.constant))]))
  (#not-eq? @name "_"))

; A function literal that a variable of the package is made of is a function; any other belongs to the code around it.
((source_file (var_declaration (var_spec . name: (identifier) @name value: (expression_list . (func_literal
   parameters: (parameter_list) @parameters
   result: [(parameter_list . (parameter_declaration type: (_) @returns)) (_simple_type) @returns]?
   body: (block) @body) .)) @definition.function))
  (#not-eq? @name "_"))
((source_file (var_declaration (var_spec_list (var_spec . name: (identifier) @name value: (expression_list . (func_literal
   parameters: (parameter_list) @parameters
   result: [(parameter_list . (parameter_declaration type: (_) @returns)) (_simple_type) @returns]?
   body: (block) @body) .)) @definition.function)))
  (#not-eq? @name "_"))

; Tests: what go test collects, and suites of testify, check and ginkgo ------------------------------------------

((function_declaration name: (identifier) @name parameters: (parameter_list . (parameter_declaration
   type: (pointer_type (qualified_type package: (package_identifier) @package name: (type_identifier) @kind))) .)) @test
  (#match? @name "^(Test|Benchmark|Fuzz)([^a-z]|$)")
  (#eq? @package "testing")
  (#any-of? @kind "T" "B" "F"))
((function_declaration name: (identifier) @name parameters: (parameter_list . ")") !result) @test
  (#match? @name "^Example([^a-z]|$)"))
((method_declaration
   receiver: (parameter_list (parameter_declaration type: [(type_identifier) @suite (pointer_type (type_identifier) @suite)]))
   name: (field_identifier) @name
   parameters: (parameter_list . [")" (parameter_declaration type: (pointer_type [(type_identifier) @kind (qualified_type name: (type_identifier) @kind)]))])
   !result) @test
  (#match? @name "^Test[^a-z]")
  (#match? @suite "Suite|Tests?$|^[Ss]$"))
((call_expression
   function: [(identifier) @block (selector_expression operand: (identifier) @package field: (field_identifier) @block)]
   arguments: (argument_list . (interpreted_string_literal) @name (func_literal body: (block) @body) .)) @definition.test
  (#match? @block "^[FPX]?(Describe|Context|When|It|Specify|DescribeTable)$"))

; Calls ----------------------------------------------------------------------------------------------------------

; A conversion T(x) looks like a call, and is one of the type. That of a pointer type, (*T)(x), is none; nor is the call
; of a function literal where it stands, whose body runs as part of the code around it.
(call_expression
  function: [(identifier) @name (parenthesized_expression (identifier) @name)]
  arguments: (argument_list) @arguments) @reference.call
(call_expression
  function: [
    (selector_expression operand: (_) @receiver field: (field_identifier) @name)
    (parenthesized_expression (selector_expression operand: (_) @receiver field: (field_identifier) @name))]
  arguments: (argument_list) @arguments) @reference.call
; F[int](x, y): one type argument looks like an index.
(call_expression
  function: (index_expression
    operand: [(identifier) @name (selector_expression operand: (_) @receiver field: (field_identifier) @name)]
    index: [(identifier) (selector_expression) (index_expression) (unary_expression)])
  arguments: (argument_list) @arguments) @reference.call
; F[int](x): with one argument it looks like a conversion to a generic type.
(type_conversion_expression type: (generic_type
  type: [(type_identifier) @name (qualified_type package: (_) @receiver name: (_) @name)])) @reference.call
(call_expression
  function: [
    (call_expression)
    (type_conversion_expression)
    (type_assertion_expression)
    (parenthesized_expression [(call_expression) (type_assertion_expression) (index_expression) (func_literal)])
    (index_expression operand: [(call_expression) (index_expression) (parenthesized_expression)])
    (index_expression index: [(int_literal) (interpreted_string_literal) (raw_string_literal) (call_expression) (binary_expression)])
  ] @computed
  arguments: (argument_list) @arguments) @reference.call

; Imports --------------------------------------------------------------------------------------------------------

(import_spec !name path: (_) @module) @import
(import_spec name: [(package_identifier) (blank_identifier) (dot)] @alias path: (_) @module) @import

; Bindings: parameters of functions and methods come from @parameters ---------------------------------------------

(method_declaration receiver: (parameter_list (parameter_declaration name: (identifier) @name type: (_) @type))) @binding
(func_literal parameters: (parameter_list (parameter_declaration name: (identifier) @name type: (_) @type))) @binding
(func_literal parameters: (parameter_list (variadic_parameter_declaration name: (identifier) @name))) @binding
(_ result: (parameter_list (parameter_declaration name: (identifier) @name type: (_) @type))) @binding
; A type parameter is no type of the package that has its name.
(function_declaration type_parameters: (type_parameter_list (type_parameter_declaration name: (identifier) @name))) @binding

; Names and values go by position; with one value for several names, the first name gets the first result of a call.
; A plain assignment says nothing: every name is declared somewhere, with its type.
(short_var_declaration left: (expression_list . (identifier) @name) right: (expression_list . (_) @value)) @binding
(short_var_declaration left: (expression_list . (_) . (identifier) @name) right: (expression_list . (_) . (_) @value)) @binding
(short_var_declaration left: (expression_list (_) (identifier) @name)) @binding
(var_spec name: (identifier) @name type: (_) @type) @binding
(var_spec !type . name: (identifier) @name value: (expression_list . (_) @value)) @binding
(var_spec !type . name: (identifier) . name: (identifier) @name value: (expression_list . (_) . (_) @value)) @binding
(var_spec !type name: (identifier) @before name: (identifier) @name) @binding
(const_spec (identifier) @name) @binding
(range_clause left: (expression_list (identifier) @name)) @binding
(range_clause
  left: (expression_list . (_) . (identifier) @name)
  right: (composite_literal type: [
    (slice_type element: (_) @type)
    (array_type element: (_) @type)
    (implicit_length_array_type element: (_) @type)
    (map_type value: (_) @type)])) @binding
(receive_statement left: (expression_list (identifier) @name)) @binding
(type_switch_statement alias: (expression_list (identifier) @name)) @binding

; Fields with their types; an embedded one is named as its type is.
(type_spec type: (struct_type (field_declaration_list
  (field_declaration name: (field_identifier) @member type: (_) @type) @binding)))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration !name type: (type_identifier) @member @type) @binding)))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration !name type: (generic_type type: (type_identifier) @member @type)) @binding)))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration !name type: (qualified_type name: (type_identifier) @member) @type) @binding)))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration !name type: (generic_type type: (qualified_type name: (type_identifier) @member) @type)) @binding)))

; Members of result objects: fields of struct literals, string keys of maps ----------------------------------------

(composite_literal
  type: [(type_identifier) (qualified_type) (generic_type) (struct_type)]
  body: (literal_value (keyed_element key: (literal_element (identifier) @field.produced))))
; The type of an element of a literal is mostly left out.
(literal_element (literal_value (keyed_element key: (literal_element (identifier) @field.produced))))
(keyed_element
  key: (literal_element [
    (interpreted_string_literal (interpreted_string_literal_content) @field.produced)
    (raw_string_literal (raw_string_literal_content) @field.produced)]))
(index_expression index: [
  (interpreted_string_literal (interpreted_string_literal_content) @field.read)
  (raw_string_literal (raw_string_literal_content) @field.read)])

; Effects that are no call: writes to variables of a package ------------------------------------------------------

(assignment_statement left: (expression_list
  [(identifier) @target (selector_expression) @target (index_expression operand: (_) @target)])) @effect.global_state
(inc_statement [(identifier) @target (selector_expression) @target (index_expression operand: (_) @target)]) @effect.global_state
(dec_statement [(identifier) @target (selector_expression) @target (index_expression operand: (_) @target)]) @effect.global_state

; Branches -------------------------------------------------------------------------------------------------------

[(if_statement) (for_statement)] @branch
(if_statement alternative: (if_statement) @branch.elif)
(if_statement alternative: (block) @branch.else)
[(expression_switch_statement) (type_switch_statement) (select_statement)] @branch.switch
[(expression_case) (type_case) (communication_case)] @branch.flat
(binary_expression operator: ["&&" "||"]) @branch.boolean
(goto_statement) @branch.jump
(break_statement (label_name)) @branch.jump
(continue_statement (label_name)) @branch.jump
(func_literal) @nesting

; Directives are written to tools: they belong to a definition, and document nothing.
((comment) @comment @attached (#match? @comment "^//(line |extern |export |nolint|[a-z0-9]+:[a-z0-9])"))
((comment) @comment (#not-match? @comment "^//(line |extern |export |nolint|[a-z0-9]+:[a-z0-9])"))
