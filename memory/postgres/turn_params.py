"""Turns, their receipts and reactions as parameters of the statements that log them."""

from collections.abc import Iterable, Sequence

from psycopg.types.json import Jsonb

from memory.model_usage import PARTS
from memory.receipts import RECEIPT_SCHEMA_VERSION, Reaction, Receipt
from memory.scope import Scope
from memory.soul import SoulReaction
from memory.turns import CONTENT_SCHEMA_VERSION, WORDS_SCHEMA_VERSION, Capture, NewTurn, Utterance

URGENT, NORMAL = 10, 0
"""Priorities of jobs: a correction's, and any other turn's."""


def turn_params(turn: NewTurn) -> dict[str, object]:
    """By which a turn is known when it is accepted, and where it stands in its thread."""
    return {
        "turn_key": turn.words.idempotency_key,
        "turn_sha256": turn.words.sha256,
        "run_id": turn.run_id,
        "heeds_record": True,
        "of_turn": None,
        "thread_id": turn.thread_id,
        "parent_id": turn.parent_id,
        "from_start": turn.from_start,
        "forks": turn.forks,
    }


def capture_params(capture: Capture) -> dict[str, object]:
    """What a captured turn says of itself; its words, receipts and reactions have parameters of their own."""
    times = capture.moments
    return {
        "operation_id": capture.operation_id,
        "session_id": capture.session.session_id,
        "session_name": capture.session.name,
        "tenant_name": capture.session.tenant_name,
        "user_name": capture.session.user_name,
        "keep_for": capture.session.keep_for,
        "entity_slots": Jsonb(dict(capture.entity_slots)),
        "carried": None if capture.carried is None else Jsonb(dict(capture.carried)),
        "settled": capture.settled,
        "import_id": capture.import_id,
        "thread_id": capture.thread_id,
        "parent_id": None,
        "forks": False,
        "run_id": capture.run_id,
        "heeds_record": False,
        "visibility": capture.visibility,
        "accepted": capture.accepted,
        "priority": URGENT if capture.urgent else NORMAL,
        "pause": 0.0 if capture.urgent or capture.ends else capture.pause,
        "first_at": min(times, default=None),
        "last_at": max(times, default=None),
        "schema_version": RECEIPT_SCHEMA_VERSION,
    }


def utterance_params(utterances: Sequence[Utterance]) -> dict[str, object]:
    """Arrays, one value per utterance."""
    return {
        "event_ids": [each.event_id for each in utterances],
        "roles": [each.role for each in utterances],
        "speakers": [each.speaker for each in utterances],
        "texts": [each.text for each in utterances],
        "sha256s": [each.sha256 for each in utterances],
        "blocks": [Jsonb([block.as_reference() for block in each.media]) for each in utterances],
        "content_schema_versions": [
            CONTENT_SCHEMA_VERSION if each.media else WORDS_SCHEMA_VERSION for each in utterances
        ],
        "times": [each.occurred_at for each in utterances],
        "time_zones": [each.time_zone for each in utterances],
        "event_references": [each.reference for each in utterances],
        "idempotency_keys": [each.idempotency_key for each in utterances],
        "indexed": [each.is_searchable for each in utterances],
        "visibilities": [each.visibility for each in utterances],
        "broken_off": [each.broken_off for each in utterances],
    }


def media_params(utterances: Sequence[Utterance]) -> dict[str, object]:
    """Arrays, one value for each thing that a turn carries; bytes where they came with it."""
    carried = [(each.event_id, block) for each in utterances for block in each.media]
    return {
        "media_events": [event_id for event_id, _ in carried],
        "media_sha256s": [block.sha256 for _, block in carried],
        "media_types": [block.media_type for _, block in carried],
        "media_bytes": [block.data for _, block in carried],
    }


def receipt_params(receipts: Iterable[Receipt]) -> dict[str, object]:
    """Arrays, one value per receipt."""
    kept = list(receipts)
    return {
        "receipt_ids": [each.receipt_id for each in kept],
        "receipt_types": [each.receipt_type for each in kept],
        "memory_ids": [each.memory_id for each in kept],
        "lanes": [each.lane for each in kept],
        "details": [Jsonb(dict(each.details)) for each in kept],
        "utilized": [each.utilized for each in kept],
        "utilization_signals": [each.utilization_signal for each in kept],
    }


def soul_reaction_params(scope: Scope, reaction: SoulReaction) -> dict[str, object]:
    """How a reply was taken; who speaks decides the part of the version's row, and cannot be told from it."""
    part = scope.user_id.int % PARTS
    return {"soul_version": reaction.version, "is_negative": reaction.is_negative, "part": part}


def reaction_params(reactions: Sequence[Reaction]) -> dict[str, object]:
    """Arrays, one value per reaction."""
    return {
        "receipt_ids": [each.receipt_id for each in reactions],
        "signals": [each.signal for each in reactions],
        "utilized": [each.utilized for each in reactions],
        "memory_ids": [each.memory_id for each in reactions],
        "positives": [int(each.is_welcome) for each in reactions],
    }
