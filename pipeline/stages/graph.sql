-- graph, second half: resolves calls by a ladder and says of the rest why not.
--
-- Reads:  temp tables of graph_names.sql, temp module_refs, symbols, imports, internal.{symbol_shape, bases, bindings,
--         units, known_names}
-- Writes: edges, one row a call and target, with the rung that took it; unresolved_calls, one row a call that none took.
-- A call is in exactly one of the two.

-------------------------------------------------------------------------------- names that a unit offers to others

-- Definitions at the top of a unit. In one file the last of several equal ones is what the name means at the end.
CREATE OR REPLACE TEMP TABLE items AS
SELECT u.unit, s.qualname, s.symbol_id, s.path, s.kind
FROM symbols s JOIN internal.units u ON u.path = s.path
WHERE s.kind NOT IN ('module', 'test')
QUALIFY row_number() OVER (PARTITION BY s.path, s.qualname ORDER BY s.start_line DESC, s.symbol_id) = 1;

-- What names at the top of a unit are bound to by imports, re-exports among them.
CREATE OR REPLACE TEMP TABLE rebound AS
SELECT DISTINCT u.unit, i.alias AS name, r.unit AS to_unit, r.rest AS to_name
FROM imports i
JOIN internal.units u ON u.path = i.path
JOIN module_refs r ON r.path = i.path AND r.module = i.target AND r.member IS NOT DISTINCT FROM i.name
WHERE i.alias IS NOT NULL AND i.scope IS NULL AND (r.unit, r.rest) <> (u.unit, i.alias);

CREATE OR REPLACE TEMP TABLE starred AS
SELECT DISTINCT u.unit, r.unit AS to_unit
FROM imports i
JOIN internal.units u ON u.path = i.path
JOIN module_refs r ON r.path = i.path AND r.module = i.target AND r.member IS NULL
WHERE i.name = '*' AND r.rest = '' AND r.unit <> u.unit;

-- All names that can be asked of a unit: own definitions, and what imports bring, over any number of re-exports.
-- Distance is the number of re-exports; the nearest wins.
CREATE OR REPLACE TEMP TABLE offered AS
WITH RECURSIVE walk(unit, name, symbol_id, distance) USING KEY (unit, name, symbol_id) AS (
    SELECT unit, qualname, symbol_id, 0 FROM items
    UNION
    (
        SELECT step.unit, step.name, step.symbol_id, min(step.distance)
        FROM (
            SELECT b.unit, b.name, walk.symbol_id, walk.distance + 1 AS distance
            FROM walk JOIN rebound b ON b.to_unit = walk.unit AND b.to_name = walk.name
            UNION ALL
            SELECT b.unit, walk.name, walk.symbol_id, walk.distance + 1
            FROM walk JOIN starred b ON b.to_unit = walk.unit
            WHERE NOT contains(walk.name, '.') AND NOT contains(walk.name, ':')
        ) AS step
        LEFT JOIN recurring.walk AS seen USING (unit, name, symbol_id)
        WHERE seen.unit IS NULL
        GROUP BY ALL
    )
)
SELECT unit, name, symbol_id, distance FROM walk
QUALIFY rank() OVER (PARTITION BY unit, name ORDER BY distance) = 1;

-- Names of a unit that are modules themselves: `from . import b` makes b one of the package's names.
CREATE OR REPLACE TEMP TABLE offered_units AS
WITH RECURSIVE walk(unit, name, to_unit) AS (
    SELECT unit, name, to_unit FROM rebound WHERE to_name = ''
    UNION
    SELECT b.unit, b.name, walk.to_unit FROM walk JOIN rebound b ON b.to_unit = walk.unit AND b.to_name = walk.name
)
SELECT unit, name, to_unit FROM walk;

------------------------------------------------------------------------------------------ what written names mean

-- Definitions inside a function, method or block, by the symbol around them; classes do not lend their names.
CREATE OR REPLACE TEMP TABLE nested AS
SELECT s.parent_id, s.name, i.symbol_id, i.path, i.qualname
FROM items i JOIN symbols s USING (symbol_id) JOIN symbols p ON p.symbol_id = s.parent_id
WHERE p.kind <> 'class' AND i.kind <> 'method';

-- Symbols in a module inside the file, which is a scope and no symbol, with that module's name.
CREATE OR REPLACE TEMP TABLE scoped AS
SELECT e.symbol_id, left(s.qualname, length(s.qualname) - length(s.name) - length(u.separator)
                                     - coalesce(length(h.owner) + length(u.separator), 0)) AS scope
