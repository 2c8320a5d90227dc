-- The code that gives out a text: its function, or the functions that mention the constant that holds it.
--
-- Reads:  symbols, postings, terms, imports
-- Param:  1: the symbol around the text; 2: terms of its name, of which the whole name comes last
-- Yields: symbol_id of each function
WITH holder AS (
    SELECT symbol_id, path, name, kind FROM symbols WHERE symbol_id = $1
),
mentioning AS (
    SELECT s.symbol_id
    FROM terms t JOIN postings p USING (term_id) JOIN symbols s USING (symbol_id) CROSS JOIN holder h
    WHERE t.term = list_last($2::VARCHAR[]) AND p.body > 0 AND s.kind IN ('function', 'method') AND NOT s.is_test
      AND (s.path = h.path OR EXISTS (FROM imports i WHERE i.path = s.path AND h.name IN (i.name, i.alias))
           -- files of a package see each other's names
           OR regexp_replace(s.path, '[^/]*$', '') = regexp_replace(h.path, '[^/]*$', ''))
)
SELECT symbol_id FROM holder WHERE kind IN ('function', 'method')
UNION
SELECT m.symbol_id FROM mentioning m CROSS JOIN holder h WHERE h.kind NOT IN ('function', 'method', 'module', 'class')
ORDER BY symbol_id;
