"""By what both stores are searched, memory and knowledge: an inverted index, vectors, and the scores of each row.

May import ``language`` only, and knows neither what a row is nor who may see it.
Begin with ``scores.py``: how rows are scored for a question.
"""
