-- index: the lexical index over symbols.
--
-- Reads:  temp word_counts (word_id, symbol_id, field, occurrences): words that parsing found in new symbols;
--         temp word_terms (word_id, term_id): the terms that each word yields;
--         temp path_terms (path, term_id, occurrences) and temp callee_terms (callee, term_id, occurrences): the same of paths
--         and of called names; symbols, calls, internal.vocabulary.
-- Writes: postings, one row a term and symbol; terms, one row a term with its document frequency;
--         internal.symbol_lengths and symbol_weights, one row a symbol; internal.file_weights, one row a file with symbols.

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

-- The weights of BM25F (Robertson and Zaragoza 2009): how much a field says, over its length against the mean of all. A field's
-- length counts where it varies: little in names, paths and signatures (0.3), much in docs, bodies and callees (0.7). They are
-- whole numbers, and here rather than in the lanes, so that a question works out none of them. A mean changes with any
-- symbol: all rows are made anew.
DELETE FROM internal.file_weights;
INSERT INTO internal.file_weights
WITH lengths AS (
    -- Every symbol repeats its file's path.
    SELECT s.path AS file_path, sum(l.name)::BIGINT AS name, max(l.path_terms) AS path, sum(l.signature)::BIGINT AS signature,
           sum(l.doc)::BIGINT AS doc, sum(l.body)::BIGINT AS body, sum(l.callees)::BIGINT AS callees
    FROM internal.symbol_lengths l JOIN symbols s USING (symbol_id)
    GROUP BY s.path
), mean AS (
    SELECT greatest(avg(name), 1) AS name, greatest(avg(path), 1) AS path, greatest(avg(signature), 1) AS signature,
           greatest(avg(doc), 1) AS doc, greatest(avg(body), 1) AS body, greatest(avg(callees), 1) AS callees
    FROM lengths
)
-- A path is one line of a whole file, and says best what the file is for: hence 8.
SELECT row_number() OVER (ORDER BY l.file_path), l.file_path,
       5e6 / (0.7 + 0.3 * l.name / m.name), 8e6 / (0.7 + 0.3 * l.path / m.path),
       1.5e6 / (0.7 + 0.3 * l.signature / m.signature), 2e6 / (0.3 + 0.7 * l.doc / m.doc),
       1e6 / (0.3 + 0.7 * l.body / m.body), 0.5e6 / (0.3 + 0.7 * l.callees / m.callees)
FROM lengths l CROSS JOIN mean m
ORDER BY l.file_path;

DELETE FROM internal.symbol_weights;
INSERT INTO internal.symbol_weights
WITH mean AS (
    SELECT greatest(avg(name), 1) AS name, greatest(avg(path_terms), 1) AS path, greatest(avg(signature), 1) AS signature,
           greatest(avg(doc), 1) AS doc, greatest(avg(body), 1) AS body, greatest(avg(callees), 1) AS callees
    FROM internal.symbol_lengths
)
-- A name says what a symbol is for; path, signature and doc describe it; the body is long and says how it works.
SELECT l.symbol_id, f.file,
       5e6 / (0.7 + 0.3 * l.name / m.name), 2e6 / (0.7 + 0.3 * l.path_terms / m.path),
       1.5e6 / (0.7 + 0.3 * l.signature / m.signature), 2e6 / (0.3 + 0.7 * l.doc / m.doc),
       1e6 / (0.3 + 0.7 * l.body / m.body), 0.5e6 / (0.3 + 0.7 * l.callees / m.callees)
FROM internal.symbol_lengths l JOIN symbols s USING (symbol_id) JOIN internal.file_weights f ON f.file_path = s.path
CROSS JOIN mean m
ORDER BY l.symbol_id;

DELETE FROM terms;
INSERT INTO terms
SELECT term_id, any_value(v.term), count(*)::INTEGER
FROM postings JOIN internal.vocabulary v USING (term_id)
GROUP BY term_id
ORDER BY term_id;
