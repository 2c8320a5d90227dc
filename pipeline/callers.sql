-- callers: who calls a symbol.
--
-- Reads:  edges, calls, symbols; $symbol is the id of the symbol
-- Yields: one row a calling symbol (itself, where it is recursive), by path and line: path, line, qualname, kind,
--         the best rung of its calls, and the lines of its file on which it calls

SELECT s.path, s.start_line, s.qualname, s.kind,
       -- The ladder of graph, best first; a rung that is not in it comes last.
       arg_min(e.provenance, coalesce(list_position(['exact', 'import', 'type', 'same_file', 'unique_name'], e.provenance), 9)) AS provenance,
       list_sort(list_distinct(list(c.line))) AS call_lines
FROM edges e
JOIN calls c ON c.call_id = e.call_id
JOIN symbols s ON s.symbol_id = e.src
WHERE e.dst = $symbol
GROUP BY s.symbol_id, s.path, s.start_line, s.qualname, s.kind
ORDER BY s.path, s.start_line, s.qualname, s.symbol_id;
