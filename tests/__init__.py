"""Unit (no database, no network), contract (the twin and PostgreSQL) and integration tests.

May import every room; what they share is in ``fakes.py``, ``conftest.py`` and the builders beside the tests.
Begin with ``fakes.py`` and ``unit/test_respond.py``; ``CONTRIBUTING.md`` says how to run them.
"""
