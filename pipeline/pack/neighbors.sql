-- neighbors: the direct callers and callees of the seeds of a pack.
--
-- Reads:  edges, symbols, files; parameters $seeds (symbol ids, best first), $tests (whether test symbols count).
-- Writes: nothing. A row is a neighbour, in the order of the pack: seed (its place among the seeds, from 1), direction
--         (caller, callee), provenance (the best rung of their edges), and the symbol; is_left_out marks tests.
--
-- A symbol that is a neighbour of several seeds stands with the first; a seed is no neighbour.

WITH seeds AS (
    SELECT unnest($seeds::BIGINT[]) AS symbol_id, generate_subscripts($seeds::BIGINT[], 1) AS seed
), hops AS (
    SELECT s.seed, 0 AS turn, e.src AS symbol_id, e.provenance FROM seeds s JOIN edges e ON e.dst = s.symbol_id
    UNION ALL
    SELECT s.seed, 1, e.dst, e.provenance FROM seeds s JOIN edges e ON e.src = s.symbol_id
), ranked AS (
    SELECT seed, turn, symbol_id,
           min(coalesce(list_position(['exact', 'import', 'type', 'same_file', 'unique_name'], provenance), 9)) AS rung
    FROM hops
    WHERE symbol_id NOT IN (SELECT symbol_id FROM seeds)
    GROUP BY seed, turn, symbol_id
    QUALIFY row_number() OVER (PARTITION BY symbol_id ORDER BY seed, turn) = 1
)
SELECT r.seed, CASE r.turn WHEN 0 THEN 'caller' ELSE 'callee' END AS direction,
       ['exact', 'import', 'type', 'same_file', 'unique_name', NULL, NULL, NULL, 'unknown'][r.rung] AS provenance,
       s.symbol_id, s.path, s.start_line, s.qualname, s.kind, s.language, s.span_start, s.end_line,
       NOT $tests AND (s.is_test OR coalesce(f.role, '') = 'test') AS is_left_out
FROM ranked r JOIN symbols s USING (symbol_id) LEFT JOIN files f ON f.path = s.path
ORDER BY r.seed, r.turn, r.rung, s.path, s.start_line, s.qualname, s.symbol_id;
