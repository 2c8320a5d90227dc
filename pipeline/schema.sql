-- The SQL contract: every public table and view with a comment on each of its columns, and the tables of schema
-- `internal`, which may change without notice. Executed once, on a new and empty database.
--
-- Absent means unavailable: NULL never stands for zero. Paths are relative to the root of the repository, with `/`.
-- Lines and columns count from 1.

CREATE SCHEMA IF NOT EXISTS internal;

---------------------------------------------------------------------------------------------------------- public

CREATE TABLE meta (key VARCHAR NOT NULL, value VARCHAR);
COMMENT ON TABLE meta IS 'One row a property of this store';
COMMENT ON COLUMN meta.key IS 'contract_version (semantic version of the public tables), tool_version, state_id, head, dirty, head_committed_at (epoch seconds), shallow; other keys are internal';
COMMENT ON COLUMN meta.value IS 'The property''s value as text; NULL where it does not apply (head without commits)';

CREATE TABLE files (
    path VARCHAR NOT NULL, language VARCHAR, role VARCHAR, size BIGINT, lines INTEGER,
    content_hash VARCHAR, parse_errors INTEGER, excluded_reason VARCHAR
);
COMMENT ON TABLE files IS 'A tracked or untracked, not ignored file of the working tree';
COMMENT ON COLUMN files.path IS 'Path from the root; bytes that are not UTF-8 as \xNN, a backslash as \\';
COMMENT ON COLUMN files.language IS 'Language by file name or interpreter line; NULL where none is known';
COMMENT ON COLUMN files.role IS 'source, test, docs, config, generated or vendored';
COMMENT ON COLUMN files.size IS 'Bytes';
COMMENT ON COLUMN files.lines IS 'Lines; NULL where the file was not read';
COMMENT ON COLUMN files.content_hash IS 'git blob id of the content in the working tree; NULL where the file was not read';
COMMENT ON COLUMN files.parse_errors IS 'Error and missing nodes of the syntax tree; NULL where the file was not parsed';
COMMENT ON COLUMN files.excluded_reason IS 'Why the file was not parsed: out of scope (binary, too_large, unsupported_language, symlink, submodule, ignored by .scaupignore) or a gap (unreadable, timeout, changed); NULL for a parsed file';

CREATE TABLE commits (sha VARCHAR NOT NULL, committed_at TIMESTAMP NOT NULL, subject VARCHAR, body VARCHAR, files INTEGER NOT NULL);
COMMENT ON TABLE commits IS 'A non-merge commit of the history walk: 18 months back from the date of HEAD, or the last 4,000 where that reaches further';
COMMENT ON COLUMN commits.sha IS 'Full object name';
COMMENT ON COLUMN commits.committed_at IS 'Committer date, UTC';
COMMENT ON COLUMN commits.subject IS 'First paragraph of the message';
COMMENT ON COLUMN commits.body IS 'The rest of the message';
COMMENT ON COLUMN commits.files IS 'Files that the commit touched, as git counts them';

CREATE TABLE commit_files (sha VARCHAR NOT NULL, path VARCHAR NOT NULL, status VARCHAR NOT NULL);
COMMENT ON TABLE commit_files IS 'A file that a commit touched';
COMMENT ON COLUMN commit_files.sha IS 'The commit';
COMMENT ON COLUMN commit_files.path IS 'The file under today''s name; where it exists no longer, under its last name';
COMMENT ON COLUMN commit_files.status IS 'A added, M modified, D deleted, R renamed, C copied, T type changed';

CREATE TABLE cochange (file_a VARCHAR NOT NULL, file_b VARCHAR NOT NULL, together INTEGER NOT NULL);
COMMENT ON TABLE cochange IS 'A pair of today''s files that changed in one commit, in 18 months; commits of more than 30 files are left out';
COMMENT ON COLUMN cochange.file_a IS 'The file whose path sorts first';
COMMENT ON COLUMN cochange.file_b IS 'The other file';
COMMENT ON COLUMN cochange.together IS 'Number of commits that touched both';

