-- Completeness members in what tools give back.
--
-- Reads:  internal.handlers, internal.strings, internal.text_references, imports, symbols, edges, temp result_members and gap_members (gap_producers.sql)
-- Param:  1: the kinds of members that say whether a whole result is complete
-- Yields: one row a tool whose result has such members: tool, path of its handler, fields
--
-- The result is the handler's own, or that of the one function that it calls for a result and hands on as it is.
WITH written AS (
    SELECT DISTINCT path, symbol_id, regexp_extract(name, '[^.:>]+$') AS name, tool FROM internal.handlers
),
tools AS (
    SELECT DISTINCT path, tool, regexp_replace(lower(tool), '[^a-z0-9]', '', 'g') AS bare
    FROM (SELECT path, tool, surface FROM internal.strings UNION ALL SELECT path, tool, surface FROM internal.text_references)
    WHERE surface = 'tool_description' AND tool <> ''
),
-- Where the registration does not tell the tool, the handler's name may: list_branches and listBranches, handleListBranches.
named AS (
    SELECT w.path, w.symbol_id, w.name, coalesce(t.tool, n.tool) AS tool
    FROM written w
    LEFT JOIN tools t ON t.tool = w.tool
    LEFT JOIN tools n ON t.tool IS NULL AND n.path = w.path
        AND n.bare = regexp_replace(replace(lower(w.name), '_', ''), '^(handle|execute|run)|(handler|tool)$', '', 'g')
),
candidates AS (
    SELECT n.path, n.name, n.tool, s.symbol_id,
           CASE WHEN s.path = n.path THEN 1
                WHEN EXISTS (FROM imports i WHERE i.path = n.path AND i.alias = n.name AND coalesce(i.name, n.name) = s.name) THEN 2 END AS rung
    FROM named n JOIN symbols s ON s.name = n.name AND s.kind IN ('function', 'method') AND NOT s.is_test
    WHERE n.symbol_id IS NULL AND n.tool IS NOT NULL
),
handlers AS (
    SELECT symbol_id, tool FROM named WHERE symbol_id IS NOT NULL AND tool IS NOT NULL
    UNION
    SELECT symbol_id, tool FROM candidates WHERE rung IS NOT NULL
    QUALIFY rung = min(rung) OVER (PARTITION BY path, name, tool) AND count(*) OVER (PARTITION BY path, name, tool, rung) = 1
),
-- A function that registers several tools gives back none of their results.
single AS (
    SELECT symbol_id, any_value(tool) AS tool FROM handlers GROUP BY symbol_id HAVING count(DISTINCT tool) = 1
),
speaks AS (
    SELECT DISTINCT symbol_id FROM internal.strings WHERE context IN ('return', 'append') AND symbol_id IS NOT NULL
),
makers AS (
    SELECT DISTINCT symbol_id FROM result_members
),
handed_on AS (
    SELECT h.symbol_id, any_value(e.dst) AS writer
    FROM single h JOIN edges e ON e.src = h.symbol_id AND e.provenance IN ('exact', 'import', 'type', 'same_file') AND e.dst <> e.src
    JOIN makers m ON m.symbol_id = e.dst
    WHERE h.symbol_id NOT IN (FROM makers) AND h.symbol_id NOT IN (FROM speaks)
    GROUP BY h.symbol_id
    HAVING count(DISTINCT e.dst) = 1
),
writers AS (
    SELECT symbol_id, symbol_id AS writer FROM single
    UNION ALL
    SELECT symbol_id, writer FROM handed_on
)
SELECT h.tool, s.path, list(DISTINCT g.field ORDER BY g.field)
FROM single h JOIN writers w USING (symbol_id) JOIN gap_members g ON g.symbol_id = w.writer JOIN symbols s ON s.symbol_id = h.symbol_id
WHERE list_contains($1::VARCHAR[], g.kind)
GROUP BY h.tool, s.path
ORDER BY h.tool, s.path;
