"""All that knows English or Chinese: words, sentences, statements, times, questions. Imports nothing of the project.

Begin with ``statements.py``: what a person's sentence is. ``en`` and ``zh`` hold the same file names.
"""
