"""``brain recall``: the retrieval alone, with the score of every leg and signal."""

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.output import say, show_table
from apps.memory_api.endpoint import Reply
from apps.memory_api.recall import RecalledMemories, recall_memories

_SENTENCES = {
    "cross_encoder_incomplete": "The cross-encoder read only the best memories in its time (BRAIN_RERANK_TIMEOUT).",
    "cross_encoder_unavailable": "The cross-encoder did not answer, so the policy's order stands; see 'brain doctor'.",
    "embedder_loading": "The encoder is still being loaded, so words alone were searched.",
    "embedder_unavailable": "The embedding model did not answer, so words alone were searched; see 'brain doctor'.",
    "embeddings_incomplete": "Most of this has no vector of the configured model yet; see 'brain embed status'.",
    "pgvector_unavailable": "The vectors are of another length than the model's now; run 'brain embed switch MODEL'.",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_endpoint(app, recall_memories, _show, evidence=True)


def reason_sentence(reason: str) -> str:
    """The code with its sentence, or the code alone where there is none."""
    return f"{reason}: {_SENTENCES[reason]}" if reason in _SENTENCES else reason


def _show(reply: Reply[RecalledMemories]) -> None:
    rows = [
        (
            f"{hit.score:.3f}",
            f"{hit.said_at:%Y-%m-%d}",
            hit.speaker,
            hit.session or "",
            hit.text,
        )
        for hit in sorted(reply.data.memories, key=lambda hit: -hit.score)
    ]
    if rows:
        show_table(("score", "said", "speaker", "from", "memory"), rows)
    else:
        say("Nothing is remembered about that.")
    for reason in reply.degraded:
        say(f"degraded: {reason_sentence(reason)}")
