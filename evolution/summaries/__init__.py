"""What stands for the beginning of a long session: where it is cut, what is told of it, and how it is kept."""
