"""Overwrite what erased rows left in PostgreSQL's files; begin with ``scrub.py``.

``python -m evals.erased_bytes`` compares the ways, with 304 rows of each kind erased among 10,000 while somebody talks
without pause. VACUUM leaves 6 to 47 % of the sentences in tables and all of them among long values; VACUUM FULL takes a
second and refuses others a lock for over 100 ms. A scrub takes 3 seconds, refuses nobody and leaves none; the database
of 51 MB grows to 73, and to 82 when it is scrubbed twice more.
"""
