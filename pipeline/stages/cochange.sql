-- Pairs of files that change together.
--
-- Reads    commits, commit_files, files; meta.head_committed_at (epoch seconds of HEAD, which can be a merge and is then
--          no row of commits)
-- Writes   cochange, from nothing: a row is a pair of today's files, file_a < file_b, and the number of commits of the 18
--          months before HEAD that touched both
--
-- A commit of more than 30 files is a reformatting, a move or an import: it says nothing about what belongs together, and
-- its pairs grow with the square. What it is counted by is commits.files, its files as git counts them.

DELETE FROM cochange;

INSERT INTO cochange
WITH history_window AS (
    -- 253402300799 is the last second of the year 9999: a commit can claim any date.
    SELECT make_timestamp(least(value::BIGINT, 253402300799) * 1000000) - INTERVAL 18 MONTH AS start
    FROM meta
    WHERE key = 'head_committed_at'
),
small_commits AS (
    SELECT sha
    FROM commits, history_window
    WHERE committed_at >= start AND commits.files BETWEEN 2 AND 30
),
touched AS (
    SELECT DISTINCT sha, path
    FROM commit_files
    SEMI JOIN small_commits USING (sha)
    SEMI JOIN files USING (path)
)
SELECT a.path AS file_a, b.path AS file_b, count(*)::INTEGER AS together
FROM touched a
JOIN touched b ON a.sha = b.sha AND a.path < b.path
GROUP BY ALL
ORDER BY file_a, file_b;
