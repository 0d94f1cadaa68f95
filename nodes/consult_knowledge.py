"""What does the organisation know about this?"""

import asyncio
from datetime import datetime

import structlog
from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import identity_of
from brain.knowledge_question import knowledge_question
from brain.state import OpenTurn, Update
from knowledge.port import KnowledgeBundle

log = structlog.get_logger(__name__)


async def consult_knowledge(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """Knowledge in parallel with memory. It may be slow or away; the turn goes on and says so."""
    resources, asked_at = runtime.context.resources, datetime.fromisoformat(state.turn["at"])
    question = knowledge_question(identity_of(runtime), runtime.context, state.turn["text"], asked_at)
    try:
        async with asyncio.timeout(resources.settings.knowledge_timeout):
            found = await resources.knowledge.consult(question)
    except TimeoutError:
        return _without_knowledge("knowledge_timeout")
    except Exception:
        # A store is somebody else's adapter: whatever it raises, the turn does without it.
        log.warning("knowledge_stores_unavailable", exc_info=True)
        return _without_knowledge("knowledge_stores_unavailable")
    return {"knowledge": found, "degraded": list(found.degraded)} if found.degraded else {"knowledge": found}


def _without_knowledge(reason: str) -> Update:
    return {"knowledge": KnowledgeBundle(), "degraded": [reason]}
