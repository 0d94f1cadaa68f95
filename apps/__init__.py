"""The entry points: command line (``cli``), HTTP (``http``, ``chat_api``, ``memory_api``, ``mcp``, ``panel``), jobs.

May import every room but ``evals``; nobody but ``evals`` imports it. Begin with ``cli/commands.py`` (all commands),
``servers/serve.py`` (``brain serve``), ``servers/agent_server.py`` (beside LangGraph) and ``jobs/worker.py``.
"""
