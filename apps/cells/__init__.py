"""Several databases: begin with ``move.py``, by which a tenant goes from one to another while it is talked to."""
