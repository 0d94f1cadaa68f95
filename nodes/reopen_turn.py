"""Go on from a checkpoint: what no checkpoint holds is read again, as it was when the turn began."""

from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from langchain_core.messages import AnyMessage
from langgraph.runtime import Runtime

from brain.context import Context
from brain.documents.past_documents import as_of_moment
from brain.identity import identity_of
from brain.state import MemoryUse, State
from brain.turn_run import run_to_completion
from memory.contracts import Forgotten, TurnRef
from memory.documents.document import prompt_document_ids
from memory.session_state import just_before
from memory.zones import local_day
from nodes.open_session import follow_move, remove_forgotten
from nodes.turn_lineage import is_fork


def as_of(state: State) -> datetime | None:
    """The moment at which memory is read; None for now."""
    if state.opened is not None:
        return state.opened.as_of
    return _replayed_as_of(state) if state.turn else None


async def reopen_turn(state: State, runtime: Runtime[Context]) -> State:
    """The state with its session as it stood before the turn, which becomes the thread's head again on a fork.

    What was forgotten since is gone from its messages; of memories and of what tools found the hash remains.
    """
    assert state.turn is not None
    turn, resources, scope = state.turn, runtime.context.resources, identity_of(runtime).scope
    at = datetime.fromisoformat(turn["at"])
    documents = prompt_document_ids(scope, local_day(at, turn["time_zone"]))
    ref = TurnRef(
        operation_id=UUID(turn["operation_id"]),
        session_id=UUID(turn["session_id"]),
        at=resources.clock(),
        forks=is_fork(state),
    )
    log, window = resources.memory.log, resources.settings.window_events
    opened = await run_to_completion(log.return_to_turn(scope, ref, window, documents))
    if opened.moved:
        opened = await follow_move(opened, resources, scope, turn["time_zone"])
    opened = await as_of_moment(replace(opened, as_of=_replayed_as_of(state)), resources, scope, turn["time_zone"])
    uses = [*state.memories, *state.rejected]
    sources = list({each for use in uses for each in _sources(use)})
    return _without_forgotten(replace(state, opened=opened), await log.find_forgotten(scope, sources, at))


def _replayed_as_of(state: State) -> datetime:
    assert state.turn is not None
    then = state.turn.get("as_of")
    return datetime.fromisoformat(then) if then else just_before(datetime.fromisoformat(state.turn["at"]))


def _without_forgotten(state: State, forgotten: Forgotten) -> State:
    assert state.opened is not None
    gone = {message.id for message in remove_forgotten(state.messages, state.opened)}
    kept = [message for message in state.messages if message.id not in gone]
    return replace(
        state,
        messages=[_hide_answer(message) for message in kept] if forgotten.anything else kept,
        memories=[_hide_words(use, forgotten) for use in state.memories],
        rejected=[_hide_words(use, forgotten) for use in state.rejected],
    )


def _hide_words(use: MemoryUse, forgotten: Forgotten) -> MemoryUse:
    return {**use, "text": _hash_of(use["text"])} if _sources(use) & forgotten.ids else use


def _hide_answer(message: AnyMessage) -> AnyMessage:
    """What a tool brought may say anything that was forgotten since."""
    return message.model_copy(update={"content": _hash_of(message.text)}) if message.type == "tool" else message


def _hash_of(text: str) -> str:
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def _sources(use: MemoryUse) -> set[UUID]:
    """The memory itself and, for what was said, its turn."""
    span = use.get("span")
    return {UUID(use["memory_id"]), *([UUID(span["event_id"])] if span else [])}
