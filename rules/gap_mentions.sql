-- What formatters and possible readers mention of the members of results.
--
-- Reads:  temp gap_readers (gap_links.sql), temp member_stems (stem): what all words that mention a member share, postings, terms
-- Yields: one row a function and term that a member's name could stand behind: symbol_id, term, body, doc, callees
WITH wanted AS (
    SELECT DISTINCT t.term_id, t.term
    FROM terms t JOIN member_stems m ON contains(replace(t.term, '_', ''), m.stem)
),
asked AS (
    SELECT DISTINCT reader AS symbol_id FROM gap_readers
)
SELECT p.symbol_id, w.term, p.body, p.doc, p.callees
FROM postings p JOIN wanted w USING (term_id) JOIN asked USING (symbol_id)
WHERE p.body > 0
ORDER BY p.symbol_id, w.term;
