-- The members of results that say that something is missing. A name is compared in lower case without underscores.
--
-- Writes: temp gap_fields (name, is_completeness): completeness says of the whole result that a part is missing; the
--         others hold what is missing, and count only beside a result.
CREATE OR REPLACE TEMP TABLE gap_fields AS
SELECT * FROM (VALUES
    ('complete', true), ('incomplete', true), ('iscomplete', true), ('isincomplete', true), ('partial', true), ('ispartial', true),
    ('truncated', true), ('istruncated', true), ('wastruncated', true), ('hasmore', true), ('limitreached', true), ('limithit', true),
    ('dryrun', true), ('isdryrun', true), ('rolledback', true), ('timedout', true), ('unchecked', true), ('uncheckedfiles', true),
    ('skipped', false), ('skippedfiles', false), ('failed', false), ('failures', false), ('failedfiles', false), ('failedcount', false),
    ('warnings', false), ('notfound', false), ('unresolved', false), ('omitted', false), ('dropped', false), ('pendingfiles', false),
    ('unverified', false), ('notformatted', false), ('aborted', false), ('walktruncated', true)
) AS g(name, is_completeness);
