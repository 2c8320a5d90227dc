; What the grammars with JSX have on top. The use of a component is a call of it; lower-case tags are elements.

((jsx_self_closing_element name: (identifier) @name) @reference.call (#match? @name "^[A-Z_$]"))
((jsx_opening_element name: (identifier) @name) @reference.call (#match? @name "^[A-Z_$]"))
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @name)) @reference.call
(jsx_opening_element name: (member_expression object: (_) @receiver property: (property_identifier) @name)) @reference.call
