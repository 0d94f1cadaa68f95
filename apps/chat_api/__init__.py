"""OpenAI's chat API: what a client sends, a turn of the graph for it, and the answer in its format."""
