-- metrics: risk facts of each symbol.
--
-- Reads:  symbols, files, edges, calls, unresolved_calls, commits, commit_files, cochange, meta, stage_runs,
--         internal.{symbol_shape, effects, known_names, units}
-- Writes: symbol_metrics, one row a symbol. What a stage before did not yield is NULL here.

-- A total order of symbols, so that among equals the first is always the same one.
CREATE OR REPLACE TEMP TABLE ranked AS
SELECT symbol_id, is_test, row_number() OVER (ORDER BY path, qualname, kind, start_line, symbol_id)::INTEGER AS n FROM symbols;

-- Edges between different symbols, each pair once, by rank.
CREATE OR REPLACE TEMP TABLE links AS
SELECT DISTINCT a.n AS src, b.n AS dst
FROM edges e JOIN ranked a ON a.symbol_id = e.src JOIN ranked b ON b.symbol_id = e.dst
WHERE e.src <> e.dst;

----------------------------------------------------------------------------------------------------------- tested

-- Breadth first from all tests at once: the distance to the nearest test, and which it is.
CREATE OR REPLACE TEMP TABLE tested AS
WITH RECURSIVE walk(n, distance, test) USING KEY (n) AS (
    SELECT n, 0, n FROM ranked WHERE is_test
    UNION
    (
        SELECT l.dst, min(walk.distance) + 1, min(walk.test)
        FROM walk JOIN links l ON l.src = walk.n
        LEFT JOIN recurring.walk AS seen ON seen.n = l.dst
        WHERE seen.n IS NULL
        GROUP BY l.dst
    )
)
SELECT n, distance, test FROM walk;

---------------------------------------------------------------------------------------------- reach and tested_by

-- All pairs of a call graph explode, so a symbol keeps at most 33 of the symbols that reach it: 33 mean "over 32".
-- A list only grows, and what a capped symbol calls is capped as well, so that lists up to 32 are exact.
CREATE OR REPLACE TEMP TABLE reached AS
WITH RECURSIVE fan_in AS (
    SELECT dst AS n, count(*) AS callers FROM links GROUP BY dst
), walk(n, sources) USING KEY (n) AS (
    SELECT ranked.n, CASE WHEN callers > 32 THEN range(-33, 0)::INTEGER[] ELSE []::INTEGER[] END
    FROM ranked LEFT JOIN fan_in USING (n)
    UNION
    (
        SELECT n, merged
        FROM (
            SELECT l.dst AS n, any_value(len(known.sources)) AS before,
                   list_slice(list_filter(list_distinct(list_concat(flatten(list(list_append(walk.sources, walk.n))), any_value(known.sources))),
                                          lambda x: x <> l.dst), 1, 33) AS merged
            FROM walk JOIN links l ON l.src = walk.n
            JOIN recurring.walk AS known ON known.n = l.dst
            WHERE len(known.sources) < 33
            GROUP BY l.dst
        )
        WHERE len(merged) > before
    )
)
SELECT n, len(sources)::INTEGER AS sources FROM walk;

CREATE OR REPLACE TEMP TABLE tested_by AS
WITH RECURSIVE fan_in AS (
    SELECT l.dst AS n, count(*) AS callers FROM links l JOIN ranked r ON r.n = l.src AND r.is_test GROUP BY l.dst
), walk(n, sources) USING KEY (n) AS (
    SELECT r.n, CASE WHEN callers > 32 THEN range(-33, 0)::INTEGER[] WHEN r.is_test THEN [r.n] ELSE []::INTEGER[] END
    FROM ranked r LEFT JOIN fan_in USING (n)
    WHERE r.n IN (SELECT n FROM tested)
    UNION
    (
        SELECT n, merged
        FROM (
            SELECT l.dst AS n, any_value(len(known.sources)) AS before,
                   list_slice(list_distinct(list_concat(flatten(list(walk.sources)), any_value(known.sources))), 1, 33) AS merged
            FROM walk JOIN links l ON l.src = walk.n
            JOIN recurring.walk AS known ON known.n = l.dst
            WHERE len(known.sources) < 33
            GROUP BY l.dst
        )
        WHERE len(merged) > before
    )
)
SELECT n, len(sources)::INTEGER AS sources FROM walk;

