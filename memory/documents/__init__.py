"""Documents: versioned Markdown beside the facts, and all that is decided about it without a store."""
