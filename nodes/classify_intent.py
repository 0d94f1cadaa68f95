"""What does the user want?"""

from langchain_core.messages import HumanMessage, SystemMessage
from langgraph.runtime import Runtime

from brain.context import Context
from brain.intent_rules import IntentForm, classify
from brain.models.errors import ModelError
from brain.state import State, Update
from prompts.registry import load_prompt


async def classify_intent(state: State, runtime: Runtime[Context]) -> Update:
    """The intent by the fast model; by rules when there is none or it fails."""
    assert state.turn is not None
    text, model = state.turn["text"], runtime.context.resources.models.fast
    before = state.turn["turns_before"]
    if model is None:
        return {"intent": classify(text, before).model_dump()}
    try:
        prompt = load_prompt("classify_intent").render()
        form = await model.fill(IntentForm, [SystemMessage(prompt), HumanMessage(text)])
    except ModelError:
        return {"intent": classify(text, before).model_dump(), "degraded": ["intent_model_failed"]}
    return {"intent": classify(text, before, form.intent_type).model_dump()}
