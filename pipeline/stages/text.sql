-- text: which strings are agent-facing, by which evidence.
--
-- Reads:  internal.{strings, text_references, handlers, configured_surfaces}, symbols, imports, edges, files,
--         temp text_scope (path): the files whose strings are wanted
-- Writes: temp agent_text_rows, the rows of agent_text for these files.
--
-- Evidence, strongest first: a surface by configuration, by registration or name where the string stands, by a reference to it
-- from such a place; then the call graph, which leads from a tool's handler to it; the rest are candidates.

-- Functions that answer calls of tools. A name means a function of the same file, else one that the file calls, else the only one
-- of that name that an import of the file binds, else one of the same folder.
CREATE OR REPLACE TEMP TABLE text_handlers AS
WITH named AS (
    SELECT DISTINCT path, regexp_extract(name, '[^.:>]+$') AS name, tool FROM internal.handlers WHERE symbol_id IS NULL
),
functions AS (
    SELECT s.symbol_id, s.path, s.name, regexp_replace(s.path, '[^/]*$', '') AS folder
    FROM symbols s JOIN (SELECT DISTINCT name FROM named) n ON n.name = s.name
    WHERE s.kind IN ('function', 'method') AND NOT s.is_test
),
called AS (
    SELECT DISTINCT s.path, e.dst AS symbol_id
    FROM functions f JOIN edges e ON e.dst = f.symbol_id JOIN symbols s ON s.symbol_id = e.src
    WHERE e.provenance IN ('exact', 'import', 'type', 'same_file')
),
candidates AS (
    SELECT n.path, n.name, n.tool, f.symbol_id,
           CASE WHEN f.path = n.path THEN 1
                WHEN c.symbol_id IS NOT NULL THEN 2
                WHEN EXISTS (FROM imports i WHERE i.path = n.path AND i.alias = n.name AND coalesce(i.name, n.name) = f.name) THEN 3
                WHEN f.folder = regexp_replace(n.path, '[^/]*$', '') THEN 4 END AS rung
    FROM named n JOIN functions f ON f.name = n.name LEFT JOIN called c ON c.path = n.path AND c.symbol_id = f.symbol_id
)
SELECT symbol_id, min(tool) AS tool
FROM (
    SELECT symbol_id, tool FROM internal.handlers WHERE symbol_id IS NOT NULL
    UNION ALL
    SELECT symbol_id, tool FROM candidates WHERE rung IS NOT NULL
    QUALIFY rung = min(rung) OVER (PARTITION BY path, name, tool)
        AND count(*) OVER (PARTITION BY path, name, tool, rung) = 1
)
GROUP BY symbol_id;

-- What handlers reach: three calls far. Further away stands code that no longer knows of the tool.
CREATE OR REPLACE TEMP TABLE text_steps AS
SELECT src, dst FROM edges WHERE provenance IN ('exact', 'import', 'type', 'same_file') AND src <> dst GROUP BY ALL;
CREATE OR REPLACE TEMP TABLE text_reach AS
WITH one AS (SELECT e.dst AS symbol_id, min(h.symbol_id) AS handler FROM text_handlers h JOIN text_steps e ON e.src = h.symbol_id GROUP BY 1),
two AS (SELECT e.dst AS symbol_id, min(r.handler) AS handler FROM one r JOIN text_steps e ON e.src = r.symbol_id GROUP BY 1),
three AS (SELECT e.dst AS symbol_id, min(r.handler) AS handler FROM two r JOIN text_steps e ON e.src = r.symbol_id GROUP BY 1)
SELECT symbol_id, min_by(handler, depth) AS handler, min(depth) AS depth
FROM (
    SELECT symbol_id, symbol_id AS handler, 0 AS depth FROM text_handlers
    UNION ALL SELECT symbol_id, handler, 1 FROM one
    UNION ALL SELECT symbol_id, handler, 2 FROM two
    UNION ALL SELECT symbol_id, handler, 3 FROM three
)
GROUP BY symbol_id;

CREATE OR REPLACE TEMP TABLE text_strings AS
SELECT row_number() OVER (ORDER BY s.path, s.start_line, s.start_column, s.end_line, s.end_column, s.text, s.surface, s.parameter) AS n, s.*,
       y.kind IS NULL OR y.kind IN ('constant', 'module', 'class') AS is_global
FROM internal.strings s
JOIN text_scope USING (path)
LEFT JOIN symbols y USING (symbol_id);

