"""Words that only those who built Brain understand, and that nobody else should have to read."""

import re

_WORDS = (
    "kin own lane lanes deepen blend rrf lexical vector cosine coverage listwise echo belief voice bm25 embedder "
    "checkpoint checkpoints retrieval rerank policy degraded"
)
_INTERNAL = re.compile(
    rf"(?<![\w-])(?:{'|'.join(_WORDS.split())})(?![\w-])(?:@\d+)?|\b[a-z0-9-]+@\d+\b|\b[a-z]+(?:_[a-z]+)+\b",
    re.IGNORECASE,
)


def find_internal_words(said: str) -> list[str]:
    """Those in what a person reads, each once; names of settings are not among them."""
    return list(dict.fromkeys(found[0] for found in _INTERNAL.finditer(said) if not found[0].startswith("BRAIN_")))
