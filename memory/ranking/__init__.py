"""Ranking: pure, named and versioned policies that order what retrieval brought and say why."""
