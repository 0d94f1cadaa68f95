"""The entry points: command line (``cli``), HTTP (``http``, ``chat_api``, ``memory_api``, ``mcp``, ``panel``), jobs.

May import every room but ``evals``; nobody but ``evals`` imports it. Begin with ``cli/commands.py`` (all commands),
``http/server.py`` (``brain serve``), ``jobs/worker.py`` and ``agent_server`` (what ``langgraph.json`` names).
"""
