"""How memories grow: from what was said to what is remembered, and its upkeep.

May import ``brain`` and what stands below it. Each step of the graphs ``evolution``, ``correction`` and ``upkeep`` is a
file named by its verb, with its own logic. Begin with ``state.py``, then ``observe.py``, ``extraction/analyze.py`` and
``write.py``; ``upkeep`` has the steps of upkeep, ``requests`` what people ask of their memory.
"""
