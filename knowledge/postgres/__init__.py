"""Knowledge on PostgreSQL: its own tables, by a role that may read nothing else."""
