"""The formats of other systems, a reader each; ``registry.py`` tells them apart."""
