"""Upkeep: what is judged about living memories, and how the verdicts are carried out."""
