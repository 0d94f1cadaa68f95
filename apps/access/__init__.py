"""Who asks, and what they may do: tokens, API keys, the caller behind a request, and refusals that are audited."""
