"""Prose for the model, one Markdown file per prompt and variant.

May import ``language`` only.
Begin with ``system.default.md``; ``registry.py`` loads and checks the files.
"""
