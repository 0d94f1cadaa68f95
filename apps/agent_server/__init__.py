"""What ``langgraph.json`` names for LangGraph's agent server: its application, its rules of access, its files."""
