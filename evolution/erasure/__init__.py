"""Erasing a person for good: asked for at any door, done behind it, and certified."""
