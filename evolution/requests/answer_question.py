"""The answer to what was asked back in the turn before."""

from dataclasses import replace

from evolution.requests.change_run import find_chosen
from evolution.requests.outcomes import forget_targets
from evolution.requests.request_state import RequestState, RequestUpdate
from evolution.requests.undo import undo_chosen


async def answer_question(state: RequestState) -> RequestUpdate:
    """Forget or take back what was chosen; nothing where nothing was. A yes to several is asked back once more."""
    run, question = state.run, state.question
    if question is not None and state.is_unclear:
        told = [each["text"] for each in question["choices"]]
        return {"change": run.conclude(question["act"], "asked", told=told, carried={"question": question})}
    if question is None or not state.chosen:
        return {"change": run.conclude(question["act"] if question else "", "kept")}
    chosen = [question["choices"][place] for place in state.chosen]
    if question["act"] == "undo":
        return {"change": await undo_chosen(run, chosen)}
    gone = [await find_chosen(run, each) for each in chosen]
    return {"change": await forget_targets(replace(run, is_approved=bool(question.get("whole"))), gone)}
