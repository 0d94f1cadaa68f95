"""How well recall does, measured on labelled conversations: what ``brain eval retrieval`` needs.

Data sets and benchmarks are in ``evals``, of which nothing here is made. Begin with ``running.py``.
"""
