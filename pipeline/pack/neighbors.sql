-- neighbors: the direct callers and callees of the seeds of a pack, and the tests nearest to them.
--
-- Reads:  edges, symbols, symbol_metrics, files; parameters $seeds (symbol ids, best first), $tests (whether test
--         symbols count), $nearest (whether the nearest tests are added, which then count in any case).
-- Writes: nothing. A row is a neighbour, in the order of the pack: seed (its place among the seeds, from 1), direction
--         (caller, callee, nearest test), provenance (the best rung of their edges, or the distance), and the symbol;
--         is_left_out marks tests.
--
-- A symbol that is a neighbour of several seeds stands with the first; a seed is no neighbour.

WITH seeds AS (
    SELECT unnest($seeds::BIGINT[]) AS symbol_id, generate_subscripts($seeds::BIGINT[], 1) AS seed
), hops AS (
    SELECT s.seed, 0 AS turn, e.src AS symbol_id,
           list_position(['exact', 'import', 'type', 'same_file', 'unique_name'], e.provenance) AS rung
    FROM seeds s JOIN edges e ON e.dst = s.symbol_id
    UNION ALL
    SELECT s.seed, 1, e.dst, list_position(['exact', 'import', 'type', 'same_file', 'unique_name'], e.provenance)
    FROM seeds s JOIN edges e ON e.src = s.symbol_id
    UNION ALL
    SELECT s.seed, 2, m.nearest_test, m.test_distance
    FROM seeds s JOIN symbol_metrics m USING (symbol_id)
    WHERE $nearest AND m.nearest_test IS NOT NULL
), marked AS (
    SELECT h.*, NOT $tests AND h.turn < 2 AND (s.is_test OR coalesce(f.role, '') = 'test') AS is_left_out
    FROM hops h JOIN symbols s USING (symbol_id) LEFT JOIN files f ON f.path = s.path
    WHERE h.symbol_id NOT IN (SELECT symbol_id FROM seeds)
), ranked AS (
    SELECT seed, turn, symbol_id, min(coalesce(rung, 9)) AS rung, is_left_out
    FROM marked
    GROUP BY seed, turn, symbol_id, is_left_out
    QUALIFY row_number() OVER (PARTITION BY symbol_id ORDER BY is_left_out, seed, turn) = 1
)
SELECT r.seed, ['caller', 'callee', 'nearest test'][r.turn + 1] AS direction,
       CASE WHEN r.turn = 2 THEN concat('distance ', r.rung)
            ELSE coalesce(['exact', 'import', 'type', 'same_file', 'unique_name'][r.rung], 'unknown') END AS provenance,
       s.symbol_id, s.path, s.start_line, s.qualname, s.kind, s.language, s.span_start, s.end_line, r.is_left_out
FROM ranked r JOIN symbols s USING (symbol_id)
ORDER BY r.seed, r.turn, r.rung, s.path, s.start_line, s.qualname, s.symbol_id;
