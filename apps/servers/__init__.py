"""The servers: ``brain serve``, what ``langgraph.json`` names for LangGraph's own, and what both hold."""
