"""Words, sentences, statements, times, questions: all that knows a language.

Imports nothing of the project. Each language is a folder of tables with the same keys, which ``tables.py`` reads.
Begin with ``statements.py``: what a person's sentence is.
"""
