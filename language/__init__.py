"""All that knows English or Chinese: words, sentences, statements, times, questions.

Imports nothing of the project. ``en`` and ``zh`` hold the same file names.
Begin with ``statements.py``: what a person's sentence is.
"""
