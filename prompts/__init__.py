"""Prose for the model, one Markdown file per prompt and variant, and the registry that loads them."""
