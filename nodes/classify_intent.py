"""What does the user want?"""

import asyncio

from langgraph.runtime import Runtime

from brain.context import Context
from brain.intent_rules import SURE_CONFIDENCE, IntentForm, classify
from brain.models.errors import ModelError
from brain.state import OpenTurn, Update
from prompts.registry import load_prompt


async def classify_intent(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """The intent by rules where they are sure, else by the fast model; by rules when there is none or it fails."""
    text, model = state.turn["text"], runtime.context.resources.models.fast
    before = state.turn["turns_before"]
    read = await asyncio.to_thread(classify, text, before)
    if model is None or read.confidence >= SURE_CONFIDENCE or not text.strip():
        return {"intent": read.model_dump()}
    try:
        form = await model.fill(IntentForm, load_prompt("classify_intent").ask(message=text))
    except ModelError:
        return {"intent": read.model_dump(), "degraded": ["intent_model_failed"]}
    return {"intent": classify(text, before, form.intent_type).model_dump()}
