-- members: the definitions directly inside classes, and at the top of modules.
--
-- Reads:  symbols; parameters $classes (symbol ids), $paths (files whose module body is asked for).
-- Writes: nothing. A row is a member: parent_id (NULL in a module), path, start_line, span_start, a line
--         about it, and end_line.

SELECT CASE WHEN parent_id IN (SELECT unnest($classes::BIGINT[])) THEN parent_id END AS parent_id, path, start_line, span_start,
       coalesce(signature, concat_ws(' ', kind, qualname)) AS text, end_line
FROM symbols
WHERE kind <> 'module'
  AND (parent_id IN (SELECT unnest($classes::BIGINT[]))
       OR parent_id IS NULL AND path IN (SELECT unnest($paths::VARCHAR[])))
ORDER BY path, start_line, qualname, symbol_id;
