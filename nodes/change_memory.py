"""Forget, correct, remember, withhold: what a person asks of memory is done in the turn in which they ask for it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, NotRequired, TypedDict, cast
from uuid import UUID

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime

from brain.approval import Approval, is_expired, is_waiting
from brain.change_approval import ApprovalReason, PendingChange, QuestionChoice, approval_request, edit_change
from brain.context import Context
from brain.documents.profile_refresh import try_refresh_profile
from brain.identity import identity_of
from brain.recall import RecallRequest, search
from brain.state import ChangeAct, ChangeOutcome, MemoryChange, State, TurnInfo, Update
from evolution.change_targets import (
    MOST_ASKED,
    ChangeTarget,
    TargetQuery,
    TurnSpan,
    find_targets,
    likely_targets,
    pick_clear_target,
    rank_targets,
    related_targets,
    targets_in_last_turn,
    targets_on_topic,
)
from evolution.memory_editor import MemoryEditor, UndoStep, corrected_text
from language.choices import read_choice
from language.detection import language_of
from language.requests import Request, find_request, terms_of
from language.statements import read_statements
from language.times import find_times
from memory.contracts import Visibility
from memory.session_state import SessionState
from nodes.open_session import reload_session, remove_forgotten

_VISIBLE: dict[ChangeAct, Visibility] = {"forget": "log", "dont_note": "session", "undo": "session"}


class OpenQuestion(TypedDict):
    """What was asked back, until the next turn answers it."""

    act: Literal["forget", "correct"]
    choices: list[QuestionChoice]
    stated: str
    denied: str
    whole: NotRequired[bool]
    """Whether only all of them can be chosen, or none."""


@dataclass(frozen=True, kw_only=True)
class _ChangeRun:
    """What the steps below need of the run."""

    context: Context
    turn: TurnInfo
    heard: TargetQuery
    changes: MemoryEditor
    opened: SessionState
    is_approved: bool = False

    @property
    def is_off_record(self) -> bool:
        return bool(self.opened.carried.get("off_record"))


def asks_change(state: State) -> Literal["change_memory", "assemble"]:
    """Does the person ask something of memory, answer a question about it, or talk off the record?"""
    carried: Mapping[str, Any] = state.opened.carried if state.opened else {}
    asked = state.turn is not None and find_request(state.turn["text"], _previous_reply(state)) is not None
    return "change_memory" if asked or carried.get("question") or carried.get("off_record") else "assemble"


def needs_approval(state: State) -> Literal["approve", "assemble"]:
    """Has the change to wait for a decision?"""
    return "approve" if is_waiting(state.approval) else "assemble"


async def change_memory(state: State, runtime: Runtime[Context]) -> Update:
    """Carry out what was asked; where anything went, this turn's own prompt is without it.

    What the policy has wait for approval is asked for, and carried out when the node runs again with the decision.
    """
    run = await _build_run(state, runtime)
    if state.approval:
        change = await _carry_out_decision(run, state.approval)
        request = find_request(run.turn["text"], _previous_reply(state))
        change = _note_others(run, request, change) if request else change
    else:
        change = await _read_and_carry_out(run, _previous_reply(state))
    if change["outcome"] == "waiting":
        return {"approval": _ask_approval(run, change)}
    known: Update = {"change": change, "approval": None, "opened": run.opened}
    if change["outcome"] != "done" or change["act"] not in ("forget", "correct", "undo"):
        return known
    await try_refresh_profile(run.context.resources, run.heard.scope, run.turn["time_zone"])
    return known | await _reload_turn(state, run, runtime)


async def _read_and_carry_out(run: _ChangeRun, previous_reply: str) -> MemoryChange:
    question: OpenQuestion | None = run.opened.carried.get("question")
    change = await _answer_question(run, question) if question else None
    request = find_request(run.turn["text"], previous_reply) if change is None else None
    return change or (await _carry_out(run, request) if request else _keep_unchanged(run))


async def _carry_out(run: _ChangeRun, request: Request) -> MemoryChange:
    match request.act:
        case "forget" | "correct":
            change = await _change_match(run, request)
            return _note_others(run, request, change)
        case "undo":
            return await _take_back(run)
        case "off_record" | "on_record":
            off = request.act == "off_record"
            return _change(run, request.act, "kept", carried={"off_record": True} if off else {})
        case "dont_note":
            return await _withhold(run, request)
        case "remember":
            assert request.sentence is not None
            undo = [UndoStep(memory_id="", version=0, operation_id=run.turn["operation_id"])]
            notes = [request.sentence.start, *_other_statements(run, request)]
            return _change(run, "remember", "done", told=[request.stated], notes=notes, carried={"undo": undo})


def _note_others(run: _ChangeRun, request: Request, change: MemoryChange) -> MemoryChange:
    """A change that is done, with what the turn says beside asking for it."""
    return {**change, "notes": _other_statements(run, request)} if change["outcome"] == "done" else change


def _other_statements(run: _ChangeRun, request: Request) -> list[int]:
    """Where the other sentences of this turn begin that a memory is made of."""
    asking = request.sentence
    found = [each for each in read_statements(run.turn["text"]) if each.is_memorable and each.kind != "slip"]
    return [each.start for each in found if asking is not None and each.start != asking.start]


async def _change_match(run: _ChangeRun, request: Request) -> MemoryChange:
    among = await find_targets(run.context.resources, run.heard)
    found = rank_targets(request, among)
    if request.act == "correct":
        one = pick_clear_target(found)
        return await _correct(run, request, one) if one else _keep_unchanged(run)
    if request.points:
        return await _forget(run, targets_in_last_turn(run.heard, among))
    if request.when:
        return _ask_period(run, request, among)
    if request.everything:
        return await _forget(run, related_targets(found)) if request.about else _confirm_all(run, request, among)
    return await _forget_match(run, request, found)


async def _forget_match(run: _ChangeRun, request: Request, found: list[ChangeTarget]) -> MemoryChange:
    """What is meant without doubt is forgotten, else asked about; what is not addressed to Brain is always asked."""
    one = pick_clear_target(found, request.about)
    if not request.is_addressed:
        return _ask_which(run, request, [one]) if one else _keep_unchanged(run)
    if one is not None:
        return await _forget(run, [one])
    several = likely_targets(found) or targets_on_topic(request, found)[:MOST_ASKED]
    return _ask_which(run, request, several) if several else _change(run, "forget", "unknown")


def _ask_period(run: _ChangeRun, request: Request, among: list[ChangeTarget]) -> MemoryChange:
    """ "Forget what I told you yesterday": by the time alone it is never sure enough what is meant."""
    spans = find_times(request.when, run.changes.at, run.turn["time_zone"])
    said = [each for each in among if any(each.is_said_in(span.start, span.end) for span in spans)]
    return _confirm_all(run, request, said)


def _confirm_all(run: _ChangeRun, request: Request, among: list[ChangeTarget]) -> MemoryChange:
    if not among:
        return _change(run, "forget", "unknown")
    question: OpenQuestion = {**_open_question(request, among), "whole": True}
    return _change(run, "forget", "confirm", told=[each.text for each in among], carried={"question": question})


async def _withhold(run: _ChangeRun, request: Request) -> MemoryChange:
    """ "Don't keep my son's age" says nothing new: what was said before is meant."""
    found = rank_targets(request, await find_targets(run.context.resources, run.heard)) if request.about else []
    one = pick_clear_target(found)
    if one is not None and terms_of(request.about) <= terms_of(one.text, alone=True):
        return await _forget(run, [one])
    return _change(run, "dont_note", "kept")


async def _forget(run: _ChangeRun, gone: list[ChangeTarget]) -> MemoryChange:
    if not gone:
        return _change(run, "forget", "unknown")
    reason = "" if run.is_approved else await _approval_reason(run, gone)
    if reason:
        return _wait(run, PendingChange(act="forget", choices=_choices(gone), new="", reason=reason))
    undo = await run.changes.forget(gone)
    return _change(run, "forget", "done", told=[each.text for each in gone], carried={"undo": undo})


async def _correct(run: _ChangeRun, request: Request, one: ChangeTarget) -> MemoryChange:
    content = corrected_text(one, request)
    doubtful = not request.is_addressed and not terms_of(request.denied) <= terms_of(one.text)
    if doubtful or content.casefold() == one.text.casefold():
        return _keep_unchanged(run)
    reason = await _approval_reason(run, [one])
    if reason:
        return _wait(run, PendingChange(act="correct", choices=_choices([one]), new=content, reason=reason))
    return await _replace(run, one, content)


async def _replace(run: _ChangeRun, one: ChangeTarget, content: str) -> MemoryChange:
    undo = await run.changes.correct(one, content)
    return _change(run, "correct", "done", told=[one.text], new=content, carried={"undo": undo})


async def _take_back(run: _ChangeRun) -> MemoryChange:
    steps: list[UndoStep] = run.opened.carried.get("undo", [])
    if not steps:
        return _change(run, "undo", "unknown")
    return _change(run, "undo", "done", told=await run.changes.take_back(steps))


async def _answer_question(run: _ChangeRun, question: OpenQuestion) -> MemoryChange | None:
    """What becomes of an open question; None when this turn is no answer to it."""
    choices = question["choices"]
    if question.get("whole"):
        answer = read_choice(run.turn["text"], [""])
        places = tuple(range(len(choices))) if answer else answer
    else:
        places = read_choice(run.turn["text"], [each["text"] for each in choices])
    if places is None:
        return None
    if not places:
        return _change(run, question["act"], "kept")
    gone = [await _mention(run, choices[place]) for place in places]
    return await _forget(replace(run, is_approved=bool(question.get("whole"))), gone)


async def _mention(run: _ChangeRun, choice: QuestionChoice) -> ChangeTarget:
    ids = [UUID(event_id) for event_id, _, _ in choice["spoken"]]
    found = await run.context.resources.memory.log.events(run.heard.scope, ids) if ids else []
    events = {str(each.event_id): each for each in found}
    spoken = [TurnSpan(events[name], start, end) for name, start, end in choice["spoken"] if name in events]
    return ChangeTarget(
        text=choice["text"],
        person="",
        topics={},
        memory_ids=tuple(map(UUID, choice["memory_ids"])),
        spoken=tuple(spoken),
    )


def _ask_which(run: _ChangeRun, request: Request, several: list[ChangeTarget]) -> MemoryChange:
    question = _open_question(request, several)
    return _change(run, "forget", "asked", told=[each.text for each in several], carried={"question": question})


def _open_question(request: Request, several: list[ChangeTarget]) -> OpenQuestion:
    return OpenQuestion(act="forget", choices=_choices(several), stated=request.stated, denied=request.denied)


def _choices(targets: list[ChangeTarget]) -> list[QuestionChoice]:
    return [
        QuestionChoice(
            text=each.text,
            memory_ids=[str(known) for known in each.memory_ids],
            spoken=[(str(span.event.event_id), span.start, span.end) for span in each.spoken],
        )
        for each in targets
    ]


async def _approval_reason(run: _ChangeRun, targets: list[ChangeTarget]) -> ApprovalReason:
    """Why the change has to wait for approval; empty when it has not."""
    policy = run.context.approval_policy
    ids = {known for each in targets for known in each.memory_ids}
    if policy.is_bulk(len(ids) + sum(len(each.spoken) for each in targets)):
        return "bulk"
    if "conflicts" in policy.acts and ids and await _settles_constraint(run, ids):
        return "conflict"
    return ""


async def _settles_constraint(run: _ChangeRun, ids: set[UUID]) -> bool:
    """Whether one of the memories is a side of an open conflict about a constraint."""
    memory, scope = run.context.resources.memory, run.heard.scope
    opened = await memory.conflicts.list_conflicts(scope)
    sides = [side for each in opened if ids & {each.held_id, each.new_id} for side in (each.held_id, each.new_id)]
    contested = await memory.items.get_many(scope, list(dict.fromkeys(sides))) if sides else []
    return any(each.memory_type == "constraint" for each in contested)


def _wait(run: _ChangeRun, pending: PendingChange) -> MemoryChange:
    told = [each["text"] for each in pending["choices"]]
    return _change(run, pending["act"], "waiting", told=told, carried={"pending": pending})


def _ask_approval(run: _ChangeRun, change: MemoryChange) -> Approval:
    pending: PendingChange = change["carried"]["pending"]
    request = approval_request(pending, language_of(run.turn["text"]))
    return run.context.approval_policy.start("change_memory", request, {**pending}, run.context.resources.clock())


async def _carry_out_decision(run: _ChangeRun, approval: Approval) -> MemoryChange:
    """Do what was approved, as it was edited; what is over by then is left alone."""
    pending, decision = cast("PendingChange", approval["plan"]), approval["decisions"][0]
    if is_expired(approval, run.context.resources.clock()):
        return _change(run, pending["act"], "expired")
    if decision["type"] == "edit" and "edited_action" in decision:
        pending = edit_change(pending, decision["edited_action"]["args"])
    targets = [each for choice in pending["choices"] if (each := await _find_living(run, choice))]
    if decision["type"] == "reject" or not targets:
        return _change(run, pending["act"], "refused")
    approved = replace(run, is_approved=True)
    if pending["act"] == "correct":
        return await _replace(approved, targets[0], pending["new"])
    return await _forget(approved, targets)


async def _find_living(run: _ChangeRun, choice: QuestionChoice) -> ChangeTarget | None:
    """What a choice means now; None when all of it has ended meanwhile."""
    meant = await _mention(run, choice)
    found = await run.context.resources.memory.items.get_many(run.heard.scope, list(meant.memory_ids))
    living = tuple(each.memory_id for each in found if each.status == "active")
    return replace(meant, memory_ids=living) if living or meant.spoken else None


def _keep_unchanged(run: _ChangeRun) -> MemoryChange:
    """An ordinary turn: an open question is dropped, and off the record stays off the record."""
    return _change(run, "", "kept")


def _change(
    run: _ChangeRun, act: ChangeAct, outcome: ChangeOutcome, *, carried: dict[str, Any] | None = None, **more: Any
) -> MemoryChange:
    before = run.opened.carried
    keeps: dict[str, Any] = {"off_record": True} if run.is_off_record and act != "on_record" else {}
    if "undo" in before and (act, outcome) != ("undo", "done"):
        keeps["undo"] = before["undo"]
    withheld = run.is_off_record or act in ("dont_note", "off_record")
    visibility = _VISIBLE.get(act, "all") if outcome == "done" or act == "dont_note" else "all"
    values: dict[str, Any] = {
        "act": act,
        "outcome": outcome,
        "told": [],
        "new": "",
        "notes": [],
        "visibility": "session" if withheld and visibility == "all" else visibility,
        "settled": "off the record" if withheld else "carried out in the turn" if outcome == "done" else "",
        "carried": keeps | (carried or {}),
    }
    return MemoryChange(**(values | more))


async def _reload_turn(state: State, run: _ChangeRun, runtime: Runtime[Context]) -> Update:
    """The session, the thread and the memories of this turn as they are after the change."""
    opened = await reload_session(run.turn, runtime)
    opened = replace(opened, injected=run.opened.injected, tokens_spent=run.opened.tokens_spent)
    found = await search(run.context.resources, run.heard.scope, run.heard.ask)
    living = {str(each.source_id): each.text for each in found.candidates.candidates}
    return {
        "opened": opened,
        "messages": remove_forgotten(state.messages, opened),
        "memories": [each for each in state.memories if living.get(each["memory_id"]) == each["text"]],
        "rejected": [each for each in state.rejected if living.get(each["memory_id"]) == each["text"]],
    }


async def _build_run(state: State, runtime: Runtime[Context]) -> _ChangeRun:
    assert state.turn is not None
    assert state.opened is not None
    identity, turn = identity_of(runtime), state.turn
    heard = TargetQuery(
        scope=identity.scope,
        speaker=identity.user if identity.scope.is_group else "user",
        window=state.opened.window,
        ask=RecallRequest.of_turn(turn["text"], turn),
    )
    changes = MemoryEditor(
        resources=runtime.context.resources,
        scope=identity.scope,
        key=f"change:{turn['operation_id']}",
        trace_id=turn["operation_id"],
        at=datetime.fromisoformat(turn["at"]),
    )
    return _ChangeRun(context=runtime.context, turn=turn, heard=heard, changes=changes, opened=state.opened)


def _previous_reply(state: State) -> str:
    """What Brain said last, before the newest words of the person."""
    earlier = [each for each in state.messages[:-1] if isinstance(each, AIMessage | HumanMessage)]
    return earlier[-1].text if earlier and isinstance(earlier[-1], AIMessage) else ""
