; Literals, and the docstrings of functions and classes among them.
(string) @string
(function_definition body: (block . (string) @docstring))
(class_definition body: (block . (string) @docstring))
; Strings that nothing takes: what a module, an attribute or a test says of itself.
[(module (string) @bare) (block (string) @bare)]
; What a function gives back, and what it puts into results: names in these are looked for among its variables.
(return_statement) @result
(decorated_definition) @decorated
; Names that stand where a text may be registered: a constant defined elsewhere.
(keyword_argument value: [(identifier) (attribute)] @reference)
(pair value: [(identifier) (attribute)] @reference)
(argument_list [(identifier) (attribute)] @reference)
(argument_list (list (identifier) @reference))
(keyword_argument name: (identifier) @_key value: (list (identifier) @reference) (#match? @_key "(tool|function)s$"))
(assignment left: (identifier) @_name right: (list (identifier) @reference) (#match? @_name "(tools|TOOLS)$"))
