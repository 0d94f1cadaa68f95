"""Brain over HTTP: a server of its own, and the same routes beside LangGraph's agent server."""
