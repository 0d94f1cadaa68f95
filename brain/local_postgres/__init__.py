"""The embedded PostgreSQL of a first run."""
