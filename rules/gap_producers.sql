-- What functions give back that says that something is missing.
--
-- Reads:  symbols, files, field_uses, postings, terms, temp gap_names (name, stem, kind, nothing, gap): gap_fields.toml, temp status_names (name),
--         temp sink_words (word)
-- Writes: temp result_members, one row a member that a function writes: symbol_id, field, name (lower case, no underscores), line, value;
--         temp gap_members, one row a function and gap: symbol_id, field, name, kind, line, certain, status (name of the member beside it
--         that sums up how it went, NULL where there is none)
CREATE OR REPLACE TEMP TABLE result_members AS
SELECT DISTINCT u.symbol_id, u.field, lower(replace(u.field, '_', '')) AS name, u.line, u.value
FROM field_uses u JOIN symbols s USING (symbol_id) JOIN files f ON f.path = s.path
WHERE u.use = 'produced' AND f.role = 'source' AND NOT s.is_test AND s.kind IN ('function', 'method')
  -- What a function writes and does not give back goes elsewhere: into a file, a log, a request.
  AND NOT coalesce(CASE s.language
          WHEN 'python' THEN s.name = '__init__' OR regexp_matches(s.signature, '-> *None$')
          WHEN 'rust' THEN NOT contains(s.signature, '->')
          WHEN 'go' THEN regexp_matches(s.signature, '^func (\([^()]*\) )?\w+(\[[^\]]*\])?\([^()]*\)$')
          ELSE s.name = 'constructor' OR regexp_matches(s.signature, '\) *: *(Promise *< *)?(void|undefined|never)\b') END, false)
  AND regexp_extract(s.name, '^_*([a-z]+|[A-Z][a-z]*)', 1) NOT IN (SELECT unnest([word, upper(word[1]) || word[2:]]) FROM sink_words);

CREATE OR REPLACE TEMP TABLE gap_members AS
WITH written AS (
    SELECT m.*, g.kind, g.nothing, g.gap, g.stem FROM result_members m JOIN gap_names g USING (name)
),
counted AS (
    SELECT symbol_id, field, name, kind, stem, min(line) AS line, count(*) AS places,
           coalesce(bool_or(list_contains(gap, value)), false) AS certain,
           bool_or(value IS NULL OR NOT list_contains(nothing, value)) AS filled,
           coalesce(bool_or(value <> 'text'), false) AS growing
    FROM written
    GROUP BY symbol_id, field, name, kind, stem
),
filled AS (
    SELECT symbol_id, field, name, kind, stem, min(line) AS line, count(*) AS times,
           coalesce(bool_or(list_contains(gap, value)), false) AS certain,
           bool_or(value IS NULL OR NOT list_contains(nothing, value)) AS varies, bool_or(value <> 'text') AS is_filled
    FROM written
    GROUP BY symbol_id, field, name, kind, stem
),
-- A list that starts empty is filled where its name stands once more: an append, an assignment.
real AS (
    SELECT w.symbol_id, w.field, w.name, w.kind, w.line, w.certain
    FROM filled w
    WHERE w.varies OR (w.is_filled AND EXISTS (
        FROM postings p JOIN terms t USING (term_id)
        WHERE p.symbol_id = w.symbol_id AND t.term = w.stem AND p.body > w.times
    ))
),
nearest AS (
    SELECT r.symbol_id, r.field, m.name, m.value,
           row_number() OVER (PARTITION BY r.symbol_id, r.field ORDER BY abs(m.line - r.line), m.name) AS rank
    FROM real r JOIN result_members m USING (symbol_id) JOIN status_names n ON n.name = m.name
    WHERE m.name <> r.name
)
SELECT r.*, s.name AS status
FROM real r
-- The status of the same literal; one that is always the same sums up nothing.
LEFT JOIN nearest s ON s.symbol_id = r.symbol_id AND s.field = r.field AND s.rank = 1 AND s.value IS NULL
-- A member alone is no result: a keyword, a flag.
WHERE EXISTS (FROM result_members o WHERE o.symbol_id = r.symbol_id AND o.name <> r.name)
  -- A schema has members by those names, and describes them.
  AND NOT EXISTS (FROM result_members o WHERE o.symbol_id = r.symbol_id AND o.name = 'properties');
