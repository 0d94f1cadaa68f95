"""Ten million memories in one table, and what a million people would leave: measured where it can be, else computed.

Begin with ``__main__.py`` (what is measured) and ``paper.py`` (what is computed from it).
"""
