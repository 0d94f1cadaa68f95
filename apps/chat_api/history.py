"""What was said before Brain was asked for the first time: stored once, so that it is remembered as well."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from apps.chat_api.request import SaidExchange
from brain.identity import Identity
from brain.media.message import MAX_CHARACTERS
from brain.resources import Resources
from memory.storable_text import require_storable_text
from memory.turns import Capture, Role, SessionRef, Utterance
from nodes.open_session import session_of

MAX_EXCHANGES = 200
"""Exchanges of a conversation that are taken over; of a longer one the last."""


async def import_history(
    history: Sequence[SaidExchange], session_name: str, identity: Identity, resources: Resources
) -> None:
    """Log the exchanges in their order, dated just before now. Again the same adds nothing."""
    kept = history[-MAX_EXCHANGES:]
    if not kept:
        return
    settings = resources.settings
    session = SessionRef(
        session_id=session_of(identity, session_name),
        name=session_name,
        user_name=identity.user,
        tenant_name=identity.tenant,
        keep_for=settings.session_days * 86_400,
    )
    said = tuple(_utterances(kept, session, resources))
    if said:
        await resources.memory.log.capture(
            identity.scope, Capture(operation_id=resources.new_id(), session=session, utterances=said)
        )


def _utterances(history: Sequence[SaidExchange], session: SessionRef, resources: Resources) -> Iterator[Utterance]:
    began = resources.clock() - timedelta(seconds=2 * len(history))
    for place, each in enumerate(history):
        at = began + timedelta(seconds=2 * place)
        voices: tuple[tuple[Role, str], ...] = (("user", each.words), ("assistant", each.reply))
        for role, text in voices:
            if text.strip():
                yield _utterance(role, text, f"{session.session_id}:{place}", at, resources)


def _utterance(role: Role, text: str, where: str, at: datetime, resources: Resources) -> Utterance:
    words = require_storable_text(text.replace("\x00", "")[:MAX_CHARACTERS])
    return Utterance(
        event_id=resources.new_id(),
        role=role,
        speaker=role,
        text=words,
        occurred_at=at,
        time_zone=resources.settings.time_zone,
        idempotency_key=f"resent:{where}:{role}:{sha256(words.encode()).hexdigest()[:16]}",
    )
