"""What Brain can do: tools, their registry and their context."""
