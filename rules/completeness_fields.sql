-- Completeness fields in what tools give back: one row a tool with the fields that its handler, or what the handler calls, writes.
--
-- Reads:  temp text_handlers or internal.handlers, symbols, edges, field_uses, agent_text, temp gap_fields (gap_fields.sql)
-- Yields: path and tool of its description, fields
WITH handlers AS (
    SELECT DISTINCT h.symbol_id, h.tool FROM internal.handlers h WHERE h.symbol_id IS NOT NULL AND h.tool IS NOT NULL
),
-- A function that the handler calls counts where it is the only one that writes such a field: its result is the tool's.
writers AS (
    SELECT symbol_id, tool, symbol_id AS writer FROM handlers
),
fields AS (
    SELECT DISTINCT w.symbol_id, w.tool, u.field
    FROM writers w JOIN field_uses u ON u.symbol_id = w.writer AND u.use = 'produced'
    JOIN gap_fields g ON g.name = lower(replace(u.field, '_', ''))
    WHERE g.is_completeness
)
SELECT t.path, t.tool, list(DISTINCT f.field ORDER BY f.field)
FROM fields f
JOIN symbols s USING (symbol_id)
JOIN agent_text t ON t.tool = f.tool AND t.path = s.path AND t.surface = 'tool_description'
GROUP BY t.path, t.tool
ORDER BY t.path, t.tool;
