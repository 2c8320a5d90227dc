-- history: files that past commits with similar messages touched.
--
-- Reads:  commit_files, files, internal.commit_terms, internal.commit_lengths; parameters $terms (term ids), $emphasis (how much
--         the question stresses each), $depth (rows), $prefix (paths that begin with it).
-- Writes: nothing. A row is a file of today: path, score in millionths, best first.
--
-- A commit's likeness is BM25 over its message (k1 = 1.2, b = 0.75, the usual values: messages are ordinary prose). It counts
-- squared, so that one commit that tells the same story outweighs many that share a common word, and by the root of
-- the number of its files: a wide commit says little of each. Commits of more than 30 files say nothing (as in cochange).

WITH asked AS (
    SELECT unnest($terms::BIGINT[]) AS term_id, unnest($emphasis::DOUBLE[]) AS emphasis
), corpus AS (
    SELECT count(*) AS commits, greatest(avg(length), 1) AS length FROM internal.commit_lengths
), touched AS (
    SELECT t.term_id, t.commit, t.occurrences, a.emphasis, count(*) OVER (PARTITION BY t.term_id) AS commits
    FROM asked a JOIN internal.commit_terms t USING (term_id)
), likeness AS (
    SELECT t.commit, any_value(m.sha) AS sha, any_value(m.files) AS files,
           sum((1e6 * t.emphasis * ln(1 + (c.commits - t.commits + 0.5) / (t.commits + 0.5))
                * t.occurrences / (t.occurrences + 1.2 * (0.25 + 0.75 * m.length / c.length)))::BIGINT)::BIGINT AS score
    FROM touched t JOIN internal.commit_lengths m USING (commit) CROSS JOIN corpus c
    WHERE m.files BETWEEN 1 AND 30
    GROUP BY t.commit
), alike AS (
    SELECT sha, score, files
    FROM likeness
    ORDER BY score DESC, commit -- which are numbered by sha
    LIMIT 100 -- beyond, likeness is a matter of common words
)
SELECT f.path, sum((score * (score / 1e6) / sqrt(a.files))::BIGINT)::BIGINT AS score
FROM alike a JOIN commit_files t USING (sha) JOIN files f ON f.path = t.path
WHERE starts_with(f.path, $prefix)
GROUP BY f.path
ORDER BY score DESC, f.path
LIMIT $depth;
