-- index: the lexical index over symbols, and the terms of commit messages.
--
-- Reads:  temp word_counts (word_id, symbol_id, field, occurrences) and temp word_terms (word_id, term_id, term): words of
--         new symbols and the terms that each yields; symbols.
-- Writes: postings, one row a term and symbol; terms, one row a term with its document frequency;
--         internal.symbol_lengths, one row a symbol.

DELETE FROM postings WHERE symbol_id NOT IN (SELECT symbol_id FROM symbols) OR symbol_id IN (SELECT symbol_id FROM word_counts);
DELETE FROM internal.symbol_lengths WHERE symbol_id NOT IN (SELECT symbol_id FROM symbols) OR symbol_id IN (SELECT symbol_id FROM word_counts);

-- Sorted by term, so that a query reads only the row groups of its own terms.
INSERT INTO postings
SELECT t.term_id, c.symbol_id,
       least(coalesce(sum(c.occurrences) FILTER (c.field = 0), 0), 65535), least(coalesce(sum(c.occurrences) FILTER (c.field = 1), 0), 65535),
       least(coalesce(sum(c.occurrences) FILTER (c.field = 2), 0), 65535), least(coalesce(sum(c.occurrences) FILTER (c.field = 3), 0), 65535),
       least(coalesce(sum(c.occurrences) FILTER (c.field = 4), 0), 65535), least(coalesce(sum(c.occurrences) FILTER (c.field = 5), 0), 65535)
FROM word_counts c JOIN word_terms t USING (word_id)
GROUP BY t.term_id, c.symbol_id
ORDER BY t.term_id, c.symbol_id;

INSERT INTO internal.symbol_lengths
SELECT symbol_id, sum(name), sum(path), sum(signature), sum(doc), sum(body), sum(callees)
FROM postings WHERE symbol_id IN (SELECT symbol_id FROM word_counts)
GROUP BY symbol_id
ORDER BY symbol_id;

INSERT INTO internal.vocabulary
SELECT DISTINCT term_id, term FROM word_terms w
WHERE NOT EXISTS (FROM internal.vocabulary v WHERE v.term_id = w.term_id)
ORDER BY term_id;

DELETE FROM terms;
INSERT INTO terms
SELECT term_id, any_value(v.term), count(*)::INTEGER
FROM postings JOIN internal.vocabulary v USING (term_id)
GROUP BY term_id
ORDER BY term_id;