----------------------------------------------------------------------------------------------------------- purity

-- The effect of each external name: that of the longest pattern that covers it. A pattern is a name, or a name and .* (::*)
-- for all below it. (array_to_string takes constant separators alone, hence the detour.)
CREATE OR REPLACE TEMP TABLE known_effects AS
WITH targets AS (
    SELECT DISTINCT u.target, c.language, c.separator
    FROM unresolved_calls u
    JOIN (SELECT c.call_id, n.language, n.separator FROM calls c JOIN internal.units n ON n.path = c.path) c USING (call_id)
    WHERE u.target IS NOT NULL
), candidates AS (
    SELECT target, language, target AS pattern, 1000 AS length FROM targets
    UNION ALL
    SELECT target, language, replace(array_to_string(parts[1:k], chr(0)), chr(0), separator) || separator || '*', k
    FROM (SELECT *, string_split(target, separator) AS parts FROM targets), unnest(range(1, len(parts))) AS t(k)
)
SELECT target, language, arg_max(effect, length) AS effect
FROM candidates c JOIN internal.known_names k USING (language, pattern)
WHERE k.kind = 'effect'
GROUP BY target, language;

CREATE OR REPLACE TEMP TABLE own_effects AS
SELECT DISTINCT r.n, k.effect
FROM unresolved_calls u
JOIN calls c USING (call_id)
JOIN internal.units i ON i.path = c.path
JOIN known_effects k ON k.target = u.target AND k.language = i.language
JOIN ranked r ON r.symbol_id = c.caller
WHERE k.effect <> 'none'
UNION
SELECT DISTINCT r.n, e.kind FROM internal.effects e JOIN ranked r ON r.symbol_id = e.symbol_id;

-- Least fixpoint: an effect spreads from callee to caller.
CREATE OR REPLACE TEMP TABLE effect_kinds AS
WITH RECURSIVE walk(n, effect) AS (
    SELECT n, effect FROM own_effects
    UNION
    SELECT l.src, walk.effect FROM walk JOIN links l ON l.dst = walk.n
)
SELECT n, list_sort(list(effect)) AS kinds FROM walk GROUP BY n;

-- The next step of a shortest way to any effect.
CREATE OR REPLACE TEMP TABLE effect_via AS
WITH RECURSIVE walk(n, via) USING KEY (n) AS (
    SELECT DISTINCT n, NULL::INTEGER FROM own_effects
    UNION
    (
        SELECT l.src, min(l.dst)
        FROM walk JOIN links l ON l.dst = walk.n
        LEFT JOIN recurring.walk AS seen ON seen.n = l.src
        WHERE seen.n IS NULL
        GROUP BY l.src
    )
)
SELECT n, via FROM walk;

-- A call that is neither resolved nor known to be free of effects could do anything, and so could its callers.
CREATE OR REPLACE TEMP TABLE unknown AS
WITH RECURSIVE walk(n) AS (
    SELECT DISTINCT r.n
    FROM unresolved_calls u
    JOIN calls c USING (call_id)
    JOIN internal.units i ON i.path = c.path
    JOIN ranked r ON r.symbol_id = c.caller
    LEFT JOIN known_effects k ON k.target = u.target AND k.language = i.language
    WHERE k.effect IS NULL
      -- a method that only effect-free types of the language have, and nothing in the repository
      AND NOT (u.target IS NULL AND u.reason = 'external' AND c.receiver IS NOT NULL AND EXISTS (
          FROM internal.known_names p WHERE p.language = i.language AND p.kind = 'pure_method' AND p.pattern = c.callee))
    UNION
    -- a declaration without a body: what runs is chosen elsewhere
    SELECT r.n FROM ranked r JOIN symbols s USING (symbol_id) JOIN internal.symbol_shape h USING (symbol_id)
    WHERE s.kind IN ('function', 'method') AND h.cyclomatic IS NULL
    UNION
    SELECT l.src FROM walk JOIN links l ON l.dst = walk.n
)
SELECT n FROM walk;

---------------------------------------------------------------------------------------------- history and neighbours

