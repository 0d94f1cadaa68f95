"""The answer to what was asked back in the turn before."""

from dataclasses import replace

from brain.state import MemoryChange
from evolution.requests.change_run import ChangeRun, OpenQuestion, find_chosen, find_living
from evolution.requests.outcomes import correct_target, forget_targets
from evolution.requests.request_state import RequestState, RequestUpdate
from evolution.requests.undo import undo_chosen


async def answer_question(state: RequestState) -> RequestUpdate:
    """Forget, correct or take back what was chosen; nothing where nothing was. A yes to several is asked once more."""
    run, question = state.run, state.question
    if question is not None and state.is_unclear:
        told = [each["text"] for each in question["choices"]]
        return {"change": run.conclude(question["act"], "asked", told=told, carried={"question": question})}
    if question is None or not state.chosen:
        return {"change": run.conclude(question["act"] if question else "", "kept")}
    chosen = [question["choices"][place] for place in state.chosen]
    if question["act"] == "undo":
        return {"change": await undo_chosen(run, chosen)}
    if question["act"] == "correct":
        return {"change": await _correct_chosen(run, question, state.chosen)}
    gone = [await find_chosen(run, each) for each in chosen]
    return {"change": await forget_targets(replace(run, is_approved=bool(question.get("whole"))), gone)}


async def _correct_chosen(run: ChangeRun, question: OpenQuestion, chosen: tuple[int, ...]) -> MemoryChange:
    """The one that was chosen; two of them cannot both be put right by one value."""
    place, *more = chosen
    if more:
        told = [each["text"] for each in question["choices"]]
        return run.conclude("correct", "asked", told=told, carried={"question": question})
    one = await find_living(run, question["choices"][place])
    if one is None:
        return run.conclude("correct", "kept")
    return await correct_target(run, one, question.get("contents", [])[place])
