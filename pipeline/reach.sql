-- reach: the exact numbers that stage metrics caps at 32, for one symbol.
--
-- Reads:  edges, symbols; $symbol is the id of the symbol
-- Yields: one row: the other symbols from which it can be reached, and the tests that reach it (a test reaches itself)

WITH RECURSIVE walk(symbol_id) AS (
    SELECT $symbol::BIGINT
    UNION
    SELECT e.src FROM walk JOIN edges e ON e.dst = walk.symbol_id
)
SELECT count(*) FILTER (s.symbol_id <> $symbol)::INTEGER AS reach,
       count(*) FILTER (s.is_test)::INTEGER AS tested_by
FROM walk JOIN symbols s ON s.symbol_id = walk.symbol_id;
