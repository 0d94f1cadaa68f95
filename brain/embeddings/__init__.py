"""Embedding models, and the vectors that they give to what is remembered."""
