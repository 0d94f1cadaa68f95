"""The steps of the graphs, one verb per file: of the turn here, of the background in ``evolution`` and ``upkeep``.

May import ``skills`` and all that stands below; only ``graphs``, ``apps`` and ``evals`` import it.
Begin with ``retrieve.py`` and ``respond.py``; ``graphs/brain.py`` says in which order they run.
"""
