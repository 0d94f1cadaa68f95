"""A run over one export: its talk goes into the log, to be found by its words, and nothing is ever drawn from it.

Every message has a key of its own, so a run that was cut off goes on where it stopped, and the same file adds nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from apps.ingestion.ingest import cut_text
from apps.past.archive import Archive, open_archive
from apps.past.recognition import Recognised, recognise_archive, values_of
from apps.past.talk import Frame, PastTalk, check_talk
from brain.identity import Identity
from brain.resources import Resources
from memory.errors import BrainError, bad_request
from memory.past_imports import BROUGHT_ALONG, PastImport, past_session_id
from memory.turns import Capture, SessionRef, Utterance

BATCH = 200
"""Messages that are written in one transaction."""
_REMOVED_AT_ONCE = 2_000
_KEY_SEPARATORS = 3
"""In the key of a message: between what it is of, its format, its conversation and its own id."""

Progress = Callable[[int, int, int], None]
"""Told how many bytes of how many are read, and how many messages were."""


@dataclass
class Tally:
    """What a run did. ``known`` messages were in the log before; ``left_out`` counts by reason."""

    import_id: UUID | None = None
    format: str = ""
    conversations: int = 0
    read: int = 0
    added: int = 0
    known: int = 0
    memories: int = 0
    left_out: Counter[str] = field(default_factory=Counter[str])

    @property
    def counts(self) -> dict[str, int]:
        """As they are kept with the import."""
        told = {"conversations": self.conversations, "read": self.read, "known": self.known, "memories": self.memories}
        return told | {f"left_out.{reason}": number for reason, number in sorted(self.left_out.items())}


@dataclass
class PastImporter:
    """Brings one person's exports along."""

    resources: Resources
    owner: Identity
    time_zone: str
    progress: Progress
    tally: Tally = field(default_factory=Tally)
    _format_title: str = ""
    _is_new: bool = True
    _may_know: bool = False
    _seen: set[str] = field(default_factory=set[str])
    _talks: set[str] = field(default_factory=set[str])
    _done_bytes: int = 0

    async def run(self, path: Path) -> Tally:
        """Read an export into the log. Raises ``E_BAD_REQUEST`` for what cannot be read and for what holds nothing."""
        with ExitStack() as opened:
            archive = await asyncio.to_thread(opened.enter_context, open_archive(path, self.time_zone))
            found = await asyncio.to_thread(recognise_archive, archive)
            begun = await self._begin(archive, found)
            if begun.state != "done":
                await self._read_all(begun, found)
        return self.tally

    async def _begin(self, archive: Archive, found: Recognised) -> PastImport:
        imports = self.resources.memory.past_imports
        before = await imports.list_newest(self.owner.scope, 1)
        new = PastImport(
            import_id=self.resources.new_id(),
            file_name=_printable_name(archive.name),
            sha256=archive.sha256,
            format=found.format.name,
            started_at=self.resources.clock(),
        )
        begun = await imports.begin(self.owner.scope, new)
        if begun.state == "removing":
            again = f"'brain past remove {begun.import_id}' ends that."
            raise BrainError("E_CONFLICT", "This import is being taken back.", again)
        self._may_know, self._is_new = bool(before), begun.import_id == new.import_id
        self._format_title = found.format.title
        self.tally.import_id, self.tally.format = begun.import_id, begun.format
        if begun.state == "done":
            self.tally.known = begun.counts.get("messages", 0)
        return begun

    async def _read_all(self, begun: PastImport, found: Recognised) -> None:
        try:
            chunks = _chunks(self._read(found))
            while chunk := await asyncio.to_thread(next, chunks, None):  # a value of an export may be long to parse
                await self._write(chunk, begun.import_id)
            if not self.tally.read:
                raise _nothing_read(self.tally)
        except BrainError as error:
            if not self.tally.added + self.tally.known:
                await remove_past(self.resources, self.owner, begun.import_id)
                raise
            hint = f"What was read until then is kept: 'brain past remove {begun.import_id}' takes it back."
            raise BrainError(error.code, error.message, f"{error.hint} {hint}".strip()) from None
        if self._is_new and not self.tally.added:
            await remove_past(self.resources, self.owner, begun.import_id)
            self.tally.import_id = None
            return
        now = self.resources.clock()
        await self.resources.memory.past_imports.finish(self.owner.scope, begun.import_id, self.tally.counts, now)

    def _read(self, found: Recognised) -> Iterator[PastTalk]:
        now = self.resources.clock()
        for member in found.members:
            frame = Frame(member=member.name, written_at=member.written_at, time_zone=self.time_zone, now=now)
            with member.open() as source:
                for value in values_of(member, source):
                    if found.format.recognises(value) or member.ending == ".md":
                        for raw in found.format.read(value, frame):
                            yield self._count(check_talk(raw, frame, self._seen))
                    else:
                        self.tally.left_out["wrong_type"] += 1
                    self.progress(self._done_bytes + source.tell(), found.size, self.tally.read)
            self._done_bytes += member.size

    def _count(self, talk: PastTalk) -> PastTalk:
        if talk.messages and not talk.is_memory:
            self._talks.add(talk.key)
        self.tally.conversations = len(self._talks)
        self.tally.read += len(talk.messages)
        self.tally.memories += len(talk.messages) if talk.is_memory else 0
        self.tally.left_out.update(talk.left_out)
        return talk

    async def _write(self, talk: PastTalk, import_id: UUID) -> None:
        """Write messages of one conversation whole or not at all."""
        said = list(self._utterances(talk))
        known = await self._find_known(said)
        new = tuple(each for each in said if each.idempotency_key not in known)
        self.tally.known += sum(map(_is_whole, known))
        if new:
            await self.resources.memory.log.capture(
                self.owner.scope,
                Capture(
                    operation_id=self.resources.new_id(),
                    session=self._session(talk),
                    utterances=new,
                    settled=BROUGHT_ALONG,
                    import_id=import_id,
                    ends=True,
                ),
            )
            self.tally.added += sum(_is_whole(str(each.idempotency_key)) for each in new)

    async def _find_known(self, said: list[Utterance]) -> frozenset[str]:
        if not self._may_know:
            return frozenset()
        keys = [str(each.idempotency_key) for each in said]
        return await self.resources.memory.past_imports.find_known(self.owner.scope, keys)

    def _utterances(self, talk: PastTalk) -> Iterator[Utterance]:
        for message in talk.messages:
            key = ("past", self.tally.format, talk.key, message.key)
            for part, text in enumerate(cut_text(message.text)):
                yield Utterance(
                    event_id=self.resources.new_id(),
                    role=message.role,
                    speaker=message.speaker,
                    text=text,
                    occurred_at=message.at,
                    time_zone=self.time_zone,
                    reference=message.key,
                    idempotency_key="\x1f".join((*key, str(part)) if part else key),
                )

    def _session(self, talk: PastTalk) -> SessionRef:
        day = talk.messages[0].at.date().isoformat()
        return SessionRef(
            session_id=past_session_id(self.owner.scope, self.tally.format, talk.key),
            name=f"{self._format_title}: {talk.title or day}",
            user_name=self.owner.user,
            tenant_name=self.owner.tenant,
            keep_for=self.resources.settings.session_days * 86_400,
        )


