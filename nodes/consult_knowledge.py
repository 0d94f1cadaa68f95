"""What does the organisation know about this?"""

import asyncio

import structlog
from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import Identity, identity_of
from brain.state import OpenTurn, Update
from knowledge.port import KnowledgeBundle, KnowledgeQuestion

log = structlog.get_logger(__name__)


async def consult_knowledge(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """Knowledge in parallel with memory. It may be slow or away; the turn goes on and says so."""
    resources = runtime.context.resources
    question = _question(identity_of(runtime), state.turn["text"])
    try:
        async with asyncio.timeout(resources.settings.knowledge_timeout):
            return {"knowledge": await resources.knowledge.consult(question)}
    except TimeoutError:
        return _without_knowledge("knowledge_timeout")
    except Exception:
        # A store is somebody else's adapter: whatever it raises, the turn does without it.
        log.warning("knowledge_stores_unavailable", exc_info=True)
        return _without_knowledge("knowledge_stores_unavailable")


def _without_knowledge(reason: str) -> Update:
    return {"knowledge": KnowledgeBundle(), "degraded": [reason]}


def _question(identity: Identity, text: str) -> KnowledgeQuestion:
    return KnowledgeQuestion(
        tenant_id=identity.scope.tenant_id, org_tier=identity.org_tier, role=identity.role, text=text
    )
