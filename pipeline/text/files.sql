-- The facts as if some files had been read just now: their own rows stand beside those of all other files.
--
-- Reads:  facts (the store, attached), temp given (path): the files
-- Writes: own.<table>: room for the files' rows; a view of each table that text.sql and the rules read
--
-- Calls, edges, metrics and postings stay those of the store: only an ingest works them out.
CREATE SCHEMA own;
CREATE SCHEMA internal;

CREATE TABLE own.symbols AS FROM facts.symbols LIMIT 0;
CREATE TABLE own.imports AS FROM facts.imports LIMIT 0;
CREATE TABLE own.field_uses AS FROM facts.field_uses LIMIT 0;
CREATE TABLE own.strings AS FROM facts.internal.strings LIMIT 0;
CREATE TABLE own.text_references AS FROM facts.internal.text_references LIMIT 0;
CREATE TABLE own.handlers AS FROM facts.internal.handlers LIMIT 0;
CREATE TABLE own.swallows AS FROM facts.internal.swallows LIMIT 0;
CREATE TABLE own.suppressions AS FROM facts.internal.suppressions LIMIT 0;

CREATE VIEW symbols AS
    SELECT * FROM facts.symbols WHERE path NOT IN (FROM given) UNION ALL BY NAME FROM own.symbols;
CREATE VIEW imports AS
    SELECT * FROM facts.imports WHERE path NOT IN (FROM given) UNION ALL BY NAME FROM own.imports;
CREATE VIEW field_uses AS
    SELECT * FROM facts.field_uses WHERE symbol_id NOT IN (SELECT symbol_id FROM facts.symbols WHERE path IN (FROM given))
    UNION ALL BY NAME FROM own.field_uses;
CREATE VIEW internal.strings AS
    SELECT * FROM facts.internal.strings WHERE path NOT IN (FROM given) UNION ALL BY NAME FROM own.strings;
CREATE VIEW internal.text_references AS
    SELECT * FROM facts.internal.text_references WHERE path NOT IN (FROM given) UNION ALL BY NAME FROM own.text_references;
CREATE VIEW internal.handlers AS
    SELECT * FROM facts.internal.handlers WHERE path NOT IN (FROM given) UNION ALL BY NAME FROM own.handlers;
CREATE VIEW internal.swallows AS
    SELECT * FROM facts.internal.swallows WHERE path NOT IN (FROM given) UNION ALL BY NAME FROM own.swallows;
CREATE VIEW internal.suppressions AS
    SELECT * FROM facts.internal.suppressions WHERE path NOT IN (FROM given) UNION ALL BY NAME FROM own.suppressions;
-- The configuration that counts is that of the files.
CREATE TABLE internal.configured_surfaces AS FROM facts.internal.configured_surfaces LIMIT 0;

CREATE VIEW files AS FROM facts.files;
CREATE VIEW edges AS FROM facts.edges;
CREATE VIEW calls AS FROM facts.calls;
CREATE VIEW unresolved_calls AS FROM facts.unresolved_calls;
CREATE VIEW symbol_metrics AS FROM facts.symbol_metrics;
CREATE VIEW terms AS FROM facts.terms;
CREATE VIEW postings AS FROM facts.postings;
