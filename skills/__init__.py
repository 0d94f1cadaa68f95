"""What Brain can do when the model asks for it: tools, their registry and the context they run in.

May import ``evolution`` and all that stands below; ``nodes`` call it.
Begin with ``tool.py`` (what a tool is) and ``registry.py`` (which there are, and who is offered them).
"""
