"""A question to knowledge: the words, for whom, and the vector that memory compares with as well."""

from datetime import datetime

from brain.context import Context
from brain.identity import Identity
from brain.recall import TEXT_LIMIT, embed_question
from brain.resources import Resources
from knowledge.port import KnowledgeQuestion, Profile, QuestionVector
from memory.embedding import LoadedBehind, can_read, is_encoder

VECTOR_WEIGHT = 4.0
"""What meaning counts beside words: entries are whole sentences, often in another language than the question. The
best of 0 to 10 on half of the questions in ``evals/data/knowledge``: recall@5 77.8; memory's own weight has 60.3."""


def knowledge_question(identity: Identity, context: Context, text: str, at: datetime) -> KnowledgeQuestion:
    """What the organisation is asked: for whom, when, and in which words; nothing that a person told."""
    asked = text[:TEXT_LIMIT]
    profile = Profile(
        org_tier=identity.org_tier, role=identity.role, brand=context.brand, platform=context.channel_type
    )

    async def embed() -> QuestionVector | None:
        return await _embed(context.resources, asked)

    return KnowledgeQuestion(tenant_id=identity.scope.tenant_id, text=asked, at=at, profile=profile, embed=embed)


async def _embed(resources: Resources, text: str) -> QuestionVector | None:
    """None where words have to do."""
    embedder = resources.embedder
    if embedder is None or not text.strip() or (isinstance(embedder, LoadedBehind) and not embedder.is_ready):
        return None
    vector = await embed_question(resources, text) if can_read(embedder.name, text) else None
    return QuestionVector(embedder.name, vector, VECTOR_WEIGHT, is_encoder(embedder.name)) if vector else None
