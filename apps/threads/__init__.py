"""Threads of conversations in our PostgreSQL: their checkpoints, and what the database knows of them."""