FROM symbols s
JOIN internal.symbol_shape h ON h.symbol_id = s.symbol_id
JOIN internal.units u ON u.path = s.path
JOIN enclosing e ON e.ancestor = s.symbol_id
WHERE s.parent_id IS NULL AND s.qualname <> s.name AND s.kind <> 'test';

-- Lookup 1: a definition around the code that names it, innermost first.
CREATE OR REPLACE TEMP TABLE lexical AS
SELECT w.symbol_id, w.path, w.text, coalesce(i.symbol_id, n.symbol_id) AS target, e.depth
FROM nested n
JOIN enclosing e ON e.ancestor = n.parent_id
JOIN wanted w ON w.symbol_id = e.symbol_id AND w.root = n.name
JOIN internal.units u ON u.path = w.path
LEFT JOIN items i ON w.rest <> '' AND i.path = n.path AND i.qualname = n.qualname || u.separator || w.rest
WHERE w.rest = '' OR i.symbol_id IS NOT NULL
UNION ALL
SELECT w.symbol_id, w.path, w.text, i.symbol_id, 1000
FROM scoped x
JOIN wanted w ON w.symbol_id = x.symbol_id
JOIN internal.units u ON u.path = w.path
JOIN items i ON i.path = w.path AND i.qualname = x.scope || u.separator || w.text
WHERE x.scope <> '';

-- Lookup 2: by import, over the modules that the resolvers found. `outside` names what is not in the repository.
CREATE OR REPLACE TEMP TABLE imported AS
WITH refs AS (
    SELECT w.path, w.text, b.module, concat_ws(u.separator, b.member, nullif(w.rest, '')) AS member, false AS by_path,
           u.separator
    FROM (SELECT DISTINCT path, text, root, rest FROM wanted) w
    JOIN bound b ON b.path = w.path AND b.alias = w.root
    JOIN internal.units u ON u.path = w.path
    UNION
    SELECT w.path, w.text, w.text, NULL, true, u.separator
    FROM (SELECT DISTINCT path, text, rest FROM wanted WHERE rest <> '') w
    JOIN internal.units u ON u.path = w.path AND u.qualified_paths
    WHERE NOT EXISTS (FROM bound b WHERE b.path = w.path AND b.alias = regexp_extract(w.text, '^[^.:]+'))
), found AS (
    SELECT refs.*, r.unit, r.rest
    FROM refs LEFT JOIN module_refs r
      ON r.path = refs.path AND r.module = refs.module AND r.member IS NOT DISTINCT FROM nullif(refs.member, '')
)
SELECT f.path, f.text,
       coalesce(o.symbol_id, n.symbol_id, p.symbol_id) AS target,
       CASE WHEN f.rest = '' THEN f.unit ELSE ou.to_unit END AS unit,
       CASE WHEN f.unit IS NULL THEN f.module || coalesce(f.separator || nullif(f.member, ''), '') END AS outside,
       f.by_path
FROM found f
LEFT JOIN offered o ON o.unit = f.unit AND o.name = f.rest AND f.rest <> ''
LEFT JOIN offered_units ou ON ou.unit = f.unit AND ou.name = f.rest AND f.rest <> ''
-- a member of a name that is re-exported: Class.method of a package
LEFT JOIN offered c ON o.symbol_id IS NULL AND c.unit = f.unit AND f.rest LIKE '%_' || f.separator || '_%'
    AND c.name = regexp_extract(f.rest, '^[^.:]+')
LEFT JOIN symbols cs ON cs.symbol_id = c.symbol_id
LEFT JOIN items n ON n.path = cs.path AND n.qualname = cs.qualname || substr(f.rest, length(c.name) + 1)
-- a function of a module that the unit offers: pkg.module.f through `from . import module`
LEFT JOIN offered_units pu ON pu.unit = f.unit AND pu.name = regexp_extract(f.rest, '^[^.:]+') AND pu.name <> f.rest
LEFT JOIN offered p ON p.unit = pu.to_unit AND p.name = substr(f.rest, length(pu.name) + length(f.separator) + 1);

