"""Recorded conversations become memory by the same path as a live turn: log, index rows and job in one transaction."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from apps.ingestion.conversation_file import RecordedConversation, RecordedSession, RecordingLine, read_lines
from apps.iso_times import parse_time
from brain.identity import Identity
from brain.resources import Resources
from memory.errors import BrainError, bad_request
from memory.scope import Speaker, scope_of
from memory.turns import Capture, Role, SessionRef, Utterance
from memory.zones import require_zone
from nodes.open_session import session_of

ASSISTANTS = frozenset({"assistant", "bot", "ai"})
"""Speakers whose words are Brain's side of the conversation; everybody else is a person."""
AT_ONCE = 4
"""Conversations that are written at the same time, so that one waits for the disk while another is analysed."""
MAX_EVENT_CHARACTERS = 200_000
"""Characters of one line of the log, as of a live message; a longer turn becomes several."""
MAX_WRONG_LINES = 5
"""So many refused lines at the beginning of a file, or of a run, show that it holds something else."""
_PACE = timedelta(seconds=1)
"""A recording dates sessions, not turns: turns follow each other by this much, so that their order is kept."""


@dataclass(frozen=True, kw_only=True)
class Destination:
    """Whose memory the recording becomes. Without ``user`` each conversation is a person of that name."""

    tenant: str = "local"
    user: str | None = None
    time_zone: str = "UTC"
    batch: int = 200


@dataclass(frozen=True)
class RefusedLine:
    """A line that was left out, and why."""

    file: str
    line: int
    code: str
    message: str

    @classmethod
    def of(cls, line: RecordingLine, error: BrainError) -> "RefusedLine":
        """The line's place with the reason."""
        return cls(str(line.file), line.number, error.code, error.message)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.code}: {self.message}"


@dataclass
class Tally:
    """What an ingestion did so far. ``known`` turns were there already; ``blank`` ones say nothing."""

    conversations: int = 0
    sessions: int = 0
    added: int = 0
    known: int = 0
    blank: int = 0
    refused: list[RefusedLine] = field(default_factory=list[RefusedLine])

    @property
    def turns(self) -> int:
        """Turns that are now in memory."""
        return self.added + self.known


Progress = Callable[[int], None]
"""Told after every session how many more bytes of the file are behind us."""


