; Literals; tags of fields are texts in texts.
[(interpreted_string_literal) (raw_string_literal)] @string
(field_declaration tag: (_) @tag)
(type_spec type: (struct_type)) @model
; What a function gives back: names in these are looked for among its variables.
(return_statement) @result
; Calls that register a tool with what runs it.
(call_expression
  function: [(identifier) @_name (selector_expression field: (field_identifier) @_name)]
  (#match? @_name "^(Add|Register|Define|New)[A-Za-z]*(Tool|Function)")) @registration
; Names that stand where a text may be registered: a constant defined elsewhere.
(keyed_element . (literal_element (identifier) @_key) (literal_element (_) @reference)
  (#match? @_key "Desc|Instruction|Prompt|System|Text|Content|Message|Hint"))
(keyed_element . (literal_element (interpreted_string_literal)) (literal_element [(identifier) (selector_expression)] @reference))
(call_expression
  function: [(identifier) @_name (selector_expression field: (field_identifier) @_name)]
  arguments: (argument_list [(identifier) (selector_expression) (call_expression)] @reference)
  (#match? @_name "Tool|Description|Text|Error|Prompt|Instruction"))
