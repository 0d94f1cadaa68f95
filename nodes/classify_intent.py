"""What does the user want?"""

from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.runtime import Runtime

from brain.context import Context
from brain.intent_rules import Intent, classify
from brain.models.errors import ModelError
from brain.state import State, Update
from prompts.registry import load


async def classify_intent(state: State, runtime: Runtime[Context]) -> Update:
    """The intent by the fast model; by rules when there is none or it fails."""
    assert state.turn is not None
    text, model = state.turn["text"], runtime.context.resources.models.fast
    by_rules = classify(text, state.turn["turns_before"])
    if model is None:
        return {"intent": by_rules.model_dump()}
    try:
        prompt = load("classify_intent").render()
        intent = await model.fill(Intent, [SystemMessage(prompt), HumanMessage(text)])
    except ModelError:
        return {"intent": by_rules.model_dump(), "degraded": ["intent_model_failed"]}
    return {"intent": intent.model_dump()}
