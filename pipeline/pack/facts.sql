-- facts: what the heading of a section says of its symbol's risk.
--
-- Reads:  symbol_risk, symbol_metrics, edges, symbols; parameter $symbols (symbol ids).
-- Writes: nothing. A row is a symbol; what is not known is NULL. `tests` are tests that call it directly, by path and
--         line.

WITH direct AS (
    SELECT e.dst AS symbol_id, list(DISTINCT {'path': t.path, 'line': t.start_line, 'name': t.qualname}) AS tests
    FROM edges e JOIN symbols t ON t.symbol_id = e.src
    WHERE e.dst IN (SELECT unnest($symbols::BIGINT[])) AND t.is_test
    GROUP BY e.dst
)
SELECT r.symbol_id, r.tested, r.tested_by, r.tested_by_capped, r.test_distance, r.nearest_test,
       list_transform(list_sort(d.tests), lambda t: t.name) AS tests,
       r.purity, r.effect_kinds, r.churn, r.amp, r.callers, r.cochange_files, r.cyclomatic, r.reach, r.reach_capped
FROM symbol_risk r LEFT JOIN direct d USING (symbol_id)
WHERE r.symbol_id IN (SELECT unnest($symbols::BIGINT[]));