-- All lookups together: the first that has an answer counts. A name with several meanings has none.
CREATE OR REPLACE TEMP TABLE meaning AS
WITH answers AS (
    SELECT symbol_id, path, text, target, NULL AS unit, NULL AS outside, 'same_file' AS rung, depth AS rank FROM lexical
    UNION ALL
    SELECT w.symbol_id, w.path, w.text, m.target, m.unit, m.outside, 'import',
           -- an import that leads into the repository beats its fallback that does not
           CASE WHEN coalesce(m.target::VARCHAR, m.unit) IS NOT NULL THEN 2000 WHEN m.outside IS NULL THEN 2001
                -- a path that leads nowhere may start at something in this file
                WHEN m.by_path THEN 5000 ELSE 2002 END
    FROM wanted w JOIN imported m ON m.path = w.path AND m.text = w.text
    UNION ALL
    SELECT w.symbol_id, w.path, w.text, i.symbol_id, NULL, NULL,
           CASE WHEN i.path = w.path THEN 'same_file' ELSE 'exact' END, CASE WHEN i.path = w.path THEN 3000 ELSE 3001 END
    FROM wanted w JOIN internal.units u ON u.path = w.path JOIN items i ON i.unit = u.unit AND i.qualname = w.text
    UNION ALL
    SELECT w.symbol_id, w.path, w.text, o.symbol_id, NULL, NULL, 'import', 4000 + o.distance
    FROM wanted w JOIN internal.units u ON u.path = w.path
    JOIN offered o ON o.unit = u.unit AND o.name = w.text AND o.distance > 0
)
SELECT symbol_id, path, text, min(target) AS target, min(unit) AS unit, min(outside) AS outside, min(rung) AS rung
FROM (
    SELECT DISTINCT * FROM answers
    QUALIFY rank() OVER (PARTITION BY symbol_id, path, text ORDER BY rank) = 1
)
GROUP BY symbol_id, path, text
-- Go files for different systems define one name several times: that is one meaning with several places.
HAVING count(DISTINCT coalesce(target::VARCHAR, unit, outside)) <= 1 OR bool_and(rung IN ('exact', 'same_file'));

----------------------------------------------------------------------------------------------- classes and members

CREATE OR REPLACE TEMP TABLE class_of AS
-- The class that a method belongs to: the one around it, or the one that its owner names.
SELECT s.symbol_id, coalesce(p.symbol_id, m.target) AS class_id
FROM symbols s
JOIN internal.symbol_shape h ON h.symbol_id = s.symbol_id
LEFT JOIN symbols p ON p.symbol_id = s.parent_id AND p.kind = 'class'
LEFT JOIN meaning m ON m.symbol_id = s.symbol_id AND m.path = s.path AND m.text = h.owner
WHERE p.symbol_id IS NOT NULL OR m.target IS NOT NULL;

CREATE OR REPLACE TEMP TABLE class_bases AS
SELECT DISTINCT coalesce(o.class_id, b.symbol_id) AS class_id, m.target AS base_id, b.position, coalesce(m.outside, CASE WHEN m.target IS NULL THEN b.base END) AS outside
FROM internal.bases b
LEFT JOIN class_of o ON o.symbol_id = b.symbol_id AND (SELECT kind FROM symbols s WHERE s.symbol_id = b.symbol_id) <> 'class'
LEFT JOIN meaning m ON m.symbol_id = b.symbol_id AND m.path = b.path AND m.text = b.base;

-- A class and all its bases, breadth first.
CREATE OR REPLACE TEMP TABLE lineage AS
WITH RECURSIVE up(class_id, base_id, depth, position) USING KEY (class_id, base_id) AS (
    -- an object that methods are given to is like a class of its own
    SELECT symbol_id, symbol_id, 0, 0 FROM symbols WHERE kind = 'class' OR symbol_id IN (SELECT class_id FROM class_of)
    UNION
    (
        SELECT up.class_id, b.base_id, min(up.depth) + 1, min(b.position)
        FROM up JOIN class_bases b ON b.class_id = up.base_id AND b.base_id IS NOT NULL
        LEFT JOIN recurring.up AS seen ON seen.class_id = up.class_id AND seen.base_id = b.base_id
        WHERE seen.class_id IS NULL
        GROUP BY up.class_id, b.base_id
    )
)
SELECT class_id, base_id, depth, position FROM up;

CREATE OR REPLACE TEMP TABLE own_members AS
SELECT c.class_id, s.name, s.symbol_id
FROM class_of c JOIN symbols s ON s.symbol_id = c.symbol_id
WHERE s.kind IN ('method', 'function', 'class')
QUALIFY row_number() OVER (PARTITION BY c.class_id, s.path, s.name ORDER BY s.start_line DESC, s.symbol_id) = 1;