CREATE TABLE symbols (
    symbol_id BIGINT NOT NULL, path VARCHAR NOT NULL, language VARCHAR NOT NULL, name VARCHAR NOT NULL, qualname VARCHAR NOT NULL,
    kind VARCHAR NOT NULL, start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, span_start INTEGER NOT NULL,
    signature VARCHAR, doc VARCHAR, is_test BOOLEAN NOT NULL, parent_id BIGINT
);
COMMENT ON TABLE symbols IS 'A definition';
COMMENT ON COLUMN symbols.symbol_id IS '64-bit hash of path, qualname, kind and ordinal among equals: stable when lines move';
COMMENT ON COLUMN symbols.path IS 'File of the definition';
COMMENT ON COLUMN symbols.language IS 'Language of the definition';
COMMENT ON COLUMN symbols.name IS 'Name as written; <module> for a module body';
COMMENT ON COLUMN symbols.qualname IS 'Name with its enclosing definitions, joined by the language''s separator';
COMMENT ON COLUMN symbols.kind IS 'function, method, class, constant, test (a test block), module (code at the top level of a file), section';
COMMENT ON COLUMN symbols.start_line IS 'The line of the definition itself';
COMMENT ON COLUMN symbols.end_line IS 'Its last line';
COMMENT ON COLUMN symbols.span_start IS 'First line with decorators, attributes and the doc comment above';
COMMENT ON COLUMN symbols.signature IS 'The definition up to its body, white space folded';
COMMENT ON COLUMN symbols.doc IS 'Docstring or doc comment, without its marks';
COMMENT ON COLUMN symbols.is_test IS 'Whether the syntax says that a test runner calls it';
COMMENT ON COLUMN symbols.parent_id IS 'The enclosing symbol; NULL at the top of a file';

CREATE TABLE calls (
    call_id BIGINT NOT NULL, caller BIGINT NOT NULL, path VARCHAR NOT NULL, callee VARCHAR NOT NULL, receiver VARCHAR,
    line INTEGER NOT NULL, arity INTEGER
);
COMMENT ON TABLE calls IS 'A call site';
COMMENT ON COLUMN calls.call_id IS '64-bit hash of the caller and the ordinal of the call in it';
COMMENT ON COLUMN calls.caller IS 'The innermost symbol around the call';
COMMENT ON COLUMN calls.path IS 'File of the call';
COMMENT ON COLUMN calls.callee IS 'The called name as written, without its receiver';
COMMENT ON COLUMN calls.receiver IS 'What stands before the name (self, a.b, Type); NULL for a bare name; <fixture> where a test asks its runner for a fixture by a parameter';
COMMENT ON COLUMN calls.line IS 'Line of the called name';
COMMENT ON COLUMN calls.arity IS 'Arguments passed; NULL where a spread hides the number';

CREATE TABLE imports (path VARCHAR NOT NULL, scope BIGINT, line INTEGER NOT NULL, module VARCHAR NOT NULL, name VARCHAR, alias VARCHAR, target VARCHAR);
COMMENT ON TABLE imports IS 'A name that an import binds';
COMMENT ON COLUMN imports.path IS 'File of the import';
COMMENT ON COLUMN imports.scope IS 'The function that contains the import; NULL at the top of a file';
COMMENT ON COLUMN imports.line IS 'Line of the import';
COMMENT ON COLUMN imports.module IS 'The module as written';
COMMENT ON COLUMN imports.name IS 'The member that is imported; * for all; NULL where the module itself is bound';
COMMENT ON COLUMN imports.alias IS 'The name that it gets in the file; NULL where it binds none';
COMMENT ON COLUMN imports.target IS 'The module in normal form, relative names resolved against the file''s own place';

CREATE TABLE edges (call_id BIGINT NOT NULL, src BIGINT NOT NULL, dst BIGINT NOT NULL, provenance VARCHAR NOT NULL);
COMMENT ON TABLE edges IS 'A resolved call: one row a call and target';
COMMENT ON COLUMN edges.call_id IS 'The call site';
COMMENT ON COLUMN edges.src IS 'The calling symbol';
COMMENT ON COLUMN edges.dst IS 'The called symbol';
COMMENT ON COLUMN edges.provenance IS 'The rung that resolved it, best first: exact, import, type, same_file, unique_name';

