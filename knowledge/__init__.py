"""What an organisation knows, apart from what a person told: never imports ``memory``, and ``memory`` never imports it.

May import ``language`` only.
Begin with ``port.py``: what a knowledge store answers.
"""
