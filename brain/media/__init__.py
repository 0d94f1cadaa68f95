"""What a message carries beside its words.

It is read from what clients send (``intake``), checked (``safety``), kept by its hash, and put before a model or told
in words where the model takes none of its kind (``showing``).
"""
