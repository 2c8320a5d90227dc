"""From findings to edits, and from edits to files.

proposals    which wording a finding proposes, and whether it is safe
hunks        what differs between a sentence and its proposal, placeholders left as they stand
literals     the string, scalar, block or comment of a file that a place is in
quoting      a text as such a literal holds it, by the rules of its language
plan         the edits of a finding, or the reason why it has none
rewrite      edits put into the bytes of a file
check        whether an edited file parses, and says what was meant
post_steps   the formatter and the checker that a project configures
place        reading a file, and replacing it whole or not at all
run          all of it, for the findings of an audit
"""
