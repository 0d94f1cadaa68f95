"""Begin a turn: check the words, accept them, load the session they are said in."""

from dataclasses import replace
from datetime import UTC
from hashlib import sha256
from uuid import UUID

from langchain_core.messages import AnyMessage
from langgraph.graph import END
from langgraph.runtime import Runtime

from brain.context import Context
from brain.documents.past_documents import as_of_moment
from brain.experiments.joining import join_experiment
from brain.identity import Identity, identity_of
from brain.media.intake import without_bytes
from brain.media.message import SpokenMessage, hear_message
from brain.state import State, TurnInfo, Update
from brain.turn_run import run_id_of, run_to_completion, thread_of
from memory.documents.document import prompt_document_ids
from memory.scope import session_id_of
from memory.session_state import SessionState
from memory.turns import NewTurn, SessionRef, Utterance
from memory.zones import local_day, require_zone
from nodes.thread_position import (
    find_missing,
    follow_move,
    is_copied,
    is_fork,
    is_from_start,
    is_learnt,
    is_settled,
    mended_messages,
    parent_of,
    remove_forgotten,
)

FIRST_STEPS = ("classify_intent", "rewrite_query", "retrieve", "consult_knowledge")


async def open_session(state: State, runtime: Runtime[Context]) -> Update:
    """A clean slate for this turn, its words in the log, and its session as it stood before: one round trip.

    A turn that comes again after it was answered, as after a crash, changes nothing but what the thread lacks.
    """
    identity, resources = identity_of(runtime), runtime.context.resources
    settings, limit = resources.settings, resources.settings.daily_tokens if resources.models.is_configured else None
    said = await hear_message(state.messages, settings.media_limits)
    state, kept = _without_bytes(state, said)
    new = _new_turn(state, runtime, identity, said)
    now = new.words.occurred_at
    documents = prompt_document_ids(identity.scope, local_day(now, new.words.time_zone))
    day = None if limit is None else now.astimezone(UTC).date()
    log = resources.memory.log
    opened = await run_to_completion(log.accept(identity.scope, new, settings.window_events, documents, day))
    if opened.moved:
        opened = await follow_move(opened, resources, identity.scope, new.words.time_zone)
    missing = await find_missing(state, new, opened, resources, identity.scope)
    turn, is_over = _turn(new, opened, state, runtime), is_settled(new, opened)
    mended = mended_messages(state, opened, missing, is_over)
    if is_over:
        return {"messages": mended or kept, "turn": _head(turn, opened) if missing else state.turn}
    opened = await as_of_moment(opened, resources, identity.scope, new.words.time_zone)
    left = None if limit is None else limit - opened.tokens_spent
    messages = mended or [*kept, *remove_forgotten(state.messages, opened)]
    joined = {"experiment": await join_experiment(opened, runtime, identity)}
    return _clean_slate() | joined | {"turn": turn, "opened": opened, "tokens_left": left, "messages": messages}


def first_steps(state: State) -> list[str]:
    """What a turn begins with; nothing where it was over before it came again."""
    return [END] if state.opened is None else list(FIRST_STEPS)


async def reload_session(turn: TurnInfo, runtime: Runtime[Context]) -> SessionState:
    """The session of a turn that is under way, without what the turn itself said."""
    resources, scope = runtime.context.resources, identity_of(runtime).scope
    documents = prompt_document_ids(scope, local_day(resources.clock(), turn["time_zone"]))
    window = resources.settings.window_events
    opened = await resources.memory.log.open(scope, UUID(turn["session_id"]), window, documents)
    said_before = tuple(each for each in opened.window if str(each.event_id) not in turn["own"])
    turns, unsummarised = opened.turns - len(turn["own"]), opened.unsummarised - len(turn["own"])
    return replace(opened, window=said_before, turns=turns, unsummarised=unsummarised)


