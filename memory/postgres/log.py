"""The conversation log on PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from uuid import UUID

from memory.index_rows import rows_of_utterance
from memory.paging import Cursor, cursor_params
from memory.postgres.accepted_turns import PostgresAcceptedTurns
from memory.postgres.branches import settle_branches
from memory.postgres.database import scope_params
from memory.postgres.database_session import DatabaseSession
from memory.postgres.experiments import turn_of_experiment_params
from memory.postgres.index_params import terms_params
from memory.postgres.model_usage import spending_params
from memory.postgres.session_rows import SessionRow, session_from_row
from memory.postgres.turn_params import (
    capture_params,
    media_params,
    reaction_params,
    receipt_params,
    soul_reaction_params,
    turn_params,
    utterance_params,
)
from memory.receipts import Receipt, TurnReceipt
from memory.scope import Scope
from memory.session_state import ENDINGS, KnownTurn, SessionEnding, SessionState, just_before
from memory.turns import Capture, Event, Forgotten, NewTurn, Operation, TurnRef

_NO_TURN: dict[str, object] = {"turn_key": None, "turn_sha256": None, "run_id": None, "of_turn": None}


@dataclass(frozen=True, kw_only=True)
class _AcceptedRow:
    operation_id: UUID
    events: list[UUID]
    began_at: datetime
    answer: str | None
    is_of_run: bool
    follows: UUID | None
    newest: UUID | None


@dataclass(frozen=True)
class _FollowedBranch:
    went_on_at: datetime | None
    thread_id: str | None


@dataclass(frozen=True)
class _ForgottenRow:
    ids: list[UUID]
    anything: bool


@dataclass(frozen=True, kw_only=True)
class _EndingRow:
    name: str
    words: list[str]
    reply: str


@dataclass(frozen=True, kw_only=True)
class _OperationRow:
    operation_id: UUID


@dataclass(frozen=True, kw_only=True)
class _SessionName:
    session_id: UUID
    name: str


@dataclass(frozen=True)
class _ArchivedSession:
    session_id: UUID


@dataclass(frozen=True)
class PostgresLog(PostgresAcceptedTurns):
    """Append-only turns with their sessions, receipts and operations. The promises are those of the port."""

    async def open(
        self, scope: Scope, session_id: UUID, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        asked = {"session_id": session_id, "window": window, "document_ids": list(documents), "day": day}
        async with self.database.scope_session(scope) as session:
            row = await session.fetch_one("open_session", scope_params(scope) | asked | _NO_TURN, SessionRow)
        return session_from_row(row) if row else SessionState()

    async def accept(
        self, scope: Scope, turn: NewTurn, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        first = _as_capture(turn)
        common = scope_params(scope) | capture_params(first) | utterance_params(first.utterances) | turn_params(turn)
        asked = {"window": window, "document_ids": list(documents), "day": day}
        async with self.database.scope_session(scope) as session:
            followed = session.ask("follow_branch", common, _FollowedBranch)
            before = session.ask("open_session", common | asked, SessionRow)
            self._append(session, scope, first, common)
            accepted = await session.fetch_one("accept_turn", common, _AcceptedRow)
        went_on_at = followed.rows[0].went_on_at
        if went_on_at is not None:
            await self._settle(scope, turn.thread_id, turn.words.occurred_at)
        opened = session_from_row(before.rows[0])
        if accepted is None:
            return opened
        is_known = accepted.operation_id != turn.operation_id
        return replace(
            opened,
            operation_id=accepted.operation_id,
            own=tuple(accepted.events),
            began_at=accepted.began_at,
            moved=went_on_at is not None,
            as_of=just_before(accepted.began_at) if is_known else went_on_at,
            follows=accepted.follows,
            newest=accepted.newest,
            known=KnownTurn(answer=accepted.answer, is_retried=accepted.is_of_run) if is_known else None,
        )

    async def follow_thread(self, scope: Scope, thread_id: str, behind: UUID | None) -> list[Event]:
        params = scope_params(scope) | {"thread_id": thread_id, "behind": behind}
        async with self.database.scope_session(scope) as session:
            return (await session.fetch("thread_behind", params, Event))[::-1]

    async def return_to_turn(
        self, scope: Scope, turn: TurnRef, window: int, documents: Sequence[UUID] = (), day: date | None = None
    ) -> SessionState:
        of_turn = {"of_turn": turn.operation_id, "session_id": turn.session_id, "last_at": turn.at}
        asked = {"window": window, "document_ids": list(documents), "day": day, "forks": turn.forks}
        params = scope_params(scope) | _NO_TURN | of_turn | asked
        async with self.database.scope_session(scope) as session:
            followed = session.ask("return_to_turn", params, _FollowedBranch)
            row = await session.fetch_one("open_session", params, SessionRow)
        moved = next((each for each in followed.rows if each.went_on_at), None)
        if moved is not None:
            await self._settle(scope, moved.thread_id, turn.at)
        return replace(session_from_row(row), moved=moved is not None) if row else SessionState()

    async def list_endings(self, scope: Scope, name: str | None = None) -> list[SessionEnding]:
        params = scope_params(scope) | {"name": name, "limit": ENDINGS}
        async with self.database.scope_session(scope) as session:
            rows = await session.fetch("session_endings", params, _EndingRow)
        return [SessionEnding(name=row.name, words=tuple(row.words), reply=row.reply) for row in rows]

    async def find_forgotten(self, scope: Scope, ids: Sequence[UUID], since: datetime) -> Forgotten:
        params = scope_params(scope) | {"ids": list(ids), "since": since}
        async with self.database.scope_session(scope) as session:
            found = (await session.fetch("find_forgotten", params, _ForgottenRow))[0]
        return Forgotten(ids=frozenset(found.ids), anything=found.anything)

    async def _settle(self, scope: Scope, thread_id: str | None, at: datetime) -> None:
        async with self.database.transaction(scope) as session:
            await settle_branches(session, scope, thread_id, at)

    async def capture(self, scope: Scope, capture: Capture) -> None:
        common = scope_params(scope) | capture_params(capture) | utterance_params(capture.utterances)
        common |= {"receipt_ids": [each.receipt_id for each in capture.receipts]}
        async with self.database.scope_session(scope) as session:
            if capture.accepted:
                session.execute("hold_turn", common)
            if capture.utterances:
                self._append(session, scope, capture, common)
            if capture.accepted:
                _restrict_words(session, capture, common)
                session.execute("replace_replies", common)
            if capture.accepted or capture.utterances:
                _release(session, capture, common)
            if capture.ends:
                session.execute("archive_session", common | {"at": common["last_at"]})
            _record_usage(session, scope, capture, common)

    def _append(self, session: DatabaseSession, scope: Scope, capture: Capture, common: dict[str, object]) -> None:
        indexed = [each for each in capture.utterances if each.is_searchable]
        rows = [row for each in indexed for row in rows_of_utterance(scope, capture.session.session_id, each)]
        session.execute("remember_names", common)
        if any(each.media for each in capture.utterances):
            _log_with_media(session, capture, common)
        else:
            session.execute("log_events", common)
        if rows:
            session.execute("index_new_turns", scope_params(scope) | terms_params(rows))
        if not capture.accepted:
            session.execute("open_operation", common)
        if capture.import_id:
            session.execute("hide_repeated_past", common | {"import_id": None})

    async def events(self, scope: Scope, event_ids: Sequence[UUID]) -> list[Event]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch("events_by_id", scope_params(scope) | {"event_ids": list(event_ids)}, Event)

    async def turn(self, scope: Scope, operation_id: UUID) -> list[Event]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch(
                "events_of_operation", scope_params(scope) | {"operation_id": operation_id}, Event
            )

    async def find_readable(self, scope: Scope, operation_ids: Sequence[UUID]) -> frozenset[UUID]:
        params = scope_params(scope) | {"operation_ids": list(operation_ids)}
        async with self.database.scope_session(scope) as session:
            rows = await session.fetch("readable_operations", params, _OperationRow)
        return frozenset(row.operation_id for row in rows)

    async def session_names(self, scope: Scope, session_ids: Sequence[UUID]) -> dict[UUID, str]:
        params = scope_params(scope) | {"session_ids": list(session_ids)}
        async with self.database.scope_session(scope) as session:
            return {row.session_id: row.name for row in await session.fetch("session_names", params, _SessionName)}

    async def receipts(self, scope: Scope, operation_id: UUID) -> list[Receipt]:
        params = scope_params(scope) | {"operation_id": operation_id}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("receipts_of_operation", params, Receipt)

    async def operation(self, scope: Scope, operation_id: UUID) -> Operation | None:
        params = scope_params(scope) | {"operation_id": operation_id}
        async with self.database.scope_session(scope) as session:
            return await session.fetch_one("operation_by_id", params, Operation)

    async def list_turn_receipts(self, scope: Scope, limit: int = 50, after: Cursor | None = None) -> list[TurnReceipt]:
        params = scope_params(scope) | cursor_params(after) | {"limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("newest_turn_receipts", params, TurnReceipt)

    async def list_operations(self, scope: Scope, limit: int = 50, after: Cursor | None = None) -> list[Operation]:
        params = scope_params(scope) | cursor_params(after) | {"limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("newest_operations", params, Operation)

    async def archive(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        params = scope_params(scope) | {"session_id": session_id, "at": at}
        async with self.database.scope_session(scope) as session:
            return bool(await session.fetch("archive_session", params, _ArchivedSession))


def _restrict_words(session: DatabaseSession, capture: Capture, common: dict[str, object]) -> None:
    """What is known of the words only when their turn ends: how far they may be read, and what they leave behind."""
    if capture.visibility != "all":
        session.execute("withhold_words", common)
        session.execute("hide_withheld", common)
    if capture.carried is not None:
        session.execute("carry_on", common)


def _release(session: DatabaseSession, capture: Capture, common: dict[str, object]) -> None:
    """The run has ended: memory may look at its turn."""
    session.execute("release_turns", common)
    session.execute("enqueue_operation", common)
    session.execute("postpone_job", common)
    if capture.urgent:
        session.execute("enqueue_correction", common)


def _record_usage(session: DatabaseSession, scope: Scope, capture: Capture, common: dict[str, object]) -> None:
    """Reactions, tokens, experiments, receipts. The receipts come last: by them a repetition is known."""
    if capture.reactions:
        session.execute("count_reactions", common | reaction_params(capture.reactions))
        session.execute("save_reactions", common | reaction_params(capture.reactions))
    if capture.spendings and capture.moments:
        spent = spending_params(scope, capture.day, capture.spendings)
        session.execute("spend_tokens", spent | {"receipt_ids": common["receipt_ids"]})
    if capture.soul_reaction is not None:
        session.execute("count_soul_reaction", common | soul_reaction_params(scope, capture.soul_reaction))
    if capture.experiment:
        counted = turn_of_experiment_params(scope, capture.experiment)
        session.execute("count_turn_of_experiment", common | counted)
    if capture.receipts:
        session.execute("save_receipts", common | receipt_params(capture.receipts))


def _log_with_media(session: DatabaseSession, capture: Capture, common: dict[str, object]) -> None:
    """Bytes come first, since a turn refers to them; those that no turn came to carry stay out."""
    carried = common | media_params(capture.utterances)
    session.execute("save_media", carried)
    session.execute("log_events", common)
    session.execute("carry_media", carried)
    session.execute("drop_uncarried_media", carried)


def _as_capture(turn: NewTurn) -> Capture:
    return Capture(operation_id=turn.operation_id, session=turn.session, utterances=(turn.words,), run_id=turn.run_id)
