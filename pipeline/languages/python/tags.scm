; Definitions ----------------------------------------------------------------------------------------------------

(function_definition
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: (type)? @returns
  body: (block . (string)? @doc) @body) @definition.function

(class_definition
  name: (identifier) @name
  superclasses: (argument_list)? @bases
  body: (block . (string)? @doc) @body) @definition.class

(module (assignment left: (identifier) @name) @definition.constant)
(module (type_alias_statement left: (type (identifier) @name)) @definition.constant)

(decorated_definition definition: (_) @inner) @span

; Tests: what pytest and unittest collect ------------------------------------------------------------------------

((module (function_definition name: (identifier) @name) @test)
  (#match? @name "^test"))
((module (decorated_definition definition: (function_definition name: (identifier) @name) @test))
  (#match? @name "^test"))
((class_definition name: (identifier) @class
   body: (block [(function_definition name: (identifier) @name) @test
                 (decorated_definition definition: (function_definition name: (identifier) @name) @test)]))
  (#match? @class "[Tt]est")
  (#match? @name "^test"))
((class_definition superclasses: (argument_list [(identifier) @base (attribute attribute: (identifier) @base)])
   body: (block [(function_definition name: (identifier) @name) @test
                 (decorated_definition definition: (function_definition name: (identifier) @name) @test)]))
  (#match? @base "Test")
  (#match? @name "^test"))

; pytest calls a fixture for the parameter of its name in a test or in another fixture.
((decorated_definition
   (decorator [(identifier) @mark
               (attribute attribute: (identifier) @mark)
               (call function: [(identifier) @mark (attribute attribute: (identifier) @mark)])])
   definition: (function_definition) @fixture)
  (#eq? @mark "fixture"))

; Calls ----------------------------------------------------------------------------------------------------------

(call function: (identifier) @name arguments: (_) @arguments) @reference.call
(call function: (attribute object: (_) @receiver attribute: (identifier) @name) arguments: (_) @arguments) @reference.call
(call function: [(call) (subscript) (parenthesized_expression) (lambda)] @computed arguments: (_) @arguments) @reference.call
; A decorator without parentheses is a call of its function with the definition.
(decorator (identifier) @name) @reference.call
(decorator (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.call

; Imports --------------------------------------------------------------------------------------------------------

(import_statement name: (dotted_name) @module) @import
(import_statement name: (aliased_import name: (dotted_name) @module alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @module name: (dotted_name) @name) @import
(import_from_statement module_name: (_) @module name: (aliased_import name: (dotted_name) @name alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @module (wildcard_import) @wildcard) @import

; Bindings: parameters come from @parameters ---------------------------------------------------------------------

(assignment left: (identifier) @name type: (type)? @type right: (_)? @value) @binding
(assignment left: (attribute object: (identifier) @self attribute: (identifier) @member) type: (type)? @type right: (_)? @value) @binding
(named_expression name: (identifier) @name value: (_) @value) @binding
(for_statement left: (identifier) @name) @binding
(for_statement left: (_ (identifier) @name)) @binding
(for_in_clause left: (identifier) @name) @binding
(for_in_clause left: (_ (identifier) @name)) @binding
(assignment left: (pattern_list (identifier) @name)) @binding
(assignment left: (tuple_pattern (identifier) @name)) @binding
(with_item value: (as_pattern (_) @value alias: (as_pattern_target (identifier) @name))) @binding
(except_clause value: (as_pattern (_) @value alias: (as_pattern_target (identifier) @name))) @binding
(lambda_parameters (identifier) @name) @binding

; Members of result objects --------------------------------------------------------------------------------------

(dictionary (pair key: (string (string_content) @field.produced)))
((call
  function: [(identifier) @constructor (attribute attribute: (identifier) @constructor)]
  arguments: (argument_list (keyword_argument name: (identifier) @field.produced)))
  (#match? @constructor "^_*[A-Z]|^dict$"))
(assignment left: (subscript subscript: (string (string_content) @field.produced)))
(subscript subscript: (string (string_content) @field.read))
((call function: (attribute attribute: (identifier) @get) arguments: (argument_list . (string (string_content) @field.read)))
  (#eq? @get "get"))

; Effects that are no call ---------------------------------------------------------------------------------------

(global_statement) @effect.global_state

; Branches -------------------------------------------------------------------------------------------------------

[(if_statement) (for_statement) (while_statement) (except_clause) (conditional_expression)] @branch
(elif_clause) @branch.elif
(if_statement alternative: (else_clause) @branch.else)
[(for_in_clause) (if_clause)] @branch.flat
(match_statement) @branch.switch
(case_clause) @branch.flat
(boolean_operator) @branch.boolean
(lambda) @nesting

(comment) @comment
