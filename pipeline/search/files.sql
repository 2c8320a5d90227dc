-- files: how well each file answers a question's words, its symbols taken together as one document.
--
-- Reads:  postings, internal.symbol_weights, internal.file_weights; parameters $terms (term ids), $emphasis (how much the
--         question stresses each), $depth (rows), $prefix (paths that begin with it).
-- Writes: nothing. A row is a file: path, score in millionths, best first.
--
-- BM25F as in symbols.sql, over longer documents: a change often needs the file that speaks of a subject throughout, though
-- no single symbol of it stands out.

WITH asked AS (
    SELECT unnest($terms::BIGINT[]) AS term_id, unnest($emphasis::DOUBLE[]) AS emphasis
), touched AS (
    SELECT w.file, p.term_id, any_value(a.emphasis) AS emphasis, sum(p.name)::BIGINT AS name,
           max(p.path) AS path, -- every symbol repeats it
           sum(p.signature)::BIGINT AS signature, sum(p.doc)::BIGINT AS doc, sum(p.body)::BIGINT AS body,
           sum(p.callees)::BIGINT AS callees
    FROM asked a JOIN postings p USING (term_id) JOIN internal.symbol_weights w USING (symbol_id)
    GROUP BY w.file, p.term_id
), corpus AS (
    SELECT count(*) AS files FROM internal.file_weights
), rarity AS (
    SELECT term_id, ln(1 + (any_value(c.files) - count(*) + 0.5) / (count(*) + 0.5)) AS idf
    FROM touched CROSS JOIN corpus c
    GROUP BY term_id
), counted AS (
    SELECT w.file_path, t.emphasis * r.idf AS idf,
           t.name * w.name + t.path * w.path + t.signature * w.signature + t.doc * w.doc + t.body * w.body
         + t.callees * w.callees AS occurrences -- in millionths
    FROM touched t JOIN rarity r USING (term_id) JOIN internal.file_weights w USING (file)
    WHERE starts_with(w.file_path, $prefix)
)
-- 10, not 1.5: in a document of this length the tenth occurrence still says something.
SELECT file_path AS path, sum((1e6 * idf * occurrences / (10000000 + occurrences))::BIGINT)::BIGINT AS score
FROM counted
GROUP BY file_path
ORDER BY score DESC, file_path
LIMIT $depth;