-- Strings behind names: of the same function or the top of the same file, of a file of the same folder, or of the module that an
-- import names.
CREATE OR REPLACE TEMP TABLE text_referenced AS
WITH refs AS (
    SELECT DISTINCT path, symbol_id, name, surface, tool, parameter, detail,
           regexp_extract(name, '[^.:]+$') AS last, regexp_extract(name, '^[^.:]+') AS root
    FROM internal.text_references
),
found AS (
    SELECT s.n, r.surface, r.tool, r.parameter, r.detail || ' ' || r.name AS detail,
           CASE WHEN s.path = r.path AND s.symbol_id IS NOT DISTINCT FROM r.symbol_id THEN 1
                WHEN s.path = r.path AND s.is_global THEN 2
                WHEN s.is_global AND i.path IS NOT NULL THEN 3
                WHEN s.is_global AND r.root = r.last AND regexp_replace(s.path, '[^/]*$', '') = regexp_replace(r.path, '[^/]*$', '')
                     AND s.path LIKE '%.go' THEN 4 END AS rung,
           r.path AS ref_path, r.symbol_id AS ref_symbol, r.name AS ref_name
    FROM refs r
    JOIN text_strings s ON s.name IN (r.name, r.last) AND s.surface IS NULL
    LEFT JOIN imports i ON i.path = r.path AND i.alias = r.root
         -- the module's last part is the name of the file or of its folder
         AND (s.path LIKE '%' || regexp_extract(rtrim(regexp_replace(i.module, '\.[jt]sx?$', ''), './'), '[^./:]+$') || '.%'
              OR s.path LIKE '%' || regexp_extract(rtrim(i.module, './'), '[^./:]+$') || '/%')
)
SELECT n, min_by(surface, detail) AS surface, min(tool) AS tool, min(parameter) AS parameter, min(detail) AS detail
FROM (SELECT * FROM found WHERE rung IS NOT NULL
      QUALIFY rung = min(rung) OVER (PARTITION BY ref_path, ref_symbol, ref_name))
GROUP BY n;

CREATE OR REPLACE TEMP TABLE agent_text_rows AS
WITH told AS (
    SELECT s.*, y.qualname,
           c.surface AS configured, c.origin, f.surface AS referenced, f.tool AS referenced_tool,
           f.parameter AS referenced_parameter, f.detail AS referenced_detail,
           r.handler, r.depth,
           CASE WHEN r.handler IS NULL OR s.surface IS NOT NULL THEN NULL
                WHEN s.context IN ('return', 'append') THEN 'tool_result'
                WHEN s.context = 'raise' THEN 'error_message' END AS reached
    FROM text_strings s
    LEFT JOIN symbols y USING (symbol_id)
    LEFT JOIN internal.configured_surfaces c ON c.path = s.path
    LEFT JOIN text_referenced f ON f.n = s.n
    LEFT JOIN text_reach r ON r.symbol_id = s.symbol_id
),
decided AS (
    SELECT t.*, h.tool AS handler_tool, hs.qualname AS handler_name,
           coalesce(t.surface, t.configured, t.referenced, t.reached) AS final_surface,
           CASE WHEN coalesce(t.surface, t.configured, t.referenced) IS NOT NULL THEN 'declared'
                WHEN t.reached IS NOT NULL THEN 'reachable' ELSE 'candidate' END AS evidence
    FROM told t
    LEFT JOIN text_handlers h ON h.symbol_id = t.handler
    LEFT JOIN symbols hs ON hs.symbol_id = t.handler
    -- What people read, or what is no value, is no candidate even.
    WHERE t.surface IS NOT NULL OR t.context <> 'log'
),
rows AS (
    SELECT path, start_line, start_column, end_line, end_column, segments::JSON AS segments, final_surface AS surface,
           coalesce(tool, referenced_tool, CASE WHEN evidence <> 'candidate' THEN handler_tool END) AS tool,
           coalesce(parameter, referenced_parameter) AS parameter, text,
           coalesce(from_json(placeholders, '["VARCHAR"]'), []) AS placeholders, symbol_id, context, branch, evidence,
           CASE evidence WHEN 'declared' THEN coalesce(detail, CASE WHEN configured IS NOT NULL THEN 'configured in ' || origin END, referenced_detail)
                WHEN 'reachable' THEN CASE depth WHEN 0 THEN 'given back by ' ELSE 'reached from ' END || coalesce(handler_name, 'a handler')
           END AS evidence_detail,
           qualname
    FROM decided
),
keyed AS (
    SELECT *, concat_ws(chr(0), path, coalesce(qualname, ''), coalesce(tool, ''), coalesce(parameter, ''),
                        trim(regexp_replace(text, '\s+', ' ', 'g'))) AS key
    FROM rows
)
SELECT (md5_number_lower(concat_ws(chr(0), key, (row_number() OVER (PARTITION BY key ORDER BY start_line, start_column, end_line, end_column))::VARCHAR)) >> 1)::BIGINT AS text_id,
       * EXCLUDE (qualname, key)
FROM keyed;
