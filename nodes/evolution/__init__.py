"""The steps from what was said to what is remembered, one verb per file."""
