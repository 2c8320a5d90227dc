-- symbols: how well each symbol answers a question's words.
--
-- Reads:  postings, symbols, internal.symbol_lengths; parameters $terms (term ids), $weights (what each tells), $depth
--         (rows), $prefix (paths that begin with it).
-- Writes: nothing. A row is a symbol: symbol_id, score in millionths, best first.
--
-- BM25F (Robertson and Zaragoza 2009): the occurrences in all fields are one weighted sum, so that a word in the name and
-- the same word in the body saturate together. Each term's part is rounded to an integer before it is added, so that the
-- order of addition, and with it the number of threads, decides nothing.

WITH asked AS (
    SELECT unnest($terms::BIGINT[]) AS term_id, unnest($weights::DOUBLE[]) AS weight
), corpus AS (
    SELECT greatest(avg(name), 1) AS name, greatest(avg(path_terms), 1) AS path_terms,
           greatest(avg(signature), 1) AS signature, greatest(avg(doc), 1) AS doc, greatest(avg(body), 1) AS body,
           greatest(avg(callees), 1) AS callees
    FROM internal.symbol_lengths
), touched AS (
    -- A name says what a symbol is for; path, signature and doc describe it; the body is long and says how it works. A
    -- field's length counts where it varies: little in names and paths (0.3), much in docs and bodies (0.7).
    SELECT p.symbol_id, a.weight,
           5.0 * p.name / (0.7 + 0.3 * l.name / c.name)
         + 2.0 * p.path / (0.7 + 0.3 * l.path_terms / c.path_terms)
         + 1.5 * p.signature / (0.7 + 0.3 * l.signature / c.signature)
         + 2.0 * p.doc / (0.3 + 0.7 * l.doc / c.doc)
         + 1.0 * p.body / (0.3 + 0.7 * l.body / c.body)
         + 0.5 * p.callees / (0.3 + 0.7 * l.callees / c.callees) AS occurrences
    FROM asked a JOIN postings p USING (term_id) JOIN internal.symbol_lengths l USING (symbol_id) CROSS JOIN corpus c
), scored AS (
    -- 1.5: a second occurrence in so short a document adds little.
    SELECT symbol_id, sum((1e6 * weight * occurrences / (1.5 + occurrences))::BIGINT)::BIGINT AS score
    FROM touched
    GROUP BY symbol_id
)
SELECT symbol_id, score
FROM scored
WHERE $prefix = '' OR symbol_id IN (SELECT symbol_id FROM symbols WHERE $prefix <> '' AND starts_with(path, $prefix))
ORDER BY score DESC, symbol_id
LIMIT $depth;
