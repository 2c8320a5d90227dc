; What only the grammar of JavaScript itself has: classes and parameters without types.

(class_declaration name: (_) @name (class_heritage)? @bases body: (_) @body) @definition.class
(variable_declarator name: (identifier) @name value: (class (class_heritage)? @bases body: (_) @body)) @definition.class
(export_statement "default" @name value: (class !name (class_heritage)? @bases body: (_) @body) @definition.class)
(export_statement "default" value: (class name: (_) @name (class_heritage)? @bases body: (_) @body) @definition.class)
(return_statement (class name: (_) @name (class_heritage)? @bases body: (_) @body) @definition.class)
(arguments (class name: (_) @name (class_heritage)? @bases body: (_) @body) @definition.class)
(arrow_function body: (class name: (_) @name (class_heritage)? @bases body: (_) @body) @definition.class)
((assignment_expression
   left: (member_expression property: (property_identifier) @name)
   right: (class !name (class_heritage)? @bases body: (_) @body)) @definition.class)
(assignment_expression
  left: (member_expression)
  right: (class name: (_) @name (class_heritage)? @bases body: (_) @body)) @definition.class

(variable_declarator name: (identifier) @name value: (_)? @value) @binding
(field_definition property: [(property_identifier) (private_property_identifier)] @member value: (_) @value) @binding
(_ parameters: (formal_parameters
     [(identifier) @name (assignment_pattern left: (identifier) @name) (rest_pattern (identifier) @name)])
   body: (_)) @binding
