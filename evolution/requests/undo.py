"""Taking back a change of the last day."""

from brain.change_approval import QuestionChoice
from brain.state import MemoryChange
from evolution.requests.change_run import ChangeRun, OpenQuestion
from evolution.requests.request_state import KnownRequest, RequestUpdate
from evolution.requests.target_ranking import MAX_ASKED
from evolution.requests.undoing import RecentAct, acts_about, last_asked_for, list_recent_acts, undo_act

ACT_JOINT = " · "
"""Between the memories of one change where changes are listed."""


async def undo(state: KnownRequest) -> RequestUpdate:
    """The last change that the person asked for, or the one whose words are named; else they are asked which."""
    run, about = state.run, state.request.about
    acts = await list_recent_acts(run.context.resources, run.query.scope)
    named = acts_about(acts, about) if about else [last] if (last := last_asked_for(acts)) else []
    if len(named) == 1:
        return {"change": run.conclude("undo", "done", told=await undo_act(run.editor, named[0]))}
    if about:
        return {"change": _ask_which_act(run, named) if named else run.keep_unchanged()}
    return {"change": _ask_which_act(run, acts[:MAX_ASKED]) if acts else run.conclude("undo", "unknown")}


def _ask_which_act(run: ChangeRun, acts: list[RecentAct]) -> MemoryChange:
    told = [ACT_JOINT.join(each.told) for each in acts]
    choices = [
        QuestionChoice(text=text, memory_ids=[str(act.act_id)], spoken=[]) for text, act in zip(told, acts, strict=True)
    ]
    return run.conclude("undo", "asked", told=told, carried={"question": OpenQuestion(act="undo", choices=choices)})


async def undo_chosen(run: ChangeRun, chosen: list[QuestionChoice]) -> MemoryChange:
    """Take back the changes that were chosen of a list."""
    acts = await list_recent_acts(run.context.resources, run.query.scope)
    wanted = {name for each in chosen for name in each["memory_ids"]}
    told = [said for act in acts if str(act.act_id) in wanted for said in await undo_act(run.editor, act)]
    return run.conclude("undo", "done" if told else "unknown", told=told)
