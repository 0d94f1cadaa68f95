"""Data sets, benchmarks and the fitting of what is fitted; no part of the installed package.

May import every room; nobody imports it. What the ``brain eval`` commands need is in ``apps/evaluation``.
Begin with ``README.md``: what was measured, with which command, and what came out.
"""
