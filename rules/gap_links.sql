-- Which functions render a result that can have a gap, and who could have read that gap.
--
-- Reads:  edges, calls, symbols, internal.strings, temp gap_members (gap_producers.sql), temp gap_window (lines)
-- Writes: temp gap_links, one row a formatter, producer and way: link, formatter, producer, via, linked, exact,
--         lines (of the formatter's calls; empty where it is given the result)
--           calls:   the formatter calls the producer
--           through: it calls `via`, and that calls the producer
--           given:   `via` calls the producer and, a few lines on, the formatter
--         temp gap_readers, one row a link and function that could read the gap: link, reader
CREATE OR REPLACE TEMP TABLE gap_steps AS
SELECT e.src, e.dst, bool_or(e.provenance IN ('exact', 'import')) AS exact, list(DISTINCT c.line ORDER BY c.line) AS lines
FROM edges e JOIN calls c USING (call_id)
WHERE e.provenance IN ('exact', 'import', 'type', 'same_file') AND e.src <> e.dst
GROUP BY e.src, e.dst;

CREATE OR REPLACE TEMP TABLE gap_links AS
WITH producers AS (
    SELECT DISTINCT symbol_id FROM gap_members
),
-- Strings of code that no symbol holds stand at the top of a file.
emitters AS (
    SELECT symbol_id FROM internal.strings WHERE symbol_id IS NOT NULL AND context NOT IN ('log', 'docstring')
    UNION
    SELECT s.symbol_id FROM internal.strings t JOIN symbols s ON s.path = t.path AND s.kind = 'module'
    WHERE t.symbol_id IS NULL AND t.context NOT IN ('log', 'docstring')
),
direct AS (
    SELECT t.src AS formatter, t.dst AS producer, NULL::BIGINT AS via, 'calls' AS linked, t.exact, t.lines
    FROM gap_steps t JOIN producers p ON p.symbol_id = t.dst JOIN emitters e ON e.symbol_id = t.src
),
through AS (
    SELECT t.src, p.dst, t.dst, 'through', t.exact AND p.exact, t.lines
    FROM gap_steps p JOIN producers g ON g.symbol_id = p.dst
    JOIN gap_steps t ON t.dst = p.src AND t.src <> p.dst
    JOIN emitters e ON e.symbol_id = t.src
    -- one that gives back a result of its own stands between
    WHERE NOT EXISTS (FROM gap_members m WHERE m.symbol_id = p.src)
),
given AS (
    SELECT f.dst, p.dst, f.src, 'given', f.exact AND p.exact, []
    FROM gap_steps p JOIN producers g ON g.symbol_id = p.dst
    JOIN gap_steps f ON f.src = p.src AND f.dst <> p.dst
    JOIN emitters e ON e.symbol_id = f.dst
    WHERE EXISTS (
        SELECT 1 FROM (SELECT unnest(p.lines) AS made) CROSS JOIN (SELECT unnest(f.lines) AS rendered)
        WHERE rendered BETWEEN made AND made + (SELECT lines FROM gap_window)
    )
),
every AS (
    FROM direct UNION ALL FROM through UNION ALL FROM given
)
SELECT row_number() OVER (ORDER BY formatter, producer, linked, via) AS link, *
FROM every
-- The shortest way is the one that tells.
QUALIFY linked = min(linked) OVER (PARTITION BY formatter, producer)
ORDER BY link;

CREATE OR REPLACE TEMP TABLE gap_readers AS
SELECT link, formatter AS reader FROM gap_links
UNION SELECT link, via FROM gap_links WHERE via IS NOT NULL
UNION SELECT l.link, t.dst FROM gap_links l JOIN gap_steps t ON t.src IN (l.formatter, l.via) WHERE t.dst <> l.producer;
