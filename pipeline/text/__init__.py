"""Agent-facing text: which strings of a repository an agent reads, as what, and by which evidence.

A language's folder holds `strings.toml`, which says what strings look like in it; `surfaces.toml` beside this file says
which registrations, names and calls make a string agent-facing. Rules only judge what is found here.
"""