CREATE TABLE unresolved_calls (call_id BIGINT NOT NULL, reason VARCHAR NOT NULL, target VARCHAR);
COMMENT ON TABLE unresolved_calls IS 'A call that no rung resolved, and why';
COMMENT ON COLUMN unresolved_calls.call_id IS 'The call site';
COMMENT ON COLUMN unresolved_calls.reason IS 'external (defined outside the repository), ambiguous (several definitions fit), dynamic (a value or an unknown receiver decides)';
COMMENT ON COLUMN unresolved_calls.target IS 'Qualified name of an external target as far as it is known, such as time.sleep';

CREATE TABLE field_uses (symbol_id BIGINT NOT NULL, field VARCHAR NOT NULL, use VARCHAR NOT NULL, line INTEGER NOT NULL, value VARCHAR);
COMMENT ON TABLE field_uses IS 'A member of a result object that a symbol writes or reads by name';
COMMENT ON COLUMN field_uses.symbol_id IS 'The symbol';
COMMENT ON COLUMN field_uses.field IS 'The member''s name';
COMMENT ON COLUMN field_uses.use IS 'produced (a key of an object or struct literal, an argument by name of a constructor, an assignment by subscript) or read (a subscript or a get by that name)';
COMMENT ON COLUMN field_uses.line IS 'Its line';
COMMENT ON COLUMN field_uses.value IS 'What is written where that is a constant: true, false, null, zero, empty or text; NULL for anything else and for a read';

CREATE TABLE symbol_metrics (
    symbol_id BIGINT NOT NULL,
    callers INTEGER, callees INTEGER,
    tested BOOLEAN, test_distance INTEGER, nearest_test BIGINT, tested_by INTEGER, tested_by_capped BOOLEAN,
    purity VARCHAR, effect_kinds VARCHAR[], effect_via BIGINT,
    churn INTEGER, cochange_files INTEGER, amp INTEGER, reach INTEGER, reach_capped BOOLEAN,
    cyclomatic INTEGER, cognitive INTEGER
);
COMMENT ON TABLE symbol_metrics IS 'Risk facts of a symbol';
COMMENT ON COLUMN symbol_metrics.symbol_id IS 'The symbol';
COMMENT ON COLUMN symbol_metrics.callers IS 'Distinct symbols with a resolved call to it, itself left out';
COMMENT ON COLUMN symbol_metrics.callees IS 'Distinct symbols that it has a resolved call to, itself left out';
COMMENT ON COLUMN symbol_metrics.tested IS 'Whether a test symbol reaches it over resolved calls; a test reaches itself';
COMMENT ON COLUMN symbol_metrics.test_distance IS 'Calls between it and the nearest test; NULL where not tested';
COMMENT ON COLUMN symbol_metrics.nearest_test IS 'That test; among equals the first by path and qualname';
COMMENT ON COLUMN symbol_metrics.tested_by IS 'Test symbols that reach it: exact up to 32, NULL above';
COMMENT ON COLUMN symbol_metrics.tested_by_capped IS 'Whether more than 32 tests reach it';
COMMENT ON COLUMN symbol_metrics.purity IS 'impure (reaches a side effect), pure (all its calls are resolved or known to be effect-free), unknown';
COMMENT ON COLUMN symbol_metrics.effect_kinds IS 'Categories of the side effects that it reaches, sorted; empty for a pure symbol, NULL where unknown';
COMMENT ON COLUMN symbol_metrics.effect_via IS 'The next symbol on a shortest way to an effect; NULL where the effect is its own';
COMMENT ON COLUMN symbol_metrics.churn IS 'Commits that touched its file in the 12 months before the date of HEAD';
COMMENT ON COLUMN symbol_metrics.cochange_files IS 'Distinct other files that share a commit with its file, see cochange';
COMMENT ON COLUMN symbol_metrics.amp IS 'callers + cochange_files: it mixes symbols and files, and is no transitive count';
COMMENT ON COLUMN symbol_metrics.reach IS 'Other symbols from which it can be reached: exact up to 32, NULL above';
COMMENT ON COLUMN symbol_metrics.reach_capped IS 'Whether more than 32 symbols reach it';
COMMENT ON COLUMN symbol_metrics.cyclomatic IS 'Cyclomatic complexity: 1 + branches of its own body, nested definitions left out; NULL where it has no body';
COMMENT ON COLUMN symbol_metrics.cognitive IS 'Cognitive complexity: branches weighted by their nesting; NULL where it has no body';

