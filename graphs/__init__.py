"""What runs: the wiring of the turn, of recall for others and of what grows behind. No logic of a step is here.

May import ``nodes`` and all that stands below; only ``apps`` and ``evals`` import it.
Begin with ``brain.py``: it reads like the drawing in ``README.md``.
"""