CREATE OR REPLACE TEMP TABLE members AS
SELECT l.class_id, m.name, m.symbol_id, l.depth
FROM lineage l JOIN own_members m ON m.class_id = l.base_id
QUALIFY rank() OVER (PARTITION BY l.class_id, m.name ORDER BY l.depth, l.position) = 1;

-- The nearest base that is not in the repository: where a member that nobody here defines would come from.
CREATE OR REPLACE TEMP TABLE outside_bases AS
SELECT l.class_id, min_by(b.outside, (l.depth, b.position, b.outside)) AS outside
FROM lineage l JOIN class_bases b ON b.class_id = l.base_id AND b.outside IS NOT NULL
GROUP BY l.class_id;

-- The class that code in a symbol belongs to: that of the nearest method around it.
CREATE OR REPLACE TEMP TABLE home AS
SELECT e.symbol_id, coalesce(c.class_id, CASE WHEN e.kind = 'class' THEN e.ancestor END) AS class_id
FROM enclosing e LEFT JOIN class_of c ON c.symbol_id = e.ancestor
WHERE (c.class_id IS NOT NULL OR e.kind = 'class')
QUALIFY row_number() OVER (PARTITION BY e.symbol_id ORDER BY e.depth, class_id) = 1;

---------------------------------------------------------------------------------------------------- types of values

-- What a type or value text in a binding means: a class of the repository, or a name outside.
CREATE OR REPLACE TEMP TABLE binding_types AS
WITH named AS (
    SELECT b.symbol_id, b.path, b.name, b.type, b.via,
           rtrim(ltrim(regexp_replace(b.type, '\(\)$', ''), '<'), '>') AS type_name, b.type LIKE '%()' AS called
    FROM internal.bindings b
), typed AS (
    SELECT n.*, m.target, m.outside, s.kind, h.returns, c.class_id AS maker_class, r.target AS returned, r.outside AS returned_outside
    FROM named n
    LEFT JOIN meaning m ON m.symbol_id IS NOT DISTINCT FROM n.symbol_id AND m.path = n.path AND m.text = n.type_name
    LEFT JOIN symbols s ON s.symbol_id = m.target
    LEFT JOIN internal.symbol_shape h ON h.symbol_id = m.target AND n.called
    LEFT JOIN class_of c ON c.symbol_id = m.target
    LEFT JOIN meaning r ON r.symbol_id = m.target AND r.text = h.returns
)
SELECT symbol_id, path, name, type,
       CASE WHEN kind = 'class' THEN target
            WHEN called AND returns IN ('Self', 'self', 'this') THEN maker_class
            WHEN called THEN returned END AS class_id,
       CASE WHEN target IS NULL AND type IS NOT NULL THEN coalesce(outside, type_name)
            WHEN called AND returned IS NULL THEN coalesce(returned_outside, CASE WHEN returns NOT IN ('Self', 'self', 'this') THEN returns END) END AS outside
FROM typed;

-- A name that is bound to values of different types has no type.
CREATE OR REPLACE TEMP TABLE value_types AS
SELECT symbol_id, path, name,
       CASE WHEN count(DISTINCT class_id) = 1 AND count(*) FILTER (WHERE type IS NOT NULL AND class_id IS NULL) = 0 THEN any_value(class_id) END AS class_id,
       CASE WHEN count(class_id) = 0 AND count(DISTINCT outside) = 1 THEN any_value(outside) END AS outside,
       -- a value that is named after the function that makes it: let rt = rt()
       coalesce(bool_or(type = name || '()'), false) AS self_made
FROM binding_types
GROUP BY symbol_id, path, name;

-- The binding that a name has in a symbol: the nearest function around, then the files of the unit.
CREATE OR REPLACE TEMP TABLE locals AS
WITH asked AS (
    SELECT DISTINCT caller, path, unit, CASE WHEN receiver IS NULL THEN callee ELSE regexp_extract(receiver, '^[^.:()<>\[\] ]+') END AS name
    FROM sites
), answers AS (
    SELECT a.caller, a.path, a.name, v.class_id, v.outside, v.self_made, e.depth
    FROM asked a
    JOIN enclosing e ON e.symbol_id = a.caller AND e.kind <> 'class'
    JOIN value_types v ON v.symbol_id = e.ancestor AND v.name = a.name
    UNION ALL
    SELECT a.caller, a.path, a.name, v.class_id, v.outside, v.self_made, 1000
    FROM asked a
    JOIN internal.units u ON u.unit = a.unit
    JOIN value_types v ON v.symbol_id IS NULL AND v.path = u.path AND v.name = a.name
    QUALIFY count(DISTINCT coalesce(v.class_id::VARCHAR, v.outside)) OVER (PARTITION BY a.caller, a.name) = 1
)
SELECT * FROM answers QUALIFY row_number() OVER (PARTITION BY caller, name ORDER BY depth, class_id, outside) = 1;

