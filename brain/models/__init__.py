"""The language models of a run: what they are asked, how a provider is reached, and what can go wrong there."""
