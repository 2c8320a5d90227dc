-- Functions that give out a text after a call of one that gives back an empty value where it fails.
--
-- Reads:  internal.swallows, edges, calls, unresolved_calls, symbols
-- Yields: one row a function and producer: symbol_id, producer (qualified name), path, line (of the empty value), exact, lines (of the calls)
--
-- A call that no rung of the ladder takes counts where its receiver is not known and one method alone has the name, which
-- has to be a long one of several words: it is the method that was meant, as far as anybody can tell.
WITH producers AS (
    SELECT p.symbol_id, p.name, p.qualname, p.path, p.kind, p.language, min(w.line) AS line
    FROM internal.swallows w JOIN symbols p USING (symbol_id)
    WHERE NOT p.is_test
    GROUP BY ALL
),
called AS (
    SELECT e.src AS formatter, e.dst AS producer, e.provenance <> 'type' AS exact, c.line
    FROM producers p
    JOIN edges e ON e.dst = p.symbol_id AND e.provenance IN ('exact', 'import', 'type', 'same_file') AND e.src <> e.dst
    JOIN calls c USING (call_id)
    UNION ALL
    SELECT c.caller, p.symbol_id, false, c.line
    FROM producers p
    JOIN calls c ON c.callee = p.name AND c.receiver IS NOT NULL
    -- a receiver of a union of types is taken for an external one
    JOIN unresolved_calls u ON u.call_id = c.call_id AND (u.reason <> 'external' OR u.target IS NULL OR contains(u.target, '|'))
    JOIN files f ON f.path = c.path AND f.language = p.language
    WHERE p.kind = 'method' AND length(p.name) >= 10 AND regexp_matches(p.name, '[a-z](_|[A-Z])') AND c.caller <> p.symbol_id
      AND (SELECT count(*) FROM symbols o WHERE o.name = p.name AND o.kind = 'method' AND NOT o.is_test) = 1
)
SELECT c.formatter, p.qualname, p.path, p.line, bool_and(c.exact), list(DISTINCT c.line ORDER BY c.line)
FROM called c JOIN producers p ON p.symbol_id = c.producer
GROUP BY c.formatter, p.qualname, p.path, p.line
ORDER BY c.formatter, p.path, p.qualname;
