; Literals, and the docstrings of functions and classes among them.
(string) @string
(function_definition body: (block . (string) @docstring))
(class_definition body: (block . (string) @docstring))
; What a function gives back, and what it puts into results: names in these are looked for among its variables.
(return_statement) @result
(decorated_definition) @decorated
; Names that stand where a text may be registered: a constant defined elsewhere.
(keyword_argument value: [(identifier) (attribute)] @reference)
(pair value: [(identifier) (attribute)] @reference)
(argument_list [(identifier) (attribute)] @reference)
(argument_list (list (identifier) @reference))
