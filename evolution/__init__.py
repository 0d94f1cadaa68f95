"""How memories grow: from what was said to what is remembered, and its upkeep.

May import ``brain`` and what stands below it. The steps that call this are in ``nodes/evolution`` and ``nodes/upkeep``.
Begin with ``state.py``, then ``extraction``, ``supersession.py`` and ``memory_writes.py``.
"""
