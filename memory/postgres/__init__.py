"""Memory Core on PostgreSQL."""
