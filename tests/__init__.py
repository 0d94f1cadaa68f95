"""Unit (no network), contract (what the store promises) and integration tests.

May import every room; what they share is in ``fakes.py``, ``this_test.py``, ``conftest.py`` and the builders beside the
tests.
Begin with ``fakes.py`` and ``unit/test_respond.py``; ``CONTRIBUTING.md`` says how to run them.
"""
