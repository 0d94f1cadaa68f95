"""Memory Core, the store: what a person said, what follows from it, and how it is found again.

May import ``language`` only.
Begin with ``ports.py`` and ``recall/query.py``; ``postgres`` and ``in_memory`` are the two stores.
"""
