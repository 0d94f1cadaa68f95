"""Begin a turn: check the words, name the turn, load its session."""

from datetime import UTC
from hashlib import sha256
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage
from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import Identity, identity_of
from brain.state import State, TurnInfo, Update
from memory.documents.document import standing_ids
from memory.errors import bad_request
from memory.opened_session import OpenedSession
from memory.scope import session_id_of
from memory.storable import storable
from memory.zones import local_day

MAX_CHARACTERS = 200_000


async def open_session(state: State, runtime: Runtime[Context]) -> Update:
    """A clean slate for this turn, and its session from one round trip."""
    identity, resources = identity_of(runtime), runtime.context.resources
    session_id = session_of(identity, session_name(runtime))
    now = resources.clock()
    turn = TurnInfo(
        operation_id=str(resources.new_id()),
        session_id=str(session_id),
        text=spoken(state.messages),
        at=now.isoformat(),
        time_zone=zone_of(runtime.context.time_zone or resources.settings.time_zone),
        turns_before=0,
    )
    documents = standing_ids(identity.scope, local_day(now, turn["time_zone"]))
    settings, limit = resources.settings, resources.settings.daily_tokens if resources.models.configured else None
    day = None if limit is None else now.astimezone(UTC).date()
    opened = await resources.memory.log.open(identity.scope, session_id, settings.window_events, documents, day)
    turn["turns_before"] = opened.turns
    left = None if limit is None else limit - opened.tokens_spent
    gone = without_gone(state.messages, opened)
    return _fresh() | {"turn": turn, "opened": opened, "tokens_left": left, "messages": gone}


def spoken(messages: list[AnyMessage]) -> str:
    """The user's newest words; refused when there are none, too many, or none that can be stored."""
    if not messages or not isinstance(messages[-1], HumanMessage):
        raise bad_request("A turn begins with a message of the user.", "Send one message of type human.")
    text = messages[-1].text
    if not text.strip():
        raise bad_request("The message is empty.", "Say something.")
    if len(text) > MAX_CHARACTERS:
        raise bad_request(f"The message has {len(text):,} characters.", f"Send at most {MAX_CHARACTERS:,}.")
    return storable(text)


def without_gone(messages: list[AnyMessage], opened: OpenedSession) -> list[RemoveMessage]:
    """Lets go of the messages before the newest that say what was forgotten since, in whichever thread."""
    earlier = messages[:-1] if opened.gone else []
    hashes = ((each.id, sha256(each.text.replace("\x00", "").encode()).hexdigest()) for each in earlier)
    return [RemoveMessage(id=known) for known, digest in hashes if known and digest in opened.gone]


def session_name(runtime: Runtime[Context]) -> str:
    """What the caller calls this conversation: its own name for it, or else the thread."""
    thread = runtime.execution_info.thread_id if runtime.execution_info else None
    return runtime.context.session or thread or "default"


def session_of(identity: Identity, name: str) -> UUID:
    """The session's id: the same name in another tenant, scope or person's mouth is another session."""
    return session_id_of(identity.scope, name)


def zone_of(name: str) -> str:
    """A time zone that exists."""
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise bad_request(f"{name!r} is not a time zone.", "Use an IANA name such as Europe/Paris.") from None


def _fresh() -> Update:
    return {
        "intent": {},
        "queries": [],
        "memories": [],
        "rejected": [],
        "retrieval": {},
        "change": None,
        "guard": None,
        "tool_rounds": 0,
        "ended": False,
        "degraded": None,
        "receipts": [],
        "usage": None,
        "passes": None,
        "knowledge": None,
        "prompt": None,
    }