-- What a member of a class leads to: its type for an attribute x, what it returns for a call x().
CREATE OR REPLACE TEMP TABLE hops AS
SELECT l.class_id, v.name AS step, v.class_id AS type_id, v.outside
FROM lineage l JOIN value_types v ON v.symbol_id = l.base_id
QUALIFY row_number() OVER (PARTITION BY l.class_id, v.name ORDER BY l.depth, l.position, l.base_id) = 1
UNION ALL
SELECT m.class_id, m.name || '()', CASE WHEN x.returns IN ('Self', 'self', 'this') THEN m.class_id ELSE r.target END, r.outside
FROM members m
JOIN internal.symbol_shape x ON x.symbol_id = m.symbol_id AND x.returns IS NOT NULL
LEFT JOIN meaning r ON r.symbol_id = m.symbol_id AND r.text = x.returns
QUALIFY row_number() OVER (PARTITION BY m.class_id, m.name ORDER BY m.symbol_id) = 1;

--------------------------------------------------------------------------------------------------------- the ladder

-- The class or module on which a receiver's method is looked up, by rung; `start` 1 leaves the class itself out (super).
-- Where a receiver goes on from its head by members, these are followed one by one.
CREATE OR REPLACE TEMP TABLE receivers AS
WITH RECURSIVE parts AS (
    SELECT s.*, regexp_split_to_array(s.receiver, '\.|::') AS steps, k.self_names, k.super_names
    FROM sites s JOIN internal.language_facts k ON k.language = s.language
    WHERE s.receiver IS NOT NULL AND s.receiver <> '<fixture>'
), heads AS (
    -- self.x and self.make()
    SELECT p.call_id, h.class_id, NULL::VARCHAR AS outside, p.steps[2:] AS rest, 2 AS rank
    FROM parts p JOIN home h ON h.symbol_id = p.caller
    WHERE list_contains(p.self_names, p.steps[1]) AND len(p.steps) > 1
    UNION ALL
    -- a variable with a type, and what follows; the function's own before those of the file
    SELECT p.call_id, v.class_id, v.outside, p.steps[2:], CASE WHEN v.depth < 1000 THEN 3 ELSE 7 END
    FROM parts p JOIN locals v ON v.caller = p.caller AND v.name = p.steps[1]
    WHERE coalesce(v.class_id::VARCHAR, v.outside) IS NOT NULL
    UNION ALL
    -- a variable of another file, with a type
    SELECT p.call_id, v.class_id, v.outside, p.steps[2:], 5
    FROM parts p JOIN meaning m ON m.symbol_id = p.caller AND m.path = p.path AND m.text = p.steps[1]
    JOIN symbols t ON t.symbol_id = m.target AND t.kind = 'constant' AND t.path <> p.path
    JOIN value_types v ON v.symbol_id IS NULL AND v.path = t.path AND v.name = t.name
    WHERE coalesce(v.class_id::VARCHAR, v.outside) IS NOT NULL
    UNION ALL
    -- T(), <T>, and make() with a return type
    SELECT p.call_id,
           CASE WHEN t.kind = 'class' THEN m.target
                WHEN p.head_form = 'instance' THEN NULL
                WHEN x.returns IN ('Self', 'self', 'this') THEN c.class_id
                ELSE r.target END,
           CASE WHEN m.outside IS NOT NULL THEN m.outside WHEN r.target IS NULL THEN r.outside END,
           CASE WHEN p.tail = '' THEN [] ELSE regexp_split_to_array(p.tail, '\.|::') END,
           5
    FROM parts p JOIN meaning m ON m.symbol_id = p.caller AND m.path = p.path AND m.text = p.head
    LEFT JOIN symbols t ON t.symbol_id = m.target
    LEFT JOIN internal.symbol_shape x ON x.symbol_id = m.target
    LEFT JOIN class_of c ON c.symbol_id = m.target
    LEFT JOIN meaning r ON r.symbol_id = m.target AND r.text = x.returns
    WHERE p.head_form IN ('call', 'instance')
      AND (t.kind = 'class' OR m.outside IS NOT NULL OR x.returns IS NOT NULL)
    UNION ALL
    -- a literal, or an instance of a type that no import and no definition here names: the language's own
    SELECT p.call_id, NULL, p.head, CASE WHEN p.tail = '' THEN [] ELSE regexp_split_to_array(p.tail, '\.|::') END, 6
    FROM parts p WHERE p.head_form = 'instance' AND p.head <> 'expression'
), walk(call_id, class_id, outside, rest, rank) AS (
    SELECT * FROM heads WHERE coalesce(class_id::VARCHAR, outside) IS NOT NULL
    UNION ALL
    SELECT w.call_id, h.type_id, h.outside, w.rest[2:], w.rank
    FROM walk w JOIN hops h ON h.class_id = w.class_id AND h.step = w.rest[1]
    WHERE coalesce(h.type_id::VARCHAR, h.outside) IS NOT NULL
)
-- self, this, cls, Self
SELECT p.call_id, h.class_id, NULL AS unit, o.outside, 'exact' AS rung, 0 AS start, 1 AS rank
FROM parts p JOIN home h ON h.symbol_id = p.caller LEFT JOIN outside_bases o ON o.class_id = h.class_id
WHERE list_contains(p.self_names, p.receiver)
UNION ALL
-- super
SELECT p.call_id, h.class_id, NULL, o.outside, 'exact', 1, 1
FROM parts p JOIN home h ON h.symbol_id = p.caller LEFT JOIN outside_bases o ON o.class_id = h.class_id
WHERE list_contains(p.super_names, p.receiver)
UNION ALL
SELECT w.call_id, w.class_id, NULL,
       nullif(concat_ws(s.separator, w.outside, nullif(replace(replace(array_to_string(w.rest, chr(0)), chr(0), s.separator), '()', ''), '')), ''),
       'type', 0, w.rank
