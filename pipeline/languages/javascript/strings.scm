; Literals and template literals.
[(string) (template_string)] @string
; What a function gives back: names in it are looked for among its variables.
(return_statement) @result
; Names that stand where a text may be registered: a constant defined elsewhere.
(object (shorthand_property_identifier) @reference)
(pair value: [(identifier) (member_expression)] @reference)
(arguments [(identifier) (member_expression)] @reference)
