"""What a message carries beside its words: read from what clients send (``intake``), checked (``safety``), kept by hash,
and put before a model, or told in words where it takes none of its kind (``showing``)."""
