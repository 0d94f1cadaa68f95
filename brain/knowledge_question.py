"""A question to knowledge: the words, for whom, and the vector that memory compares with as well."""

from datetime import datetime

from brain.context import Context
from brain.identity import Identity
from brain.recall import TEXT_LIMIT, embed_question
from brain.resources import Resources
from brain.vector_caches import weight_for
from knowledge.port import KnowledgeQuestion, Profile, QuestionVector
from memory.embedding import LoadedBehind


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
    if embedder is None or (isinstance(embedder, LoadedBehind) and not embedder.is_ready):
        return None
    weight = weight_for((), embedder.name, text)
    vector = await embed_question(resources, text) if weight else None
    return QuestionVector(embedder.name, vector, weight) if vector else None
