; Literals; those in the arguments of macros and attributes stand in tokens and are found all the same.
[(string_literal) (raw_string_literal)] @string
; What a function or closure gives back: names in these are looked for among its variables.
(return_expression) @result
(block [(identifier) (call_expression) (macro_invocation) (struct_expression) (reference_expression) (tuple_expression) (field_expression)] @result .)
; Attributes that make a function a tool, or a type the description of one's parameters.
((attribute_item (attribute [(identifier) @_name (scoped_identifier name: (identifier) @_name)])) @annotated
  (#match? @_name "tool$|^prompt$|^resource$"))
((attribute_item (attribute (identifier) @_name arguments: (token_tree (identifier) @_trait))) @derived
  (#eq? @_name "derive")
  (#eq? @_trait "JsonSchema"))
(struct_item) @model
; Files that become texts.
((macro_invocation macro: (identifier) @_name) @embedded (#eq? @_name "include_str"))
(token_tree (identifier) @_name . "!" . (token_tree) @embedded (#eq? @_name "include_str"))
; Calls that register a tool with what runs it.
(call_expression
  function: [(field_expression field: (field_identifier) @_name) (scoped_identifier name: (identifier) @_name)]
  (#match? @_name "^(add|register|define|with)_(tool|function)")) @registration
; Names that stand where a text may be registered: a constant defined elsewhere.
(field_initializer field: (field_identifier) @_key value: (_) @reference
  (#match? @_key "desc|instruction|prompt|system|text|content|message|hint"))
(call_expression
  function: [
    (field_expression field: (field_identifier) @_name)
    (scoped_identifier path: [(identifier) (scoped_identifier)] @_name)
    (scoped_identifier name: (identifier) @_name)]
  arguments: (arguments [(identifier) (scoped_identifier) (call_expression)] @reference)
  (#match? @_name "(?i)tool|description|prompt|instruction|preamble|content|error"))
