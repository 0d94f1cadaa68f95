"""With a model no rule changes memory before it: it sees what may be meant, and decides by its tools."""

from evolution.requests.change_run import OpenQuestion, choices_of
from evolution.requests.change_targets import ChangeTarget, find_targets, targets_in_last_turn
from evolution.requests.correction_fit import find_corrections
from evolution.requests.request_state import KnownRequest, RequestUpdate
from evolution.requests.target_fit import find_meant, hold_all
from evolution.requests.target_ranking import MAX_ASKED, rank_targets


async def propose(state: KnownRequest) -> RequestUpdate:
    """Tell what may be meant; what a person asks Brain itself to forget stays open as a question."""
    run, request, meant = state.run, state.request, await _find_meant(state)
    if request.act == "correct" or not request.is_addressed:
        told = [each.text for each in meant]
        return {"change": run.conclude(request.act, "proposed", told=told) if meant else run.keep_unchanged()}
    question = OpenQuestion(act="forget", choices=choices_of(meant[:MAX_ASKED]))
    carried = {"question": question} if meant else {}
    told = [each.text for each in meant[:MAX_ASKED]]
    return {"change": run.conclude("forget", "proposed", told=told, carried=carried)}


async def _find_meant(state: KnownRequest) -> list[ChangeTarget]:
    run, request = state.run, state.request
    among = await find_targets(run.context.resources, run.query)
    if request.act == "correct":
        return [each.target for each in find_corrections(request, run.turn["text"], run.query, among)][:MAX_ASKED]
    found = rank_targets(request, among)
    if request.points:
        return targets_in_last_turn(run.query, found)
    return hold_all(request, found) if request.everything else list(find_meant(request, found).targets)
