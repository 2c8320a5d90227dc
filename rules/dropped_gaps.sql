-- Formatters that render a result and drop the gap that its producer can report.
--
-- Reads:  symbols, files, edges, field_uses, terms, postings, agent_text, temp gap_fields (gap_fields.sql)
-- Yields: one row a formatter: symbol_id, field, producer, path, line, formatter, linked
--
-- A formatter emits a tool result or stands in one's way. A producer writes a gap field beside at least one other field. The
-- two are linked where the formatter calls the producer (calls), or a caller of both hands the result over (given); in both
-- cases the formatter names another field of the producer, which shows that it reads that result. The gap counts as read where the
-- formatter, the caller, or what the formatter calls mentions the field's words at all: any mention discharges.
WITH emitters AS (
    SELECT DISTINCT symbol_id FROM agent_text
    WHERE surface IN ('tool_result', 'notification') AND evidence <> 'candidate' AND symbol_id IS NOT NULL
),
produced AS (
    SELECT DISTINCT u.symbol_id, u.field, lower(replace(u.field, '_', '')) AS plain
    FROM field_uses u JOIN symbols s USING (symbol_id) JOIN files f ON f.path = s.path
    WHERE u.use = 'produced' AND f.role = 'source' AND NOT s.is_test
),
gaps AS (
    SELECT p.symbol_id, p.field, g.is_completeness FROM produced p JOIN gap_fields g ON g.name = p.plain
    -- arguments of calls that are no result stand alone, or with other settings
    WHERE EXISTS (FROM produced o WHERE o.symbol_id = p.symbol_id AND o.field <> p.field)
),
steps AS (
    SELECT DISTINCT src, dst FROM edges WHERE provenance IN ('exact', 'import', 'type', 'same_file') AND src <> dst
),
links AS (
    SELECT s.src AS formatter, s.dst AS producer, NULL::BIGINT AS via, 'calls' AS linked
    FROM steps s JOIN emitters e ON e.symbol_id = s.src JOIN (SELECT DISTINCT symbol_id FROM gaps) g ON g.symbol_id = s.dst
    UNION ALL
    SELECT f.dst, p.dst, f.src, 'given'
    FROM steps f JOIN emitters e ON e.symbol_id = f.dst
    JOIN steps p ON p.src = f.src AND p.dst <> f.dst
    JOIN (SELECT DISTINCT symbol_id FROM gaps) g ON g.symbol_id = p.dst
    -- a formatter that calls the producer itself is in the first half
    WHERE NOT EXISTS (FROM steps x WHERE x.src = f.dst AND x.dst = p.dst)
),
-- What each symbol mentions, in whole words of code.
mentions AS (
    SELECT DISTINCT p.symbol_id, t.term FROM postings p JOIN terms t USING (term_id)
    WHERE p.body > 0 AND p.symbol_id IN (
        SELECT formatter FROM links UNION SELECT via FROM links UNION SELECT dst FROM steps WHERE src IN (SELECT formatter FROM links)
    )
),
near AS (
    SELECT DISTINCT formatter, producer, formatter AS reader FROM links
    UNION SELECT formatter, producer, via FROM links WHERE via IS NOT NULL
    UNION SELECT l.formatter, l.producer, s.dst FROM links l JOIN steps s ON s.src = l.formatter WHERE s.dst <> l.producer
),
dropped AS (
    SELECT l.formatter, l.producer, l.linked, g.field, g.is_completeness
    FROM links l JOIN gaps g ON g.symbol_id = l.producer
    WHERE NOT EXISTS (
        FROM near n JOIN mentions m ON m.symbol_id = n.reader
        WHERE n.formatter = l.formatter AND n.producer = l.producer
          -- stems of the field's words are beginnings of them
          AND starts_with(lower(replace(g.field, '_', '')), left(m.term, greatest(length(m.term) - 1, 4))) AND length(m.term) > 3
    )
    AND NOT EXISTS (
        FROM near n JOIN field_uses u ON u.symbol_id = n.reader AND u.use = 'read' AND u.field = g.field
        WHERE n.formatter = l.formatter AND n.producer = l.producer
    )
    -- it reads that very result: another field that the producer writes is read by name
    AND EXISTS (
        FROM produced o JOIN field_uses u ON u.symbol_id = l.formatter AND u.use = 'read' AND u.field = o.field
        WHERE o.symbol_id = l.producer AND o.field <> g.field
    )
)
SELECT d.formatter, d.field, p.qualname, p.path, p.start_line, f.qualname, d.linked
FROM dropped d JOIN symbols p ON p.symbol_id = d.producer JOIN symbols f ON f.symbol_id = d.formatter
QUALIFY row_number() OVER (PARTITION BY d.formatter ORDER BY d.linked, NOT d.is_completeness, p.path, p.qualname, d.field) = 1
ORDER BY d.formatter;
