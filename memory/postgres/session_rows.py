"""A session as one statement reads it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.documents.document import Document
from memory.postgres.event_json import event_from_json
from memory.postgres.experiments import running_from_json
from memory.receipts import InjectedMemory
from memory.safety_contracts import ContractDocument
from memory.session_state import SessionState
from memory.soul import ActiveSoul
from memory.versions import from_snapshot


@dataclass(frozen=True, kw_only=True)
class SessionRow:
    """What ``open_session`` reads."""

    entity_slots: dict[str, str]
    carried: dict[str, Any]
    gone: list[str]
    withheld: list[str]
    turns: int
    unsummarised: int
    events: list[dict[str, Any]]
    summaries: list[str]
    injected: list[dict[str, Any]]
    documents: list[dict[str, Any]]
    pinned: list[dict[str, Any]]
    wishes: list[dict[str, Any]]
    tokens_spent: int
    contract: dict[str, Any] | None
    soul: dict[str, Any] | None
    experiment: dict[str, Any] | None
    paused: bool


def session_from_row(row: SessionRow) -> SessionState:
    """The session as a turn finds it."""
    return SessionState(
        window=tuple(event_from_json(each) for each in row.events),
        summaries=tuple(row.summaries),
        entity_slots=row.entity_slots,
        injected=tuple(_injected_from_json(each) for each in row.injected),
        turns=row.turns,
        unsummarised=row.unsummarised,
        documents=tuple(_document_from_json(each) for each in row.documents),
        tokens_spent=row.tokens_spent,
        gone=frozenset(row.gone),
        withheld=frozenset(row.withheld),
        pinned=tuple(from_snapshot(each) for each in row.pinned),
        wishes=tuple(from_snapshot(each) for each in row.wishes),
        carried=row.carried,
        contract=ContractDocument(**row.contract) if row.contract else None,
        soul=_soul_from_json(row.soul) if row.soul else None,
        experiment=running_from_json(row.experiment) if row.experiment else None,
        is_paused=row.paused,
    )


def _document_from_json(data: dict[str, Any]) -> Document:
    return Document(
        document_id=UUID(data["document_id"]),
        kind=data["kind"],
        name=data["name"],
        front=data["front"],
        body=data["body"],
        version=data["version"],
        sha256=data["sha256"],
        updated_at=datetime.fromisoformat(data["updated_at"]),
        author=data["author"],
        reason=data["reason"],
    )


def _soul_from_json(data: dict[str, Any]) -> ActiveSoul:
    return ActiveSoul(
        version=data["version"],
        text=data["text"],
        sha256=data["sha256"],
        activated_at=datetime.fromisoformat(data["activated_at"]),
    )


def _injected_from_json(data: dict[str, Any]) -> InjectedMemory:
    return InjectedMemory(
        receipt_id=UUID(data["receipt_id"]),
        memory_id=UUID(data["memory_id"]),
        lane=data["lane"],
        text=data["text"] or "",
    )
