-- index: the lexical index over symbols.
--
-- Reads:  temp word_counts (word_id, symbol_id, field, occurrences): words that parsing found in new symbols;
--         temp word_terms (word_id, term_id): the terms that each word yields;
--         temp path_terms (path, term_id, occurrences) and temp callee_terms (callee, term_id, occurrences): the same of paths
--         and of called names; symbols, calls, internal.vocabulary.
-- Writes: postings, one row a term and symbol; terms, one row a term with its document frequency;
--         internal.symbol_lengths, one row a symbol.

DELETE FROM postings
WHERE symbol_id NOT IN (SELECT symbol_id FROM symbols) OR symbol_id IN (SELECT symbol_id FROM new_symbols);
DELETE FROM internal.symbol_lengths
WHERE symbol_id NOT IN (SELECT symbol_id FROM symbols) OR symbol_id IN (SELECT symbol_id FROM new_symbols);

-- Counts beyond 65,535 say no more than 65,535. Sorted by term, so that a query reads only the row groups of its terms.
INSERT INTO postings
WITH found AS (
    SELECT c.symbol_id, t.term_id, c.field, c.occurrences FROM word_counts c JOIN word_terms t USING (word_id) WHERE c.field NOT IN (1, 5)
    UNION ALL
    SELECT s.symbol_id, p.term_id, 1, p.occurrences FROM new_symbols s JOIN path_terms p USING (path)
    UNION ALL
    SELECT c.caller, t.term_id, 5, t.occurrences
    FROM calls c JOIN callee_terms t USING (callee)
    WHERE c.receiver IS DISTINCT FROM '<fixture>' AND c.caller IN (SELECT symbol_id FROM new_symbols)
)
SELECT term_id, symbol_id,
       least(sum_no_overflow(occurrences * (field = 0)::INTEGER), 65535),
       least(sum_no_overflow(occurrences * (field = 1)::INTEGER), 65535),
       least(sum_no_overflow(occurrences * (field = 2)::INTEGER), 65535),
       least(sum_no_overflow(occurrences * (field = 3)::INTEGER), 65535),
       least(sum_no_overflow(occurrences * (field = 4)::INTEGER), 65535),
       least(sum_no_overflow(occurrences * (field = 5)::INTEGER), 65535)
FROM found
GROUP BY term_id, symbol_id
ORDER BY term_id, symbol_id;

INSERT INTO internal.symbol_lengths
SELECT symbol_id, sum(name), sum(path), sum(signature), sum(doc), sum(body), sum(callees)
FROM postings WHERE symbol_id IN (SELECT symbol_id FROM new_symbols)
GROUP BY symbol_id
ORDER BY symbol_id;

DELETE FROM terms;
INSERT INTO terms
SELECT term_id, any_value(v.term), count(*)::INTEGER
FROM postings JOIN internal.vocabulary v USING (term_id)
GROUP BY term_id
ORDER BY term_id;
