"""The memory API under ``/v1/memory``: everything that can be done with a person's memory, as JSON."""
