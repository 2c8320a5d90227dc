-- symbols: how well each symbol answers a question's words.
--
-- Reads:  postings, internal.symbol_weights, internal.file_weights; parameters $terms (term ids), $weights (what each tells),
--         $depth (rows), $prefix (paths that begin with it).
-- Writes: nothing. A row is a symbol: symbol_id, score in millionths, best first.
--
-- BM25F (Robertson and Zaragoza 2009): the occurrences in all fields are one weighted sum, so that a word in the name and
-- the same word in the body saturate together. Each term's part is rounded to an integer before it is added, so that the
-- order of addition, and with it the number of threads, decides nothing.

WITH asked AS (
    SELECT unnest($terms::BIGINT[]) AS term_id, unnest($weights::DOUBLE[]) AS weight
), matched AS (
    SELECT p.symbol_id, w.file, a.weight,
           p.name * w.name + p.path * w.path + p.signature * w.signature + p.doc * w.doc + p.body * w.body
         + p.callees * w.callees AS occurrences -- in millionths
    FROM asked a JOIN postings p USING (term_id) JOIN internal.symbol_weights w USING (symbol_id)
)
-- 1.5: a second occurrence in so short a document adds little.
SELECT symbol_id, sum((1e6 * weight * occurrences / (1500000 + occurrences))::BIGINT)::BIGINT AS score
FROM matched
WHERE $prefix = '' OR file IN (SELECT file FROM internal.file_weights WHERE starts_with(file_path, $prefix))
GROUP BY symbol_id
ORDER BY score DESC, symbol_id
LIMIT $depth;