FROM walk w JOIN sites s ON s.call_id = w.call_id
WHERE w.rest = [] OR w.class_id IS NULL
UNION ALL
-- a variable of the function without a type: nothing below may take it for a name of the file
SELECT p.call_id, NULL, NULL, NULL, 'dynamic', 0, 4
FROM parts p JOIN locals v ON v.caller = p.caller AND v.name = regexp_extract(p.steps[1], '^[^()<>]+') AND v.depth < 1000
WHERE p.head_form <> 'instance'
UNION ALL
-- a class or module by name
SELECT p.call_id, c.class_id, m.unit, m.outside,
       CASE WHEN m.rung = 'import' THEN 'import' ELSE 'exact' END, 0, 5
FROM parts p JOIN meaning m ON m.symbol_id = p.caller AND m.path = p.path AND m.text = p.head
LEFT JOIN (SELECT DISTINCT class_id FROM lineage) c ON c.class_id = m.target
WHERE p.head_form = 'name' AND (c.class_id IS NOT NULL OR m.unit IS NOT NULL OR m.outside IS NOT NULL);

INSERT INTO receivers
-- an object or type of the language itself: Math.round, str.join
SELECT s.call_id, NULL, NULL, s.receiver, 'type', 0, 6
FROM sites s
WHERE s.head_form = 'name'
  AND EXISTS (FROM internal.known_names k WHERE k.language = s.language AND k.kind = 'builtin' AND k.pattern = regexp_extract(s.receiver, '^[^.:]+'))
  AND NOT EXISTS (FROM meaning m WHERE m.symbol_id = s.caller AND m.path = s.path AND m.text = regexp_extract(s.receiver, '^[^.:]+'));

-- The best answer for each receiver; where the best rank has two answers, none counts.
CREATE OR REPLACE TEMP TABLE receiver AS
SELECT call_id, min(class_id) AS class_id, min(unit) AS unit, min(outside) AS outside,
       min(rung) AS rung, min(start) AS start, min(rank) AS rank
FROM (SELECT DISTINCT * FROM receivers QUALIFY rank() OVER (PARTITION BY call_id ORDER BY rank) = 1)
GROUP BY call_id
HAVING count(DISTINCT coalesce(class_id::VARCHAR, unit, outside)) <= 1;

