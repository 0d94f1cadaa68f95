"""Experiments: begin with ``joining``, by which a turn gets its variant, then ``comparison`` and ``guard``."""
