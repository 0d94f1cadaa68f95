"""How the prompt is put together: budget, truncation, tags, window, persona."""
