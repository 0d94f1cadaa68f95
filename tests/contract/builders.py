"""Small builders, so that each test names only what it is about."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID, uuid4

from memory.api_keys import ApiKey
from memory.chat_exchanges import ChatExchange
from memory.erasure import ErasureRequest
from memory.media import MediaBlock
from memory.memory_item import Author, Citation, MemoryDraft
from memory.receipts import Receipt
from memory.safety_contracts import ContractVersion
from memory.sessions import SummaryDraft
from memory.turns import Capture, NewTurn, SessionRef, Utterance

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def at(minutes: float = 0) -> datetime:
    """A moment some minutes after the story began."""
    return NOON + timedelta(minutes=minutes)


def a_session(name: str = "s1") -> SessionRef:
    """A session with a fresh id."""
    return SessionRef(session_id=uuid4(), name=name, user_name="ann", tenant_name="acme")


def said(text: str, *, key: str | None = None, minutes: float = 0, **more: object) -> Utterance:
    """Something that was said."""
    values: dict[str, object] = {"role": "user", "speaker": "user"} | more
    return Utterance(event_id=uuid4(), text=text, occurred_at=at(minutes), idempotency_key=key, **values)  # type: ignore[arg-type]


def a_picture(data: bytes | None = b"\x89PNG picture", of: bytes = b"\x89PNG picture") -> MediaBlock:
    """Something attached; without ``data`` only the reference to it."""
    digest = sha256(of).hexdigest()
    return MediaBlock(kind="image", sha256=digest, media_type="image/png", size=len(of), fallback="a cat", data=data)


def a_turn(*utterances: Utterance, session: SessionRef | None = None, **more: object) -> Capture:
    """One turn on its way into the log."""
    return Capture(operation_id=uuid4(), session=session or a_session(), utterances=utterances, **more)  # type: ignore[arg-type]


def a_draft(object_: str = "green tea", **more: object) -> MemoryDraft:
    """A preference for a drink, unless told otherwise."""
    values: dict[str, object] = {
        "item_type": "preference",
        "subject": "user",
        "predicate": "likes",
        "object": object_,
        "content": f"The user likes {object_}",
        "category": "drink",
        "slot": "user|likes",
        "single_valued": False,
        "provenance": "confirmed_by_user",
        "confidence": 0.9,
        "certainty": 0.9,
        "observed_at": NOON,
        "valid_at": NOON,
    }
    return MemoryDraft(**(values | more))  # type: ignore[arg-type]


def cited(event: Utterance, quote: str) -> Citation:
    """The span of a turn that says it."""
    start = event.text.index(quote)
    digest = sha256(event.text.encode()).hexdigest()
    return Citation(event_id=event.event_id, start=start, end=start + len(quote), sha256=digest)


def by_ann(key: str, *, minutes: float = 0) -> Author:
    """Ann writes, under a key."""
    return Author(operator="user", reason="she said so", idempotency_key=key, at=at(minutes))


def an_injection(memory_id: UUID, position: int | None = 0) -> Receipt:
    """A memory that was put before the model."""
    details: dict[str, object] = {"context_position": position, "text": "tea", "candidate_score": 0.5}
    return Receipt(
        receipt_id=uuid4(), receipt_type="injection", details=details, memory_id=memory_id, lane="fact", utilized=False
    )


def a_new_turn(text: str, session: SessionRef, *, run: str | None = None, **more: object) -> NewTurn:
    """A person's words as a run brings them, known by a key where one is given."""
    return NewTurn(operation_id=uuid4(), session=session, words=said(text, **more), run_id=run)  # type: ignore[arg-type]


def a_reply(operation_id: UUID, session: SessionRef, text: str, *, run: str | None = None, **more: object) -> Capture:
    """The end of a turn that was accepted: its reply, once for each run and way to end."""
    ended = bool(more.pop("broken_off", False))
    values: dict[str, object] = {"role": "assistant", "speaker": "assistant", "broken_off": ended}
    reply = said(text, key=f"{operation_id}:{run}:{ended}", minutes=1, **values)
    return Capture(
        operation_id=operation_id,
        session=session,
        utterances=(reply,),
        run_id=run,
        accepted=True,
        at=at(1),
        **more,  # type: ignore[arg-type]
    )


def a_key(**more: object) -> ApiKey:
    """A key of Ann's for chatting."""
    values: dict[str, object] = {
        "tenant_id": uuid4(),
        "key_id": uuid4(),
        "sha256": sha256(uuid4().bytes).hexdigest(),
        "tenant_name": "acme",
        "user_name": "ann",
        "label": "laptop",
        "scopes": ("chat",),
        "created_at": at(),
    }
    return ApiKey(**values | more)  # type: ignore[arg-type]


def an_exchange(words: str = "Hi", reply: str = "Hello.", minutes: float = 0, **more: object) -> ChatExchange:
    """An answer to a client that keeps its conversations itself."""
    values: dict[str, object] = {
        "exchange_id": uuid4(),
        "session_name": "chat 1",
        "said_sha256": sha256(words.encode()).hexdigest(),
        "exchange_sha256": sha256(f"{words} {reply}".encode()).hexdigest(),
        "message_id": "m1",
        "parent_checkpoint": "c0",
        "checkpoint": "c1",
        "created_at": at(minutes),
    }
    return ChatExchange(**values | more)  # type: ignore[arg-type]


def a_block(
    session: SessionRef, number: int, positions: tuple[int, int], *sources: UUID, text: str = ""
) -> SummaryDraft:
    """A block over those positions."""
    first, last = positions
    return SummaryDraft(
        session_id=session.session_id,
        block=number,
        text=text or f"block {number}",
        sources=sources,
        first_position=first,
        last_position=last,
        started_at=at(first),
        ended_at=at(last),
    )


def a_contract(
    *constraints: str, version: int = 1, anchors: Sequence[str] = (), author: str = "ann"
) -> ContractVersion:
    """What a tenant adds to the safety contract."""
    lines = ["## Anchors", *(f"- {each}" for each in anchors), "## Constraints", *(f"- {each}" for each in constraints)]
    text = "\n".join(lines) + "\n"
    digest = sha256(text.encode()).hexdigest()
    return ContractVersion(version=version, text=text, sha256=digest, author=author, created_at=at())


def an_erasure_request(tenant_id: UUID, user_id: UUID, **more: object) -> ErasureRequest:
    """A person asks to be erased in every compartment."""
    values: dict[str, object] = {
        "tombstone_id": uuid4(),
        "user_name": "ann",
        "person_hash": user_id.hex * 2,
        "scope": None,
        "requested_by": "person",
        "requested_at": at(),
    } | more
    return ErasureRequest(tenant_id=tenant_id, user_id=user_id, **values)  # type: ignore[arg-type]