CREATE TABLE terms (term_id BIGINT NOT NULL, term VARCHAR NOT NULL, symbols INTEGER NOT NULL);
COMMENT ON TABLE terms IS 'A stemmed subtoken of the lexical index';
COMMENT ON COLUMN terms.term_id IS '64-bit hash of the term';
COMMENT ON COLUMN terms.term IS 'The term';
COMMENT ON COLUMN terms.symbols IS 'Symbols that contain it in any field';

CREATE TABLE postings (
    term_id BIGINT NOT NULL, symbol_id BIGINT NOT NULL,
    name USMALLINT NOT NULL, path USMALLINT NOT NULL, signature USMALLINT NOT NULL, doc USMALLINT NOT NULL, body USMALLINT NOT NULL, callees USMALLINT NOT NULL
);
COMMENT ON TABLE postings IS 'How often a term stands in each field of a symbol';
COMMENT ON COLUMN postings.term_id IS 'The term';
COMMENT ON COLUMN postings.symbol_id IS 'The symbol';
COMMENT ON COLUMN postings.name IS 'Occurrences in its qualified name';
COMMENT ON COLUMN postings.path IS 'Occurrences in its path';
COMMENT ON COLUMN postings.signature IS 'Occurrences in its signature';
COMMENT ON COLUMN postings.doc IS 'Occurrences in its doc and comments';
COMMENT ON COLUMN postings.body IS 'Occurrences in the identifiers and strings of its own body, nested symbols left out';
COMMENT ON COLUMN postings.callees IS 'Occurrences in the names that it calls';

CREATE TABLE agent_text (
    text_id BIGINT NOT NULL, path VARCHAR NOT NULL, start_line INTEGER NOT NULL, start_column INTEGER NOT NULL,
    end_line INTEGER NOT NULL, end_column INTEGER NOT NULL, segments JSON NOT NULL, surface VARCHAR, tool VARCHAR,
    parameter VARCHAR, text VARCHAR NOT NULL, placeholders VARCHAR[] NOT NULL, symbol_id BIGINT, context VARCHAR NOT NULL,
    branch VARCHAR, evidence VARCHAR NOT NULL, evidence_detail VARCHAR
);
COMMENT ON TABLE agent_text IS 'A string that an agent reads, or may read';
COMMENT ON COLUMN agent_text.text_id IS '64-bit hash of path, enclosing symbol, tool, parameter, normalised text and ordinal among equals: stable when lines move';
COMMENT ON COLUMN agent_text.path IS 'Its file';
COMMENT ON COLUMN agent_text.start_line IS 'Line of the first character of the expression that makes it';
COMMENT ON COLUMN agent_text.start_column IS 'Column of that character, in code points';
COMMENT ON COLUMN agent_text.end_line IS 'Line of the end';
COMMENT ON COLUMN agent_text.end_column IS 'Column behind its last character';
COMMENT ON COLUMN agent_text.segments IS 'Pieces that stand in one piece in the file: [offset in text, start line, start column, end line, end column], in order of the text';
COMMENT ON COLUMN agent_text.surface IS 'What it is to an agent: tool_description, parameter_description, tool_result, error_message, notification, hint, prompt, instructions, permission; NULL for a candidate that nothing tells';
COMMENT ON COLUMN agent_text.tool IS 'Name of the tool that it belongs to, as far as it is written in the code';
COMMENT ON COLUMN agent_text.parameter IS 'Name of the parameter that it describes';
COMMENT ON COLUMN agent_text.text IS 'As the agent sees it: pieces joined, escapes decoded, placeholders as {name} or {}';
COMMENT ON COLUMN agent_text.placeholders IS 'Names of the placeholders in order, empty where an expression has none';
COMMENT ON COLUMN agent_text.symbol_id IS 'The innermost symbol around it';
COMMENT ON COLUMN agent_text.context IS 'What becomes of it in code: return, raise, append, log, assign, argument, docstring, other';
COMMENT ON COLUMN agent_text.branch IS 'The kind of branch that it stands in: error or dry_run; NULL where neither is known';
COMMENT ON COLUMN agent_text.evidence IS 'declared (configuration, a known file name or registration), reachable (the call graph leads to it from a tool handler), candidate (prose in ordinary code)';
COMMENT ON COLUMN agent_text.evidence_detail IS 'Which registration, file name, setting or handler';

