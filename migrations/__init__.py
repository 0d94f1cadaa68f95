"""Numbered SQL, applied in order by ``brain migrate``; data only, no code.

A migration that has landed is frozen: ``sha256sum 0017_name.sql >> digests.txt`` lists it. What the application may do
with a new table goes into ``grants.sql``.
"""
