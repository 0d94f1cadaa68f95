"""The run: state, context, identity, settings, resources; models, embeddings, prompting and safety.

May import ``memory``, ``knowledge``, ``prompts`` and ``language``; no node, no graph and no SQL is here.
Begin with ``context.py`` (who asks), ``state.py`` (what flows through a turn) and ``wiring.py`` (what is built).
"""