async def remove_past(resources: Resources, owner: Identity, import_id: UUID) -> int:
    """Take an import back, all of it; again goes on where it was cut off. How many messages went, in parts or whole.

    Raises ``E_NOT_FOUND`` where the person has no such import.
    """
    imports = resources.memory.past_imports
    if not await imports.begin_removal(owner.scope, import_id, owner.user, resources.clock()):
        raise BrainError("E_NOT_FOUND", "There is no such import.", "'brain past list' shows them.")
    removed = 0
    while part := await imports.remove_part(owner.scope, import_id, _REMOVED_AT_ONCE):
        removed += part
    return removed


def _chunks(talks: Iterator[PastTalk]) -> Iterator[PastTalk]:
    """The same messages in pieces of ``BATCH`` at most; talks that follow each other under one key are joined."""
    waiting: PastTalk | None = None
    for talk in talks:
        if waiting is not None and waiting.key == talk.key and len(waiting.messages) < BATCH:
            talk = PastTalk(key=talk.key, title=talk.title, messages=(*waiting.messages, *talk.messages))
        elif waiting is not None and waiting.messages:
            yield waiting
        while len(talk.messages) > BATCH:
            yield PastTalk(key=talk.key, title=talk.title, messages=talk.messages[:BATCH])
            talk = PastTalk(key=talk.key, title=talk.title, messages=talk.messages[BATCH:])
        waiting = talk
    if waiting is not None and waiting.messages:
        yield waiting


def _is_whole(key: str) -> bool:
    """Whether a key is that of a message, and not of a further piece of a long one."""
    return key.count("\x1f") == _KEY_SEPARATORS


def _nothing_read(tally: Tally) -> BrainError:
    why = ", ".join(f"{number} {reason.replace('_', ' ')}" for reason, number in sorted(tally.left_out.items()))
    return bad_request(
        f"Not one message of it can be read ({why or 'it is empty'}).", "Ask the other service for the export again."
    )


def _printable_name(name: str) -> str:
    return "".join(each if each.isprintable() else "\ufffd" for each in name)[:200]
