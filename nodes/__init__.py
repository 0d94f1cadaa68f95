"""The steps of the turn, one verb per file; those behind the conversation are in ``evolution``.

May import ``skills`` and all that stands below; only ``graphs``, ``apps`` and ``evals`` import it.
Begin with ``retrieve.py`` and ``respond.py``; ``graphs/brain.py`` says in which order they run.
"""
