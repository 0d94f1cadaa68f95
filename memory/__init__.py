"""Memory Core: what a person said, what follows from it, and how it is found again."""
