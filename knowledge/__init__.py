"""What an organisation knows, apart from what a person told: never imports ``memory``, and ``memory`` never imports it.

May import ``retrieval`` and ``language``; the way to its tables is handed in.
Begin with ``port.py``: what a turn asks of it; ``corpus.py`` and ``cut.py`` say what is found.
"""
