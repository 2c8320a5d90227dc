-- Functions around which nothing happens: they have no side effect, and nothing that reaches them has one.
--
-- Reads:  symbols, symbol_metrics, edges
-- Yields: one row a function: symbol_id
--
-- A formatter without effects says nothing of the tool: whoever calls it may have done the work before.
WITH RECURSIVE busy(symbol_id) AS (
    SELECT m.symbol_id FROM symbol_metrics m JOIN symbols s USING (symbol_id) WHERE m.purity <> 'pure' AND NOT s.is_test
    UNION
    SELECT e.dst FROM busy b JOIN edges e ON e.src = b.symbol_id
)
SELECT s.symbol_id
FROM symbols s JOIN symbol_metrics m USING (symbol_id)
WHERE s.kind IN ('function', 'method') AND m.purity = 'pure' AND s.symbol_id NOT IN (SELECT symbol_id FROM busy)
ORDER BY s.symbol_id;
