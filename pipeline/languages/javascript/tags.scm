; What JavaScript, TypeScript and TSX share: only node types and fields that all three grammars have.
; jsx.scm and untyped.scm beside this file hold what not all have; see language.toml.

; A function that is a value: whatever has parameters and a body is one, an arrow, an expression or a generator.

; Functions ------------------------------------------------------------------------------------------------------

[(function_declaration name: (_) @name parameters: (_) @parameters body: (_) @body)
 (generator_function_declaration name: (_) @name parameters: (_) @parameters body: (_) @body)] @definition.function

(variable_declarator
  name: (identifier) @name
  value: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.function

; A function that only a wrapper stands around is still that function: memo(() => …), forwardRef(function …).
((variable_declarator
   name: (identifier) @name
   value: (call_expression
     function: [(identifier) (member_expression)] @wrapper
     arguments: (arguments . (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)))) @definition.function
  (#match? @wrapper "^(\\w+\\.)?(memo|forwardRef|observer|useCallback|useMemoizedFn|useEvent|useEffectEvent|useStableCallback|debounce|throttle|once|memoize|memoizeOne|cache|asyncHandler|catchAsync|promisify|callable|action|defineEventHandler|eventHandler|createServerFn)$"))

; At the top of a file any call that takes a function and yields no result of running it at once: createMiddleware(…).
((program [(lexical_declaration (variable_declarator
             name: (identifier) @name
             value: (call_expression
               function: [(identifier) (member_expression)] @wrapper
               arguments: (arguments (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)))) @definition.function)
           (export_statement (lexical_declaration (variable_declarator
             name: (identifier) @name
             value: (call_expression
               function: [(identifier) (member_expression)] @wrapper
               arguments: (arguments (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)))) @definition.function))])
  (#match? @wrapper "^[\\w$]+(\\.[\\w$]+)*$")
  (#not-match? @wrapper "(^|\\.)(map|flatMap|filter|reduce|reduceRight|find|findIndex|findLast|findLastIndex|some|every|forEach|sort|toSorted|group|groupBy|partition|sortBy|keyBy|mapValues|pick|omit|uniqBy|then|catch|finally|from|fromAsync|replace|replaceAll|lazy|dynamic|loadable|defineAsyncComponent|setTimeout|setInterval|setImmediate|on|once|addEventListener|subscribe|watch|watchEffect|effect|performance|measure|times|tap|require|describe|it|test|suite)$"))

(export_statement "default" @name value: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body) @definition.function)

; Members that are given from outside: exports.f = …, Foo.prototype.f = …, Foo.f = …, this.f = …
((assignment_expression
   left: (member_expression) @object @module
   right: (_ name: (identifier) @name parameters: (_) @parameters body: (_) @body) @function) @definition.function
  (#eq? @object "module.exports"))
((assignment_expression
   left: (member_expression object: (_) @object property: (property_identifier) @name)
   right: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.function
  (#any-of? @object "exports" "module.exports" "module" "window" "globalThis" "global" "self"))
((assignment_expression
   left: (member_expression
     object: (member_expression object: (_) @owner property: (property_identifier) @prototype)
     property: [(property_identifier) (private_property_identifier)] @name)
   right: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.method
  (#eq? @prototype "prototype"))
((assignment_expression
   left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
   right: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.method @static
  (#not-match? @owner "^(exports|module|window|globalThis|global|self)$"))
(assignment_expression
  left: (member_expression object: (this) @self property: [(property_identifier) (private_property_identifier)] @name)
  right: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.function

; Classes and their members --------------------------------------------------------------------------------------

(class_body
  (method_definition
    "static"? @static
    name: [(property_identifier) @name (private_property_identifier) @name (computed_property_name) @name (number) @name
           (string (string_fragment) @name)]
    parameters: (_) @parameters
    body: (_) @body) @definition.method)

; Fields that hold a function. The grammars name field and node differently.
(class_body
  (_ "static"? @static
     [(property_identifier) (private_property_identifier)] @name
     value: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.method)

; Functions in object literals: symbols where the object has a name, which a scope below gives it. Elsewhere they are
; callbacks, which belong to the function around them.
(object
  [(method_definition
     name: [(property_identifier) @name (string (string_fragment) @name)]
     parameters: (_) @parameters
     body: (_) @body) @definition.method
   (pair
     key: [(property_identifier) @name (string (string_fragment) @name)]
     value: (_ [parameters: (_) parameter: (_)] @parameters body: (_) @body)) @definition.method]) @within

(variable_declarator name: (identifier) @name value: (object) @scope @type)
(class_body (_ [(property_identifier) (private_property_identifier)] @name value: (object) @scope @type))
(object (pair key: (property_identifier) @name value: (object) @scope @type)) @within
; What a function makes: { get() {…} } of createStore is createStore.get.
(return_statement (object) @scope) @factory
(variable_declarator value: (arrow_function body: (parenthesized_expression (object) @scope))) @factory
(export_statement "default" @name value: (object) @scope @type)
; A call that makes something of an object at the top of a file: defineComponent({…}), createSlice({…}).
(export_statement "default" @name value: (call_expression arguments: (arguments (object) @scope @type)))
(program [(lexical_declaration (variable_declarator
            name: (identifier) @name value: (call_expression arguments: (arguments (object) @scope @type))))
          (export_statement (lexical_declaration (variable_declarator
            name: (identifier) @name value: (call_expression arguments: (arguments (object) @scope @type)))))])
((assignment_expression left: (member_expression) @object right: (object) @scope)
  (#eq? @object "module.exports"))
((assignment_expression
   left: (member_expression object: (identifier) @object property: (property_identifier) @name)
   right: (object) @scope @type)
  (#eq? @object "exports"))
((assignment_expression
   left: (member_expression object: (identifier) @name property: (property_identifier) @prototype)
   right: (object) @scope @type)
  (#eq? @prototype "prototype"))

; Constants: what the top of a file binds. An import by require() binds no constant. ------------------------------

((program [(lexical_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @definition.constant)
           (variable_declaration (variable_declarator name: (identifier) @name value: (_)? @value) @definition.constant)
           (export_statement (lexical_declaration
             (variable_declarator name: (identifier) @name value: (_)? @value) @definition.constant))
           (export_statement (variable_declaration
             (variable_declarator name: (identifier) @name value: (_)? @value) @definition.constant))])
  (#not-match? @value "^(\\(?await\\s+import\\b|require\\s*\\()"))
((program [(lexical_declaration (variable_declarator
             name: (object_pattern [(shorthand_property_identifier_pattern) @name @definition.constant
                                    (pair_pattern value: (identifier) @name @definition.constant)])
             value: (_) @value))
           (export_statement (lexical_declaration (variable_declarator
             name: (object_pattern [(shorthand_property_identifier_pattern) @name @definition.constant
                                    (pair_pattern value: (identifier) @name @definition.constant)])
             value: (_) @value)))])
  (#not-match? @value "^(\\(?await\\s+import\\b|require\\s*\\()"))

; A decorator before `export` belongs to the class behind it.
(export_statement declaration: (_) @inner) @span

; Tests: blocks of Jest, Vitest, Mocha, Jasmine, node:test, Playwright, Deno, QUnit -------------------------------

((call_expression
   function: [(identifier) @runner
              (member_expression) @runner
              (call_expression function: [(member_expression) (identifier)] @runner)]
   arguments: (arguments
     . [(string) (template_string) (identifier) (member_expression) (binary_expression) (call_expression)] @name
     (_ [parameters: (_) parameter: (_)] body: (_) @body))) @definition.test
  (#match? @runner "^((\\w+\\.)?[fx]?(describe|it|test|suite)|[fx]?(context|specify)|QUnit\\.(module|test)|tap\\.test)(\\.(only|skip|todo|each|for|concurrent|sequential|shuffle|serial|parallel|fails?|failing|fixme|slow|skipIf|runIf|if|describe|suite|test|it|extend|configure|step))*$"))
; A test whose function something else makes: it("…", fakeAsync(() => …)).
((call_expression
   function: [(identifier) @runner
              (member_expression) @runner
              (call_expression function: (member_expression) @runner)]
   arguments: (arguments . [(string) (template_string)] @name (call_expression))) @definition.test
  (#match? @runner "^[fx]?(describe|it|test)(\\.(only|skip|each|for|concurrent|sequential|fails|failing|skipIf|runIf|if))*$"))
; Deno.test(function name() {…}), Deno.test({ name: "…", fn() {…} })
((call_expression
   function: (member_expression) @runner
   arguments: (arguments . (function_expression name: (identifier) @name body: (_) @body))) @definition.test
  (#match? @runner "^Deno\\.test(\\.(only|ignore))?$"))
((call_expression
   function: (member_expression) @runner
   arguments: (arguments . (object (pair key: (property_identifier) @key value: [(string) (template_string)] @name)) @body)) @definition.test
  (#match? @runner "^Deno\\.test(\\.(only|ignore))?$")
  (#eq? @key "name"))

; Calls: `new T` is one of T, a tagged template one of its tag -----------------------------------------------------

(call_expression function: (identifier) @name arguments: (arguments) @arguments) @reference.call
(call_expression function: (super) @name arguments: (arguments) @arguments) @reference.call
(call_expression
  function: (member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @name)
  arguments: (arguments) @arguments) @reference.call
(call_expression function: (identifier) @name arguments: (template_string)) @reference.call
(call_expression
  function: (member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @name)
  arguments: (template_string)) @reference.call
(call_expression
  function: [(call_expression) (subscript_expression) (parenthesized_expression) (arrow_function) (function_expression) (new_expression)] @computed
  arguments: (arguments) @arguments) @reference.call
(new_expression constructor: (identifier) @name arguments: (arguments) @arguments) @reference.call
(new_expression
  constructor: (member_expression object: (_) @receiver property: (property_identifier) @name)
  arguments: (arguments) @arguments) @reference.call
; Without a list of arguments there is none: the name has no children to count.
(new_expression constructor: (identifier) @name @arguments !arguments) @reference.call
(new_expression
  constructor: (member_expression object: (_) @receiver property: (property_identifier) @name @arguments)
  !arguments) @reference.call
; A decorator without parentheses is a call of its function with the definition.
(decorator (identifier) @name) @reference.call
(decorator (member_expression object: (_) @receiver property: (property_identifier) @name)) @reference.call

; Imports: names.py reads from the node what it binds --------------------------------------------------------------

[(import_statement) (export_statement)] @import
((assignment_expression left: (member_expression) @exports) @import
  (#match? @exports "^(module\\.exports|exports)(\\.[\\w$]+)?$"))
((call_expression function: (identifier) @require arguments: (arguments . (string (string_fragment) @module))) @import @call
  (#eq? @require "require"))
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @module))) @import @call

; Bindings: parameters come from @parameters ---------------------------------------------------------------------

(assignment_expression left: (identifier) @name right: (_) @value) @binding @assigned
(assignment_expression
  left: (member_expression object: (this) @self property: [(property_identifier) (private_property_identifier)] @member)
  right: (_) @value) @binding
(for_in_statement left: (identifier) @name) @binding
(catch_clause parameter: (identifier) @name) @binding
(object_pattern
  [(shorthand_property_identifier_pattern) @name
   (pair_pattern value: [(identifier) @name (assignment_pattern left: (identifier) @name)])
   (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
   (rest_pattern (identifier) @name)]) @binding
(array_pattern
  [(identifier) @name
   (assignment_pattern left: (identifier) @name)
   (rest_pattern (identifier) @name)]) @binding
(arrow_function parameter: (identifier) @name) @binding

; Members of result objects --------------------------------------------------------------------------------------

(object [(pair key: [(property_identifier) @field.produced (string (string_fragment) @field.produced)])
         (shorthand_property_identifier) @field.produced])
(subscript_expression index: (string (string_fragment) @field.read))
(object_pattern
  [(shorthand_property_identifier_pattern) @field.read
   (pair_pattern key: [(property_identifier) @field.read (string (string_fragment) @field.read)])
   (object_assignment_pattern left: (shorthand_property_identifier_pattern) @field.read)])

; Effects that are no call ---------------------------------------------------------------------------------------

((member_expression object: (identifier) @object property: (property_identifier) @property) @effect.env
  (#any-of? @object "process" "Bun") (#any-of? @property "env" "argv" "execArgv" "platform" "arch" "pid" "version" "versions" "execPath"))
((member_expression object: (meta_property) property: (property_identifier) @property) @effect.env
  (#eq? @property "env"))
; Writes to what the whole program shares.
((assignment_expression left: (member_expression object: (_) @object)) @effect.global_state
  (#match? @object "^(window|globalThis|global|self|document|process|navigator|location)(\\.\\w+)*$"))
((augmented_assignment_expression left: (member_expression object: (_) @object)) @effect.global_state
  (#match? @object "^(window|globalThis|global|self|document|process|navigator|location)(\\.\\w+)*$"))
((assignment_expression left: (subscript_expression object: (_) @object)) @effect.global_state
  (#match? @object "^(window|globalThis|global|self|process\\.env)$"))
((unary_expression operator: "delete" argument: (member_expression object: (_) @object)) @effect.global_state
  (#match? @object "^(window|globalThis|global|self|process)(\\.\\w+)*$"))
; Writes to a variable of the file: effects where it stands at the top and no function around binds the name.
(assignment_expression left: [(identifier) (member_expression)] @target) @effect.global_state
(assignment_expression left: (subscript_expression object: (_) @target)) @effect.global_state
(augmented_assignment_expression left: [(identifier) (member_expression)] @target) @effect.global_state
(augmented_assignment_expression left: (subscript_expression object: (_) @target)) @effect.global_state
(update_expression argument: [(identifier) (member_expression)] @target) @effect.global_state
(unary_expression operator: "delete" argument: (member_expression) @target) @effect.global_state
(unary_expression operator: "delete" argument: (subscript_expression object: (_) @target)) @effect.global_state

; Branches: optional chaining and default values are no branches of their own -------------------------------------

[(if_statement) (for_statement) (for_in_statement) (while_statement) (do_statement) (catch_clause) (ternary_expression)] @branch
(else_clause (if_statement) @branch.elif)
(else_clause
  [(statement_block) (expression_statement) (return_statement) (throw_statement) (for_statement) (for_in_statement)
   (while_statement) (do_statement) (switch_statement) (try_statement) (break_statement) (continue_statement)
   (labeled_statement) (empty_statement)]) @branch.else
(switch_statement) @branch.switch
(switch_case) @branch.flat
(binary_expression operator: ["&&" "||" "??"]) @branch.boolean
(augmented_assignment_expression operator: ["&&=" "||=" "??="]) @branch.boolean
[(break_statement label: (_)) (continue_statement label: (_))] @branch.jump
[(arrow_function) (function_expression) (generator_function)] @nesting
(object (method_definition) @nesting)

(comment) @comment
