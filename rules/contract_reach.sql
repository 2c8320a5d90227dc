-- Whether one of some functions reaches one of some others over resolved calls, any number of steps away.
--
-- Reads:  edges
-- Param:  1: the functions to start from; 2: those to reach
-- Yields: one row: whether
WITH RECURSIVE reached(symbol_id) AS (
    SELECT unnest($1::BIGINT[])
    UNION
    SELECT e.dst FROM reached r JOIN edges e ON e.src = r.symbol_id
)
SELECT bool_or(list_contains($2::BIGINT[], symbol_id)) FROM reached;