CREATE TABLE adjudications (
    text_id BIGINT NOT NULL, class VARCHAR NOT NULL, rule VARCHAR NOT NULL, verdict VARCHAR NOT NULL, confidence VARCHAR,
    severity VARCHAR, reason VARCHAR NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, message VARCHAR, replacement VARCHAR
);
COMMENT ON TABLE adjudications IS 'What the last full audit decided for a string and rule; empty until one was run';
COMMENT ON COLUMN adjudications.text_id IS 'The string';
COMMENT ON COLUMN adjudications.class IS 'Defect class, A to F';
COMMENT ON COLUMN adjudications.rule IS 'Code of the rule';
COMMENT ON COLUMN adjudications.verdict IS 'finding or pass';
COMMENT ON COLUMN adjudications.confidence IS 'certain, likely or needs_evidence; NULL for a pass';
COMMENT ON COLUMN adjudications.severity IS 'high, medium or low; NULL for a pass';
COMMENT ON COLUMN adjudications.reason IS 'Short stable name of why';
COMMENT ON COLUMN adjudications.start IS 'Offset in the text of the sentence that was judged';
COMMENT ON COLUMN adjudications."end" IS 'Offset behind it';
COMMENT ON COLUMN adjudications.message IS 'Why it misfires; NULL for a pass';
COMMENT ON COLUMN adjudications.replacement IS 'Proposed wording of that sentence; NULL where there is none';

CREATE TABLE stage_runs (stage VARCHAR NOT NULL, state VARCHAR NOT NULL, reason VARCHAR, counts JSON, seconds DOUBLE);
COMMENT ON TABLE stage_runs IS 'The last run of a stage';
COMMENT ON COLUMN stage_runs.stage IS 'discover, history, parse, graph, metrics, index or text';
COMMENT ON COLUMN stage_runs.state IS 'complete, partial, skipped or failed';
COMMENT ON COLUMN stage_runs.reason IS 'Why it is not complete';
COMMENT ON COLUMN stage_runs.counts IS 'What the facts hold after it';
COMMENT ON COLUMN stage_runs.seconds IS 'Wall time of the run; the one value here that differs between equal runs';

CREATE VIEW symbol_risk AS
SELECT s.path, s.start_line AS line, s.qualname, s.kind, s.language, s.is_test, f.role,
       m.tested, m.test_distance, t.qualname AS nearest_test, m.tested_by, m.tested_by_capped,
       m.purity, m.effect_kinds, e.qualname AS effect_via,
       m.churn, m.callers, m.callees, m.cochange_files, m.amp, m.reach, m.reach_capped, m.cyclomatic, m.cognitive,
       s.end_line - s.start_line + 1 AS lines, s.symbol_id
