-- files: how well each file answers a question's words, its symbols taken together as one document.
--
-- Reads:  postings, symbols, internal.symbol_lengths; parameters $terms (term ids), $emphasis (how
--         much the question stresses each), $depth (rows), $prefix (paths that begin with it).
-- Writes: nothing. A row is a file: path, score in millionths, best first.
--
-- BM25F as in symbols.sql, over longer documents: a change often needs the file that speaks of a subject throughout, though
-- no single symbol of it stands out.

WITH asked AS (
    SELECT unnest($terms::BIGINT[]) AS term_id, unnest($emphasis::DOUBLE[]) AS emphasis
), lengths AS (
    -- Every symbol repeats its file's path.
    SELECT s.path, sum(l.name) AS name, max(l.path_terms) AS path_terms, sum(l.signature) AS signature,
           sum(l.doc) AS doc, sum(l.body) AS body, sum(l.callees) AS callees
    FROM internal.symbol_lengths l JOIN symbols s USING (symbol_id)
    GROUP BY s.path
), corpus AS (
    SELECT count(*) AS files,
           greatest(avg(name), 1) AS name, greatest(avg(path_terms), 1) AS path_terms,
           greatest(avg(signature), 1) AS signature, greatest(avg(doc), 1) AS doc, greatest(avg(body), 1) AS body,
           greatest(avg(callees), 1) AS callees
    FROM lengths
), touched AS (
    SELECT s.path, p.term_id, any_value(a.emphasis) AS emphasis,
           sum(p.name) AS name, max(p.path) AS path_terms, sum(p.signature) AS signature, sum(p.doc) AS doc,
           sum(p.body) AS body, sum(p.callees) AS callees
    FROM asked a JOIN postings p USING (term_id) JOIN symbols s USING (symbol_id)
    GROUP BY s.path, p.term_id
), rarity AS (
    SELECT term_id, ln(1 + (any_value(c.files) - count(*) + 0.5) / (count(*) + 0.5)) AS idf
    FROM touched CROSS JOIN corpus c
    GROUP BY term_id
), counted AS (
    -- A path is one line of a whole file, and says best what the file is for: hence 8. A body's length is mostly of
    -- other subjects, hence 0.7 of it counts.
    SELECT t.path, t.emphasis * r.idf AS idf,
           5.0 * t.name / (0.7 + 0.3 * l.name / c.name)
         + 8.0 * t.path_terms / (0.7 + 0.3 * l.path_terms / c.path_terms)
         + 1.5 * t.signature / (0.7 + 0.3 * l.signature / c.signature)
         + 2.0 * t.doc / (0.3 + 0.7 * l.doc / c.doc)
         + 1.0 * t.body / (0.3 + 0.7 * l.body / c.body)
         + 0.5 * t.callees / (0.3 + 0.7 * l.callees / c.callees) AS occurrences
    FROM touched t JOIN rarity r USING (term_id) JOIN lengths l USING (path) CROSS JOIN corpus c
)
-- 10, not 1.5: in a document of this length the tenth occurrence still says something.
SELECT path, sum((1e6 * idf * occurrences / (10 + occurrences))::BIGINT)::BIGINT AS score
FROM counted
WHERE starts_with(path, $prefix)
GROUP BY path
ORDER BY score DESC, path
LIMIT $depth;