def _without_bytes(state: State, said: SpokenMessage) -> tuple[State, list[AnyMessage]]:
    """The state whose messages refer to what they carry, and those that are not as they came."""
    stripped = [*(without_bytes(each) for each in state.messages[:-1]), said.message]
    changed = [new for old, new in zip(state.messages, stripped, strict=True) if new is not old]
    return (replace(state, messages=stripped), changed) if changed else (state, [])


def _new_turn(state: State, runtime: Runtime[Context], identity: Identity, said: SpokenMessage) -> NewTurn:
    """Known by the thread and the message's id together with what it says: an edited message may keep its id."""
    resources, session, messages = runtime.context.resources, session_ref(runtime, identity), state.messages
    thread = thread_of(runtime)
    parent = parent_of(state, thread)
    digest = sha256("\n".join((said.text, *(each.sha256 for each in said.media))).encode()).hexdigest()[:16]
    operation_id = resources.new_id()
    words = Utterance(
        event_id=resources.new_id(),
        role="user",
        speaker=identity.user if identity.scope.is_group else "user",
        text=said.text,
        occurred_at=resources.clock(),
        time_zone=require_zone(runtime.context.time_zone or resources.settings.time_zone),
        idempotency_key=f"{thread or session.session_id}:{messages[-1].id}:{digest}" if messages[-1].id else None,
        visibility="all" if is_learnt(state, runtime) else "session",
        media=said.media,
    )
    return NewTurn(
        operation_id=operation_id,
        session=session,
        words=words,
        run_id=run_id_of(runtime),
        thread_id=thread,
        parent_id=parent,
        from_start=parent is None and is_from_start(),
        forks=is_fork(state),
    )


def _turn(new: NewTurn, opened: SessionState, state: State, runtime: Runtime[Context]) -> TurnInfo:
    return TurnInfo(
        operation_id=str(opened.operation_id),
        session_id=str(new.session.session_id),
        text=new.words.text,
        at=(opened.began_at or new.words.occurred_at).isoformat(),
        time_zone=new.words.time_zone,
        turns_before=opened.turns,
        own=[str(event_id) for event_id in opened.own],
        thread=new.thread_id or "",
        parent=str(opened.follows or ""),
        message=state.messages[-1].id or "",
        as_of=opened.as_of.isoformat() if opened.as_of else "",
        learnt=is_learnt(state, runtime) and not opened.is_paused,
        copied=is_copied(state, new.thread_id),
    )


def _head(turn: TurnInfo, opened: SessionState) -> TurnInfo:
    """What a state holds that was told what it lacked: where its thread stands, whatever turn came again."""
    return {**turn, "operation_id": str(opened.newest or turn["operation_id"]), "message": "", "parent": ""}


def session_name(runtime: Runtime[Context]) -> str:
    """What the caller calls this conversation: its own name for it, or else the thread."""
    return runtime.context.session or thread_of(runtime) or "default"


def session_of(identity: Identity, name: str) -> UUID:
    """The session's id: the same name in another tenant, scope or person's mouth is another session."""
    return session_id_of(identity.scope, name)


def session_ref(runtime: Runtime[Context], identity: Identity) -> SessionRef:
    """From the identity, never from the state: a client may write into the state of its own threads."""
    name = session_name(runtime)
    return SessionRef(
        session_id=session_of(identity, name),
        name=name,
        user_name=identity.user,
        tenant_name=identity.tenant,
        keep_for=runtime.context.resources.settings.session_days * 86_400,
    )


def _clean_slate() -> Update:
    return {
        "intent": {},
        "queries": [],
        "memories": [],
        "rejected": [],
        "retrieval": {},
        "budget": {},
        "route": None,
        "change": None,
        "approval": None,
        "guard": None,
        "guard_hits": None,
        "tool_rounds": 0,
        "tool_outcomes": None,
        "ended": False,
        "laid_down": False,
        "degraded": None,
        "receipts": [],
        "usage": None,
        "passes": None,
        "knowledge": None,
        "prompt": None,
    }
