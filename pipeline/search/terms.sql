-- terms: the terms of a question that can find something, and how much each tells.
--
-- Reads:  terms, internal.symbol_lengths; parameters $terms (term ids), $emphasis (how much the question stresses each),
--         $touched (how many postings may be read).
-- Writes: nothing. A row is a term: term_id, weight (its information over all symbols), rarest first.
--
-- The rarest terms are taken first, until $touched postings would be read: what is left says least and costs most.

WITH asked AS (
    SELECT unnest($terms::BIGINT[]) AS term_id, unnest($emphasis::DOUBLE[]) AS emphasis
), corpus AS (
    SELECT count(*) AS symbols FROM internal.symbol_lengths
), found AS (
    SELECT term_id, t.symbols,
           a.emphasis * ln(1 + (c.symbols - t.symbols + 0.5) / (t.symbols + 0.5)) AS weight,
           sum(t.symbols) OVER (ORDER BY t.symbols, term_id) AS touched
    FROM asked a JOIN terms t USING (term_id) CROSS JOIN corpus c
)
SELECT term_id, weight
FROM found
WHERE touched <= $touched OR touched = symbols -- the rarest always
ORDER BY symbols, term_id;
