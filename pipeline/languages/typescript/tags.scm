; What TypeScript has beside JavaScript: types, and classes and parameters whose nodes have other names.

; Classes: interfaces, enums and type aliases are classes too --------------------------------------------------------

(class_declaration
  name: (_) @name
  (class_heritage (extends_clause)? @bases (implements_clause)? @bases)?
  body: (_) @body) @definition.class
(abstract_class_declaration
  name: (_) @name
  (class_heritage (extends_clause)? @bases (implements_clause)? @bases)?
  body: (_) @body) @definition.class
(variable_declarator
  name: (identifier) @name
  value: (class (class_heritage (extends_clause)? @bases (implements_clause)? @bases)? body: (_) @body)) @definition.class
(export_statement "default" @name
  value: (class !name (class_heritage (extends_clause)? @bases (implements_clause)? @bases)? body: (_) @body) @definition.class)
(return_statement
  (class name: (_) @name (class_heritage (extends_clause)? @bases (implements_clause)? @bases)? body: (_) @body) @definition.class)
(arguments
  (class name: (_) @name (class_heritage (extends_clause)? @bases (implements_clause)? @bases)? body: (_) @body) @definition.class)
(arrow_function
  body: (class name: (_) @name (class_heritage (extends_clause)? @bases (implements_clause)? @bases)? body: (_) @body) @definition.class)
(interface_declaration name: (_) @name (extends_type_clause)? @bases body: (_) @body) @definition.class
(enum_declaration name: (_) @name body: (_) @body) @definition.class
(type_alias_declaration name: (_) @name) @definition.class
; A type that is one more name, or one type and more: that one is a base.
(type_alias_declaration name: (_) @name value: [(type_identifier) (generic_type) (nested_type_identifier)] @base) @definition.class
(type_alias_declaration name: (_) @name value: (intersection_type) @bases) @definition.class

; Declarations without a body: symbols only where no definition of the name has one ---------------------------------

(function_signature name: (_) @name parameters: (_) @parameters) @definition.function @signature
(class_body
  (method_signature
    "static"? @static
    name: [(property_identifier) @name (private_property_identifier) @name (computed_property_name) @name
           (string (string_fragment) @name)]
    parameters: (_) @parameters) @definition.method @signature)
(abstract_method_signature name: (_) @name parameters: (_) @parameters) @definition.method @signature
(interface_body (method_signature name: (_) @name parameters: (_) @parameters) @definition.method @signature)
(type_alias_declaration
  value: (object_type (method_signature name: (_) @name parameters: (_) @parameters) @definition.method @signature))
(interface_body
  (property_signature
    name: (property_identifier) @name
    type: (type_annotation (function_type parameters: (_) @parameters))) @definition.method @signature)

; Blocks that qualify names --------------------------------------------------------------------------------------

(internal_module name: (_) @name body: (_) @scope)
(module name: (string (string_fragment) @name) body: (_) @scope)
(module name: (identifier) @name body: (_) @scope)

(variable_declarator
  name: (identifier) @name
  value: [(as_expression . (object) @scope @type) (satisfies_expression . (object) @scope @type)])
(object (pair
  key: (property_identifier) @name
  value: [(as_expression . (object) @scope @type) (satisfies_expression . (object) @scope @type)])) @within
(export_statement "default" @name
  value: [(as_expression . (object) @scope @type) (satisfies_expression . (object) @scope @type)])
(return_statement [(as_expression . (object) @scope) (satisfies_expression . (object) @scope)]) @factory

; Constants of namespaces and ambient declarations
(internal_module body: (statement_block
  [(lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)
   (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant))]))
(ambient_declaration
  [(lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)
   (variable_declaration (variable_declarator name: (identifier) @name) @definition.constant)])

; Decorators of members stand before them, as siblings.
(class_body (decorator) @comment @attached)

; Imports --------------------------------------------------------------------------------------------------------

(import_alias) @import

; Bindings -------------------------------------------------------------------------------------------------------

(variable_declarator name: (identifier) @name type: (type_annotation (_) @type)) @binding
(variable_declarator name: (identifier) @name !type value: (_)? @value) @binding
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @member
  type: (type_annotation (_) @type)) @binding
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @member
  !type
  value: (_) @value) @binding
(property_signature name: (property_identifier) @member type: (type_annotation (_) @type)) @binding
(method_definition "get" name: (_) @member return_type: (type_annotation (_) @type)) @binding
; constructor(private service: Service)
([(required_parameter (accessibility_modifier) pattern: (identifier) @member type: (type_annotation (_) @type))
  (required_parameter "readonly" pattern: (identifier) @member type: (type_annotation (_) @type))
  (optional_parameter (accessibility_modifier) pattern: (identifier) @member type: (type_annotation (_) @type))] @binding)
; Parameters of functions that are no symbols
(_ parameters: (formal_parameters (_ pattern: [(identifier) @name (rest_pattern (identifier) @name)] !type)) body: (_)) @binding
(_ parameters: (formal_parameters (_ pattern: (identifier) @name type: (type_annotation (_) @type))) body: (_)) @binding
; A cast tells a type too.
(variable_declarator name: (identifier) @name !type value: (as_expression (_) . (_) @type .)) @binding