FROM symbols s
LEFT JOIN symbol_metrics m USING (symbol_id)
LEFT JOIN files f ON f.path = s.path
LEFT JOIN symbols t ON t.symbol_id = m.nearest_test
LEFT JOIN symbols e ON e.symbol_id = m.effect_via;
COMMENT ON VIEW symbol_risk IS 'A symbol with its risk facts: what most questions need';
COMMENT ON COLUMN symbol_risk.path IS 'File of the definition';
COMMENT ON COLUMN symbol_risk.line IS 'Line of the definition';
COMMENT ON COLUMN symbol_risk.qualname IS 'Qualified name';
COMMENT ON COLUMN symbol_risk.kind IS 'Kind of the definition';
COMMENT ON COLUMN symbol_risk.language IS 'Language';
COMMENT ON COLUMN symbol_risk.is_test IS 'Whether it is a test itself';
COMMENT ON COLUMN symbol_risk.role IS 'Role of its file';
COMMENT ON COLUMN symbol_risk.tested IS 'Whether a test reaches it over resolved calls';
COMMENT ON COLUMN symbol_risk.test_distance IS 'Calls between it and the nearest test';
COMMENT ON COLUMN symbol_risk.nearest_test IS 'Qualified name of that test';
COMMENT ON COLUMN symbol_risk.tested_by IS 'Tests that reach it, up to 32';
COMMENT ON COLUMN symbol_risk.tested_by_capped IS 'Whether more than 32 do';
COMMENT ON COLUMN symbol_risk.purity IS 'impure, pure or unknown';
COMMENT ON COLUMN symbol_risk.effect_kinds IS 'Categories of side effects that it reaches';
COMMENT ON COLUMN symbol_risk.effect_via IS 'Qualified name of the next symbol on the way to an effect';
COMMENT ON COLUMN symbol_risk.churn IS 'Commits to its file in 12 months';
COMMENT ON COLUMN symbol_risk.callers IS 'Distinct calling symbols';
COMMENT ON COLUMN symbol_risk.callees IS 'Distinct called symbols';
COMMENT ON COLUMN symbol_risk.cochange_files IS 'Distinct files that change together with its file';
COMMENT ON COLUMN symbol_risk.amp IS 'callers + cochange_files';
COMMENT ON COLUMN symbol_risk.reach IS 'Symbols from which it can be reached, up to 32';
COMMENT ON COLUMN symbol_risk.reach_capped IS 'Whether there are more than 32';
COMMENT ON COLUMN symbol_risk.cyclomatic IS 'Cyclomatic complexity';
COMMENT ON COLUMN symbol_risk.cognitive IS 'Cognitive complexity';
COMMENT ON COLUMN symbol_risk.lines IS 'Lines from the definition to its end';
COMMENT ON COLUMN symbol_risk.symbol_id IS 'Key into the other tables';

-------------------------------------------------------------------------------------------------------- internal