CREATE OR REPLACE TEMP TABLE hits AS
-- a method of the receiver's class
SELECT s.call_id, s.caller, m.symbol_id AS dst, r.rung
FROM sites s JOIN receiver r ON r.call_id = s.call_id AND r.start = 0
JOIN members m ON m.class_id = r.class_id AND m.name = s.callee
UNION
-- a method of a base, over super
SELECT s.call_id, s.caller, m.symbol_id, r.rung
FROM sites s JOIN receiver r ON r.call_id = s.call_id AND r.start = 1
JOIN (
    SELECT l.class_id, m.name, m.symbol_id FROM lineage l JOIN own_members m ON m.class_id = l.base_id WHERE l.depth > 0
    QUALIFY rank() OVER (PARTITION BY l.class_id, m.name ORDER BY l.depth, l.position) = 1
) m ON m.class_id = r.class_id AND m.name = s.callee
UNION
-- a name of the receiver's module
SELECT s.call_id, s.caller, o.symbol_id, r.rung
FROM sites s JOIN receiver r ON r.call_id = s.call_id AND r.unit IS NOT NULL
JOIN offered o ON o.unit = r.unit AND o.name = s.callee
UNION
-- a bare name, unless a value of that name is nearer
SELECT s.call_id, s.caller, m.target, m.rung
FROM sites s JOIN meaning m ON m.symbol_id = s.caller AND m.path = s.path AND m.text = s.callee
JOIN symbols t ON t.symbol_id = m.target
LEFT JOIN locals v ON v.caller = s.caller AND v.name = s.callee AND v.depth < 1000
LEFT JOIN (SELECT symbol_id, text, min(depth) AS depth FROM lexical GROUP BY ALL) x ON x.symbol_id = s.caller AND x.text = s.callee
WHERE s.receiver IS NULL AND (v.depth IS NULL OR x.depth <= v.depth OR v.self_made) AND t.kind NOT IN ('constant', 'method')
UNION
-- a::f as a whole
SELECT s.call_id, s.caller, m.target, CASE WHEN m.rung = 'import' THEN 'import' ELSE 'exact' END
FROM sites s JOIN meaning m ON m.symbol_id = s.caller AND m.path = s.path AND m.text = s.receiver || s.separator || s.callee
JOIN internal.units u ON u.path = s.path AND u.qualified_paths
JOIN symbols t ON t.symbol_id = m.target AND t.kind <> 'constant'
LEFT JOIN receiver r ON r.call_id = s.call_id
WHERE s.head_form = 'name' AND r.class_id IS NULL AND r.unit IS NULL AND r.rung IS DISTINCT FROM 'dynamic'
UNION
-- a name for a module that is called: what the module exports as its default
SELECT s.call_id, s.caller, o.symbol_id, m.rung
FROM sites s JOIN meaning m ON m.symbol_id = s.caller AND m.path = s.path AND m.text = s.callee
JOIN offered o ON o.unit = m.unit AND o.name = 'default'
WHERE s.receiver IS NULL AND m.target IS NULL;

-- A base without a constructor of its own: super() leads to the base.
INSERT INTO hits
SELECT s.call_id, s.caller, l.base_id, r.rung
FROM sites s JOIN receiver r ON r.call_id = s.call_id AND r.start = 1
JOIN internal.language_facts k ON k.language = s.language AND list_contains(k.constructors, s.callee)
JOIN lineage l ON l.class_id = r.class_id AND l.depth = 1
WHERE NOT EXISTS (FROM hits x WHERE x.call_id = s.call_id)
QUALIFY row_number() OVER (PARTITION BY s.call_id ORDER BY l.position, l.base_id) = 1;

-- A fixture: in the test's own file, else in the nearest conftest.py above it.
INSERT INTO hits
SELECT s.call_id, s.caller, f.symbol_id, CASE WHEN f.path = s.path THEN 'same_file' ELSE 'exact' END
FROM sites s
JOIN symbols f ON f.name = s.callee AND f.symbol_id <> s.caller
JOIN internal.symbol_shape h ON h.symbol_id = f.symbol_id AND h.is_fixture
WHERE s.receiver = '<fixture>'
  AND (f.path = s.path OR (f.path LIKE '%conftest.py' AND starts_with(s.path, left(f.path, length(f.path) - length('conftest.py')))))
QUALIFY row_number() OVER (PARTITION BY s.call_id ORDER BY f.path = s.path DESC, length(f.path) DESC, f.start_line DESC, f.symbol_id) = 1;

-- A call of the name for the own class makes one: cls(), Self().
INSERT INTO hits
SELECT s.call_id, s.caller, h.class_id, 'exact'
FROM sites s JOIN internal.language_facts k ON k.language = s.language AND list_contains(k.self_names, s.callee)
JOIN home h ON h.symbol_id = s.caller
WHERE s.receiver IS NULL AND NOT EXISTS (FROM hits x WHERE x.call_id = s.call_id);

