"""How well recall and memory do, measured on labelled conversations: what the ``brain eval`` commands need.

Data sets and benchmarks are in ``evals``, of which nothing is imported here.
Begin with ``measurement.py`` (recall) and ``memory.py`` (what is remembered).
"""
