-- Functions that give out a text after a call of one that gives back an empty value where it fails.
--
-- Reads:  internal.swallows, edges, calls, symbols
-- Yields: one row a function and producer: symbol_id, producer (qualified name), path, line (of the empty value), exact, lines (of the calls)
--
-- A producer that raises for some failures still hides those that it gives back nothing for.
SELECT e.src, p.qualname, p.path, min(w.line), bool_and(e.provenance IN ('exact', 'import', 'same_file')), list(DISTINCT c.line ORDER BY c.line)
FROM internal.swallows w
JOIN symbols p ON p.symbol_id = w.symbol_id
JOIN edges e ON e.dst = w.symbol_id AND e.provenance IN ('exact', 'import', 'type', 'same_file') AND e.src <> e.dst
JOIN calls c USING (call_id)
WHERE NOT p.is_test
GROUP BY e.src, p.qualname, p.path
ORDER BY e.src, p.path, p.qualname;
