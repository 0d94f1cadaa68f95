"""How SOUL changes: proposed, evaluated, decided by a person, applied, watched, and taken back.

Begin with ``evaluation.py`` and ``acts.py``; ``steps.py`` are the steps of the graph.
"""
