"""What recall had to do without, in a sentence that helps; programs get the code."""

_SENTENCES = {
    "cross_encoder_incomplete": "The cross-encoder read only the best memories in its time (BRAIN_RERANK_TIMEOUT).",
    "cross_encoder_unavailable": "The cross-encoder did not answer, so the policy's order stands; see 'brain doctor'.",
    "embedder_unavailable": "The embedding model did not answer, so words alone were searched; see 'brain doctor'.",
    "embeddings_incomplete": "Most of this has no vector of the configured model yet; see 'brain embed status'.",
    "pgvector_unavailable": "The vectors are of another length than the model's now; run 'brain embed switch MODEL'.",
}


def reason_sentence(reason: str) -> str:
    """The code with its sentence, or the code alone where there is none."""
    return f"{reason}: {_SENTENCES[reason]}" if reason in _SENTENCES else reason
