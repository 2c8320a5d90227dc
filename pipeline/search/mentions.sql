-- mentions: symbols and files that a question names outright.
--
-- Reads:  symbols, files; parameters $names (qualified names with `.`, each with all its endings, longest first), $mentions
--         (which mention of the question each of them is), $paths (paths, or endings of paths), $lines (a line in each, 0
--         where none is named), $prefix (paths that begin with it).
-- Writes: nothing. A row is a symbol, or a file where symbol_id is NULL: path, symbol_id, line, score in millionths.
--
-- A name that one symbol has is worth a million; one that n have, a million nth. Only the longest ending that exists counts,
-- so that `app.Flask` is not every Flask. A path names all that its file has at the top, and with a line the innermost symbol
-- around that; where there is none, the place itself.

WITH asked AS (
    SELECT unnest($names::VARCHAR[]) AS qualname, unnest($mentions::INTEGER[]) AS mention
), lasts AS (
    SELECT *, regexp_extract(qualname, '[^.]*$') AS name, length(qualname) AS width FROM asked
), named AS (
    SELECT mention, width, s.symbol_id, s.path, s.start_line
    FROM lasts a JOIN symbols s USING (name)
    WHERE '.' || a.qualname = right('.' || replace(s.qualname, '::', '.'), a.width + 1) AND starts_with(s.path, $prefix)
), longest AS (
    SELECT * FROM named QUALIFY width = max(width) OVER (PARTITION BY mention)
), places AS (
    SELECT unnest($paths::VARCHAR[]) AS written, unnest($lines::INTEGER[]) AS line
), located AS (
    SELECT f.path, p.written, p.line
    FROM places p JOIN files f
      ON ends_with('/' || f.path, '/' || p.written)
         -- A trace names the place where the code was installed.
      OR ends_with('/' || p.written, '/' || f.path)
         -- A module is named without its suffix, and a package by its folder.
      OR ends_with('/' || regexp_replace(f.path, '(/__init__|/mod|/index)?\.\w+$', ''), '/' || p.written)
    WHERE starts_with(f.path, $prefix)
), around AS (
    SELECT l.path, l.written, l.line, s.symbol_id, coalesce(s.start_line, greatest(l.line, 1)) AS start_line
    FROM located l
    LEFT JOIN symbols s ON s.path = l.path AND CASE WHEN l.line = 0 THEN s.parent_id IS NULL AND s.kind <> 'module'
                                                    ELSE l.line BETWEEN s.span_start AND s.end_line END
    -- Of the symbols around a line the innermost.
    QUALIFY l.line = 0
         OR row_number() OVER (PARTITION BY l.path, l.written, l.line
                               ORDER BY s.kind = 'module', s.end_line - s.span_start, s.start_line DESC, s.symbol_id) = 1
), matched AS (
    SELECT written, line, count(*) AS files FROM located GROUP BY written, line
), worth AS (
    SELECT path, symbol_id, start_line AS line, 1000000 // count(*) OVER (PARTITION BY mention) AS score FROM longest
    UNION ALL
    SELECT a.path, a.symbol_id, a.start_line, 1000000 // m.files FROM around a JOIN matched m USING (written, line)
)
SELECT path, symbol_id, line, sum(score)::BIGINT AS score
FROM worth
GROUP BY path, symbol_id, line
ORDER BY score DESC, path, line, symbol_id;
