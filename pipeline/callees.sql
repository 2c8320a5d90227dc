-- callees: whom a symbol calls, as far as that was resolved.
--
-- Reads:  edges, calls, symbols; $symbol is the id of the symbol
-- Yields: one row a called symbol (itself, where it is recursive), in order of the first call: path, line, qualname,
--         kind, the best rung of the calls, and the lines of the symbol's own file on which it is called

SELECT s.path, s.start_line, s.qualname, s.kind,
       arg_min(e.provenance, coalesce(list_position(['exact', 'import', 'type', 'same_file', 'unique_name'], e.provenance), 9)) AS provenance,
       list_sort(list_distinct(list(c.line))) AS call_lines
FROM edges e
JOIN calls c ON c.call_id = e.call_id
JOIN symbols s ON s.symbol_id = e.dst
WHERE e.src = $symbol
GROUP BY s.symbol_id, s.path, s.start_line, s.qualname, s.kind
ORDER BY call_lines[1], s.path, s.start_line, s.qualname, s.symbol_id;
