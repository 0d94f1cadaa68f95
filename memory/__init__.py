"""Memory Core, the store: what a person said, what follows from it, and how it is found again.

May import ``language`` only.
Begin with ``README.md`` and ``ports.py``, then ``postgres/writing.py``.
"""
