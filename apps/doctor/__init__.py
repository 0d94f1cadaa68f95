"""What is configured, reachable and degraded, and what to do about it. Begin with ``examine.py``."""
