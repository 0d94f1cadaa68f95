"""Requests that take nothing away: to remember, to note nothing, to talk off the record."""

from uuid import UUID

from evolution.requests.change_run import ChangeRun
from evolution.requests.change_targets import find_targets
from evolution.requests.outcomes import forget_targets
from evolution.requests.request_state import KnownRequest, RequestState, RequestUpdate, other_statements
from evolution.requests.target_fit import Meant, find_meant
from evolution.requests.target_ranking import rank_targets
from language.requests import Request
from language.terms import terms_of


async def remember(state: KnownRequest) -> RequestUpdate:
    """The sentence is noted as soon as its turn is logged, and so is what else the turn states."""
    run, request = state.run, state.request
    if not run.turn.get("learnt", True):
        return {"change": run.conclude("remember", "kept")}
    starts = [request.sentence.start] if request.sentence else []
    notes = [*starts, *other_statements(run, request)]
    return {"change": run.conclude("remember", "done", told=[request.stated], notes=notes)}


async def withhold(state: KnownRequest) -> RequestUpdate:
    """ "Don't keep my son's age" says nothing new: what was said before is meant.

    A matter cannot be left out for good, and the reply says so.
    """
    run, request = state.run, state.request
    if request.everything:
        return {"change": run.conclude("dont_note", "refused")}
    found = rank_targets(request, await find_targets(run.context.resources, run.query)) if request.about else []
    meant = find_meant(request, found) if terms_of(request.about) else Meant()
    if meant.sure and not run.has_model and terms_of(request.about) <= terms_of(meant.targets[0].text, alone=True):
        return {"change": await forget_targets(run, list(meant.targets))}
    return {"change": run.conclude("dont_note", "kept")}


async def switch_record(state: KnownRequest) -> RequestUpdate:
    """Off the record from now on, or on it again; who says so ends every pause that covers the conversation."""
    run = state.run
    if state.request.act == "on_record" and run.opened.is_paused:
        pauses, scope = run.context.resources.memory.pauses, run.query.scope
        await pauses.end(scope, None)
        await pauses.end(scope, UUID(run.turn["session_id"]))
    carried, notes = {"off_record": True}, list[int]()
    if state.request.act == "on_record":
        carried, notes = {}, _statements_behind(run, state.request)
    return {"change": run.conclude(state.request.act, "kept", carried=carried, notes=notes)}


def _statements_behind(run: ChangeRun, request: Request) -> list[int]:
    """What else the turn states behind the words by which it is on the record again."""
    if request.sentence is None:
        return []
    return [start for start in other_statements(run, request) if start > request.sentence.start]


async def keep_unchanged(state: RequestState) -> RequestUpdate:
    """An ordinary turn."""
    return {"change": state.run.keep_unchanged()}
