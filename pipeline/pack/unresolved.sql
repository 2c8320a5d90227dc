-- unresolved: the calls of the seeds that lead to no symbol of the repository.
--
-- Reads:  calls, unresolved_calls; parameter $seeds (symbol ids).
-- Writes: nothing. A row is a reason and, for external calls, a name: reason, name, calls, the most frequent first.

SELECT u.reason,
       CASE u.reason WHEN 'external' THEN coalesce(u.target, concat_ws('.', c.receiver, c.callee)) END AS name,
       count(*) AS calls
FROM calls c JOIN unresolved_calls u USING (call_id)
WHERE c.caller IN (SELECT unnest($seeds::BIGINT[]))
GROUP BY ALL
ORDER BY reason, calls DESC, name;
