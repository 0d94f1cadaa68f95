"""Ranking policies: pure, named and versioned orders of what retrieval brought."""
