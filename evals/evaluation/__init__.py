"""How well recall and memory do, measured on labelled conversations: what the ``brain eval`` commands need.

It imports nothing of the rest of ``evals``. The commands are in ``retrieval_command.py`` and ``memory_command.py``,
what they measure in ``measurement.py`` (recall) and ``memory.py`` (what is remembered).
"""