-- What a name that nothing else resolved could be, if the repository defines it once and the language never does.
CREATE OR REPLACE TEMP TABLE unique_names AS
SELECT u.family, s.name, min(s.symbol_id) AS symbol_id, count(*) AS definitions, any_value(s.kind) AS kind
FROM symbols s JOIN internal.units u ON u.path = s.path JOIN internal.symbol_shape h ON h.symbol_id = s.symbol_id
-- a declaration without a body (in an interface, say) is no definition that could run
WHERE s.kind = 'class' OR (s.kind IN ('function', 'method') AND h.cyclomatic IS NOT NULL)
GROUP BY u.family, s.name;

INSERT INTO hits
SELECT s.call_id, s.caller, n.symbol_id, 'unique_name'
FROM sites s
JOIN unique_names n ON n.family = s.family AND n.name = s.callee AND n.definitions = 1
JOIN internal.symbol_shape h ON h.symbol_id = n.symbol_id
LEFT JOIN receiver r ON r.call_id = s.call_id
LEFT JOIN locals v ON v.caller = s.caller AND v.name = s.callee AND s.receiver IS NULL AND v.depth < 1000
LEFT JOIN meaning m ON s.receiver IS NULL AND m.symbol_id = s.caller AND m.path = s.path AND m.text = s.callee
WHERE NOT EXISTS (FROM hits x WHERE x.call_id = s.call_id)
  AND NOT EXISTS (FROM internal.known_names k WHERE k.language = s.language AND k.kind IN ('builtin', 'method') AND k.pattern = s.callee)
  AND (r.call_id IS NULL OR r.rung = 'dynamic')
  AND v.caller IS NULL AND m.symbol_id IS NULL
  -- with a receiver it is a method; without one it is none
  AND (n.kind = 'method') = (s.receiver IS NOT NULL)
  AND (s.arity IS NULL OR h.min_arity IS NULL OR s.arity BETWEEN h.min_arity AND coalesce(h.max_arity, s.arity));

-- The call of a class runs its constructor: that is a second target of the same call.
INSERT INTO hits
SELECT h.call_id, h.caller, m.symbol_id, h.rung
FROM hits h JOIN symbols t ON t.symbol_id = h.dst AND t.kind = 'class'
JOIN internal.language_facts k ON k.language = t.language
JOIN members m ON m.class_id = h.dst AND list_contains(k.constructors, m.name);

INSERT INTO edges
SELECT DISTINCT call_id, caller, dst, rung FROM hits ORDER BY call_id, dst;

------------------------------------------------------------------------------------------------------ and the rest

INSERT INTO unresolved_calls
WITH rest AS (
    SELECT s.*, r.outside, r.rung, r.rank, m.outside AS name_outside, m.symbol_id AS named, v.caller AS local, n.definitions,
           b.pattern AS builtin
    FROM sites s
    LEFT JOIN receiver r ON r.call_id = s.call_id
    LEFT JOIN meaning m ON s.receiver IS NULL AND m.symbol_id = s.caller AND m.path = s.path AND m.text = s.callee
    LEFT JOIN locals v ON s.receiver IS NULL AND v.caller = s.caller AND v.name = s.callee
    LEFT JOIN unique_names n ON n.family = s.family AND n.name = s.callee
    LEFT JOIN internal.known_names b ON b.language = s.language AND b.kind = 'builtin' AND b.pattern = s.callee AND s.receiver IS NULL
    WHERE NOT EXISTS (FROM hits x WHERE x.call_id = s.call_id)
)
SELECT call_id,
       CASE WHEN receiver IS NULL AND local IS NOT NULL THEN 'dynamic'
            WHEN callee = '<expression>' THEN 'dynamic'
            WHEN outside IS NOT NULL OR name_outside IS NOT NULL OR builtin IS NOT NULL THEN 'external'
            WHEN rung <> 'dynamic' OR named IS NOT NULL THEN 'dynamic'
            WHEN definitions IS NULL THEN 'external'
            WHEN definitions > 1 THEN 'ambiguous'
            ELSE 'dynamic' END AS reason,
       CASE WHEN receiver IS NULL AND local IS NOT NULL THEN NULL
            WHEN name_outside IS NOT NULL THEN name_outside
            WHEN outside IS NOT NULL THEN outside || separator || callee
            WHEN builtin IS NOT NULL THEN callee END AS target
FROM rest
ORDER BY call_id;