CREATE OR REPLACE TEMP TABLE churn AS
SELECT f.path, count(DISTINCT c.sha)::INTEGER AS commits
FROM commit_files f JOIN commits c USING (sha)
WHERE c.committed_at >= (
    SELECT (to_timestamp(value::BIGINT) AT TIME ZONE 'UTC') - INTERVAL 12 MONTH FROM meta WHERE key = 'head_committed_at')
GROUP BY f.path;

CREATE OR REPLACE TEMP TABLE together AS
SELECT path, count(DISTINCT other)::INTEGER AS files
FROM (SELECT file_a AS path, file_b AS other FROM cochange UNION ALL SELECT file_b, file_a FROM cochange)
GROUP BY path;

CREATE OR REPLACE TEMP TABLE neighbours AS
SELECT n, sum(callers)::INTEGER AS callers, sum(callees)::INTEGER AS callees
FROM (
    SELECT dst AS n, count(*) AS callers, 0 AS callees FROM links GROUP BY dst
    UNION ALL
    SELECT src, 0, count(*) FROM links GROUP BY src
)
GROUP BY n;

------------------------------------------------------------------------------------------------------------- rows

DELETE FROM symbol_metrics;
INSERT INTO symbol_metrics
WITH available AS (
    SELECT coalesce(bool_or(stage = 'graph' AND state <> 'failed'), false) AS graph,
           coalesce(bool_or(stage = 'history' AND state IN ('complete', 'partial')), false) AS history
    FROM stage_runs
), parts AS (
    SELECT s.symbol_id, s.kind, r.n, r.is_test, a.graph, a.history, h.cyclomatic, h.cognitive,
           coalesce(nb.callers, 0) AS callers, coalesce(nb.callees, 0) AS callees,
           t.distance, t.test, tb.sources AS tests, re.sources AS sources, k.kinds, v.via, unknown.n IS NOT NULL AS is_unknown,
           coalesce(c.commits, 0) AS commits, coalesce(g.files, 0) AS files
    FROM symbols s
    CROSS JOIN available a
    JOIN ranked r ON r.symbol_id = s.symbol_id
    LEFT JOIN internal.symbol_shape h ON h.symbol_id = s.symbol_id
    LEFT JOIN neighbours nb ON nb.n = r.n
    LEFT JOIN tested t ON t.n = r.n
    LEFT JOIN tested_by tb ON tb.n = r.n
    LEFT JOIN reached re ON re.n = r.n
    LEFT JOIN effect_kinds k ON k.n = r.n
    LEFT JOIN effect_via v ON v.n = r.n
    LEFT JOIN unknown ON unknown.n = r.n
    LEFT JOIN churn c ON c.path = s.path
    LEFT JOIN together g ON g.path = s.path
), judged AS (
    SELECT *, CASE WHEN NOT graph OR kind = 'constant' THEN NULL
                   WHEN kinds IS NOT NULL THEN 'impure'
                   WHEN is_unknown THEN 'unknown'
                   ELSE 'pure' END AS purity
    FROM parts
)
SELECT j.symbol_id,
       CASE WHEN graph THEN callers END,
       CASE WHEN graph THEN callees END,
       CASE WHEN graph THEN distance IS NOT NULL END,
       CASE WHEN graph THEN distance END,
       CASE WHEN graph THEN test.symbol_id END,
       CASE WHEN graph AND coalesce(tests, 0) <= 32 THEN coalesce(tests, 0) END,
       CASE WHEN graph THEN coalesce(tests, 0) > 32 END,
       purity,
       CASE purity WHEN 'impure' THEN kinds WHEN 'pure' THEN []::VARCHAR[] END,
       CASE WHEN purity = 'impure' THEN via.symbol_id END,
       CASE WHEN history THEN commits END,
       CASE WHEN history THEN files END,
       CASE WHEN graph AND history THEN callers + files END,
       CASE WHEN graph AND sources <= 32 THEN sources END,
       CASE WHEN graph THEN sources > 32 END,
       cyclomatic, cognitive
FROM judged j
LEFT JOIN ranked test ON test.n = j.test
LEFT JOIN ranked via ON via.n = j.via
ORDER BY j.symbol_id;
