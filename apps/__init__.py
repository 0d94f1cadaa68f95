"""The entry points: command line (``cli``), worker, and what ``langgraph.json`` names: server, sign-in, checkpointer.

May import every room but ``evals``; nobody but ``evals`` imports it.
Begin with ``cli/commands.py`` (all commands), ``worker.py`` (the jobs) and ``http.py`` (the routes beside the graphs).
"""
