-- graph, first half: which names have to be looked up in which modules.
--
-- Reads:  symbols, calls, imports, internal.{symbol_shape, bases, bindings, units}
-- Writes: temp wanted (symbol_id, path, text, root, rest): a name as a symbol's code writes it. `root` is its first
--         part and `rest` what follows; forms that are no plain name are split up beforehand (T() and <T> yield T).
--         temp module_refs_wanted (path, module, member): what the languages' resolvers have to find; they fill
--         temp module_refs (path, module, member, unit, rest).

-- Symbols and all symbols around them, themselves included at depth 0.
CREATE OR REPLACE TEMP TABLE enclosing AS
WITH RECURSIVE up(symbol_id, ancestor, depth) AS (
    SELECT symbol_id, symbol_id, 0 FROM symbols
    UNION ALL
    SELECT up.symbol_id, s.parent_id, up.depth + 1
    FROM up JOIN symbols s ON s.symbol_id = up.ancestor
    WHERE s.parent_id IS NOT NULL
)
SELECT up.symbol_id, up.ancestor, up.depth, s.kind, s.qualname FROM up JOIN symbols s ON s.symbol_id = up.ancestor;

-- A test asks for a fixture by a parameter: a call that the test runner makes. Which parameters are fixtures depends on other
-- files, so these calls are made anew each time.
DELETE FROM calls WHERE receiver = '<fixture>';
INSERT INTO calls
SELECT (hash(q.symbol_id, q.name) >> 1)::BIGINT, q.symbol_id, q.path, q.name, '<fixture>', q.line, 0
FROM internal.requests q
WHERE EXISTS (
    FROM symbols f JOIN internal.symbol_shape h USING (symbol_id)
    WHERE h.is_fixture AND f.name = q.name AND f.symbol_id <> q.symbol_id
      AND (f.path = q.path OR (f.path LIKE '%conftest.py' AND starts_with(q.path, left(f.path, length(f.path) - length('conftest.py')))))
)
GROUP BY ALL;

-- Call sites with the parts that resolution needs.
CREATE OR REPLACE TEMP TABLE sites AS
SELECT c.call_id, c.caller, c.path, c.callee, c.receiver, c.arity, c.line, s.language, u.family, u.separator, u.unit,
       -- a receiver starts with a value or name: T of <T>.x, make of make().x, a.b of a.b
       CASE WHEN c.receiver LIKE '<%' THEN regexp_extract(c.receiver, '^<([^>]*)>', 1)
            WHEN contains(c.receiver, '()') THEN regexp_extract(c.receiver, '^([^()]+)', 1)
            ELSE c.receiver END AS head,
       CASE WHEN c.receiver LIKE '<%' THEN 'instance'
            WHEN contains(c.receiver, '()') THEN 'call'
            WHEN c.receiver IS NOT NULL THEN 'name' END AS head_form,
       -- and goes on from there by members: x, and y() for what a call of y returns
       regexp_extract(c.receiver, '^(<[^>]*>|[^()]+\(\))(\.|::)?(.*)$', 3) AS tail
FROM calls c
JOIN symbols s ON s.symbol_id = c.caller
JOIN internal.units u ON u.path = c.path;

CREATE OR REPLACE TEMP TABLE wanted AS
WITH texts AS (
    SELECT caller AS symbol_id, path, callee AS text FROM sites WHERE receiver IS NULL
    UNION SELECT caller, path, head FROM sites WHERE receiver IS NOT NULL
    -- a::f is a name as a whole where paths need no import
    UNION SELECT s.caller, s.path, s.receiver || s.separator || s.callee
          FROM sites s JOIN internal.units u ON u.path = s.path
          WHERE u.qualified_paths AND s.head_form = 'name'
    UNION SELECT caller, path, regexp_extract(head, '^[^.:]+') FROM sites WHERE head_form = 'name'
    UNION SELECT symbol_id, path, base FROM internal.bases
    UNION SELECT symbol_id, path, owner FROM internal.symbol_shape WHERE owner IS NOT NULL
    UNION SELECT symbol_id, path, returns FROM internal.symbol_shape WHERE returns IS NOT NULL
    UNION SELECT symbol_id, path, rtrim(ltrim(regexp_replace(type, '\(\)$', ''), '<'), '>')
          FROM internal.bindings WHERE type IS NOT NULL
)
SELECT symbol_id, path, text,
       regexp_extract(text, '^[^.:()<>\[\] ]+') AS root,
       regexp_replace(text, '^[^.:()<>\[\] ]+(\.|::)?', '') AS rest
FROM texts
WHERE text <> '' AND NOT contains(text, '(') AND NOT contains(text, '<');

-- Imports of a file by the name that they bind. Where several bind one name, all count.
CREATE OR REPLACE TEMP TABLE bound AS
SELECT DISTINCT i.path, i.alias, i.target AS module, i.name AS member FROM imports i WHERE i.alias IS NOT NULL;

CREATE OR REPLACE TEMP TABLE module_refs_wanted AS
SELECT DISTINCT path, target AS module, CASE WHEN name = '*' THEN NULL ELSE name END AS member FROM imports
UNION
SELECT DISTINCT w.path, b.module, concat_ws(u.separator, b.member, nullif(w.rest, ''))
FROM wanted w JOIN bound b ON b.path = w.path AND b.alias = w.root JOIN internal.units u ON u.path = w.path
WHERE w.rest <> ''
UNION
-- Paths that need no import: crate::a::f in Rust, a::f after `mod a`.
SELECT DISTINCT w.path, w.text, NULL
FROM wanted w JOIN internal.units u ON u.path = w.path
WHERE u.qualified_paths AND w.rest <> '';
