; Literals; tags of fields are texts in texts.
[(interpreted_string_literal) (raw_string_literal)] @string
(field_declaration tag: (_) @tag)
; What a function gives back: names in these are looked for among its variables.
(return_statement) @result
; Files that become texts.
((comment) @embed (#match? @embed "^//go:embed "))
; Calls that register a tool with what runs it.
(call_expression
  function: [(identifier) @_name (selector_expression field: (field_identifier) @_name)]
  (#match? @_name "^(Add|Register|Define|New)?[A-Za-z]*(Tool|Function)([A-Z][A-Za-z]*)?$")) @registration
; Names that stand where a text may be registered: a constant defined elsewhere.
(keyed_element . (literal_element (identifier) @_key) (literal_element [(identifier) (selector_expression)] @reference)
  (#match? @_key "Desc|Instruction|Prompt|System|Text|Content|Message|Hint"))
(keyed_element . (literal_element (interpreted_string_literal) @_key)
  (literal_element [(identifier) (selector_expression)] @reference)
  (#match? @_key "description|instructions|prompt|text|content"))
(argument_list [(identifier) (selector_expression)] @reference)