-- Stat data by which an unchanged file is known without being read, and the key under which its rows were made.
CREATE TABLE internal.file_stat (path VARCHAR, raw_path BLOB, size BIGINT, mtime_ns BIGINT, ctime_ns BIGINT, inode BIGINT, parse_key VARCHAR);
-- What build files say about names: go.mod modules, Cargo packages, package.json names, tsconfig paths, package-dir.
CREATE TABLE internal.build_facts (path VARCHAR, kind VARCHAR, key VARCHAR, value VARCHAR);
-- The names under which a file can be imported; several files can share one (the files of a Go package).
CREATE TABLE internal.modules (language VARCHAR, key VARCHAR, path VARCHAR);
-- Parts of a symbol that resolution and metrics need.
CREATE TABLE internal.symbol_shape (symbol_id BIGINT, path VARCHAR, owner VARCHAR, min_arity INTEGER, max_arity INTEGER, is_static BOOLEAN, is_fixture BOOLEAN, returns VARCHAR, cyclomatic INTEGER, cognitive INTEGER);
-- Base classes, traits, embedded structs and interfaces of a class, as written.
CREATE TABLE internal.bases (symbol_id BIGINT, path VARCHAR, position INTEGER, base VARCHAR);
-- Names that a scope binds to a value: a parameter, a variable, an attribute. type is NULL where nothing tells it.
CREATE TABLE internal.bindings (symbol_id BIGINT, path VARCHAR, name VARCHAR, type VARCHAR, via VARCHAR);
-- Parameters of tests and fixtures: names of fixtures that the test runner passes.
CREATE TABLE internal.requests (symbol_id BIGINT, path VARCHAR, name VARCHAR, line INTEGER);
-- Side effects that syntax shows without a call, such as a write to a global.
CREATE TABLE internal.effects (symbol_id BIGINT, path VARCHAR, kind VARCHAR, line INTEGER);
-- Names that a language's standard library and built-in types define, and the effect of each (none, or a category).
CREATE TABLE internal.known_names (language VARCHAR, pattern VARCHAR, kind VARCHAR, effect VARCHAR);
-- Length of each field of a symbol in terms, for BM25.
CREATE TABLE internal.symbol_lengths (symbol_id BIGINT, name INTEGER, path_terms INTEGER, signature INTEGER, doc INTEGER, body INTEGER, callees INTEGER);
-- What one occurrence in a field of a symbol counts, in millionths: BM25F's field weight over the normalised length. file is
-- the number of its file in file_weights. Both tables follow from symbol_lengths and are made anew by each ingest.
CREATE TABLE internal.symbol_weights (symbol_id BIGINT, file INTEGER, name BIGINT, path BIGINT, signature BIGINT, doc BIGINT, body BIGINT, callees BIGINT);
-- The same of a file, its symbols taken together as one document; files are numbered by path.
CREATE TABLE internal.file_weights (file INTEGER, file_path VARCHAR, name BIGINT, path BIGINT, signature BIGINT, doc BIGINT, body BIGINT, callees BIGINT);
-- All terms that the index or the messages of commits have.
CREATE TABLE internal.vocabulary (term_id BIGINT, term VARCHAR);
-- Commits numbered by sha, with the length of their messages in characters, and the terms of these: the history lane.
CREATE TABLE internal.commit_lengths (commit INTEGER, sha VARCHAR, files INTEGER, length INTEGER);
CREATE TABLE internal.commit_terms (term_id BIGINT, commit INTEGER, occurrences USMALLINT);
-- The namespace of each parsed file, and what resolution has to know of its language.
CREATE TABLE internal.units (path VARCHAR, unit VARCHAR, language VARCHAR, family VARCHAR, separator VARCHAR, qualified_paths BOOLEAN);
CREATE TABLE internal.language_facts (language VARCHAR, self_names VARCHAR[], super_names VARCHAR[], constructors VARCHAR[]);
-- Strings of source files and documents with what stands around them; which are agent-facing, text.sql tells.
CREATE TABLE internal.strings (path VARCHAR, symbol_id BIGINT, start_line INTEGER, start_column INTEGER, end_line INTEGER, end_column INTEGER, segments VARCHAR, text VARCHAR, placeholders VARCHAR, context VARCHAR, name VARCHAR, branch VARCHAR, surface VARCHAR, tool VARCHAR, parameter VARCHAR, detail VARCHAR);
-- Names that stand where a text is registered: the string behind them has the surface.
CREATE TABLE internal.text_references (path VARCHAR, symbol_id BIGINT, name VARCHAR, surface VARCHAR, tool VARCHAR, parameter VARCHAR, detail VARCHAR);
-- Functions that answer calls of tools, by symbol where they stand there, else by name.
CREATE TABLE internal.handlers (path VARCHAR, symbol_id BIGINT, name VARCHAR, tool VARCHAR);
-- Files that code takes in as text, under the name that it gives them.
CREATE TABLE internal.embeds (path VARCHAR, target VARCHAR, name VARCHAR, surface VARCHAR);
-- Places where a function gives back an empty value because something failed.
CREATE TABLE internal.swallows (path VARCHAR, symbol_id BIGINT, line INTEGER);
-- Comments that silence the audit: their line, the line that they are about, and what is wrong with them.
CREATE TABLE internal.suppressions (path VARCHAR, line INTEGER, target INTEGER, rules VARCHAR, reason VARCHAR, until VARCHAR, problem VARCHAR);
-- Surfaces that the configuration nearest to a file gives to it.
CREATE TABLE internal.configured_surfaces (path VARCHAR, surface VARCHAR, origin VARCHAR);