@dataclass(frozen=True)
class Ingestion:
    """One run over some files. Running it again adds only what is missing, wherever the first run was cut off."""

    resources: Resources
    destination: Destination
    tally: Tally = field(default_factory=Tally)

    async def read(self, file: Path, progress: Progress) -> None:
        """Take in one file; a line that cannot be used is refused as a whole and the others go on.

        Raises ``E_BAD_REQUEST`` for a file that cannot be read and for one that holds something else.
        """
        lines = self._read_recording(file)
        takers = [asyncio.create_task(self._ingest_lines(lines, progress)) for _ in range(self._concurrency)]
        try:
            await asyncio.gather(*takers)
        finally:
            for taker in takers:
                taker.cancel()

    def _read_recording(self, file: Path) -> Iterator[RecordingLine]:
        """Its lines, until the first few show that they are no conversations; those of files before it count too."""
        wrong, is_recording = 0 if self.tally.conversations else len(self.tally.refused), False
        for line in read_lines(file):
            if isinstance(line.content, RecordedConversation):
                is_recording = True
            elif not is_recording:
                wrong += 1
                if wrong >= MAX_WRONG_LINES:
                    raise _no_recording_error(line, line.content)
            yield line

    @property
    def _concurrency(self) -> int:
        """People are independent of each other; what one person said is written in its order."""
        return 1 if self.destination.user else AT_ONCE

    async def _ingest_lines(self, lines: Iterator[RecordingLine], progress: Progress) -> None:
        for line in lines:
            if isinstance(line.content, BrainError):
                self.tally.refused.append(RefusedLine.of(line, line.content))
                progress(line.size)
            else:
                await self._ingest_line(line, line.content, progress)

    async def _ingest_line(self, line: RecordingLine, conversation: RecordedConversation, progress: Progress) -> None:
        owner = self._owner(conversation)
        self.tally.conversations += 1
        share = line.size // (len(conversation.sessions) + 1)
        for session in conversation.sessions:
            self.tally.sessions += 1
            await self._write(owner, conversation, session)
            progress(share)
        progress(line.size - share * len(conversation.sessions))

    def _owner(self, conversation: RecordedConversation) -> Identity:
        tenant, user = self.destination.tenant, self.destination.user or conversation.conversation_id
        scope = scope_of(Speaker(tenant=tenant, user=user), self.resources.settings.dm_scope)
        return Identity(scope=scope, tenant=tenant, user=user)

    async def _write(self, owner: Identity, conversation: RecordedConversation, session: RecordedSession) -> None:
        said = tuple(self._utterances(conversation, session))
        self.tally.blank += sum(not turn.full_text.strip() for turn in session.turns)
        for start in range(0, len(said), self.destination.batch):
            part = said[start : start + self.destination.batch]
            added = await self._capture(owner, self._session_ref(owner, conversation, session), part)
            self.tally.added += added
            self.tally.known += len(part) - added

    async def _capture(self, owner: Identity, session: SessionRef, part: tuple[Utterance, ...]) -> int:
        """Write one batch whole or not at all; how many of its turns were new."""
        log, operation_id = self.resources.memory.log, self.resources.new_id()
        await log.capture(owner.scope, Capture(operation_id=operation_id, session=session, utterances=part))
        return len(await log.turn(owner.scope, operation_id))

    def _session_ref(self, owner: Identity, conversation: RecordedConversation, session: RecordedSession) -> SessionRef:
        """One person's conversations may reuse session names; then they stay apart by the conversation's own."""
        name = session.session_id
        told_apart = name if self.destination.user is None else f"{conversation.conversation_id}/{name}"
        return SessionRef(
            session_id=session_of(owner, told_apart),
            name=name,
            user_name=owner.user,
            tenant_name=owner.tenant,
            keep_for=self.resources.settings.session_days * 86_400,
        )

    def _utterances(self, conversation: RecordedConversation, session: RecordedSession) -> Iterator[Utterance]:
        zone = require_zone(self.destination.time_zone)
        start = parse_time(session.occurred_at, zone)
        for number, turn in enumerate(session.turns):
            key = (conversation.conversation_id, session.session_id, turn.turn_id)
            for part, text in enumerate(cut_text(turn.full_text)):
                yield Utterance(
                    event_id=self.resources.new_id(),
                    role=_role(turn.speaker),
                    speaker=turn.speaker,
                    text=text,
                    occurred_at=start + number * _PACE,
                    time_zone=zone,
                    reference=turn.turn_id,
                    idempotency_key="\x1f".join((*key, str(part)) if part else key),
                )


def _no_recording_error(last: RecordingLine, reason: BrainError) -> BrainError:
    return bad_request(
        f"{last.file} does not look like recorded conversations: the first {MAX_WRONG_LINES} lines are none"
        f" (line {last.number}: {reason.message.rstrip('.')}).",
        "'brain ingest --help' shows what a line looks like.",
    )


def cut_text(text: str) -> Iterator[str]:
    """A turn that says something, in pieces of ``MAX_EVENT_CHARACTERS`` at most, cut between lines where it can be."""
    while len(text) > MAX_EVENT_CHARACTERS:
        end = text.rfind("\n", MAX_EVENT_CHARACTERS // 2, MAX_EVENT_CHARACTERS) + 1 or MAX_EVENT_CHARACTERS
        yield text[:end]
        text = text[end:]
    if text.strip():
        yield text


def _role(speaker: str) -> Role:
    return "assistant" if speaker.strip().casefold() in ASSISTANTS else "user"
