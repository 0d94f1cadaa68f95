"""Writing knowledge and looking through it, one tenant at a time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from knowledge.entries import (
    Author,
    EntryFilter,
    EntryVersion,
    IndexedDraft,
    KnowledgeDraft,
    Relation,
    StoredEntry,
    WriteCount,
)
from knowledge.postgres.sessions import KnowledgeDatabase, KnowledgeSession
from language.terms import fold
from retrieval.wire import int_array, vector_text

_THINGS = UUID("6f2f6f5e-3f0b-5b7e-9d0a-2c7f4c3f7f11")
"""What the ids of things are made of, with their names."""


@dataclass(frozen=True)
class _Written:
    entry_id: UUID
    revision: int
    source: str
    source_key: str


@dataclass(frozen=True)
class _Place:
    source: str
    source_key: str
    content_sha256: bytes
    entry_id: UUID


@dataclass(frozen=True)
class _Unembedded:
    entry_id: UUID
    text: str


class PostgresKnowledgeStore:
    """``KnowledgeStore`` on the tables of ``brain.knowledge_*``."""

    def __init__(self, database: KnowledgeDatabase) -> None:
        self._database = database

    async def find_new(self, tenant_id: UUID, drafts: Sequence[KnowledgeDraft]) -> list[KnowledgeDraft]:
        """Of drafts with places, those that say something else than what was read there before."""
        async with self._database.session(tenant_id) as session:
            known = await _fetch_known(session, tenant_id, drafts)
        return [each for each in drafts if not _is_known(each, known)]

    async def put(self, tenant_id: UUID, drafts: Sequence[IndexedDraft], by: Author) -> WriteCount:
        """Write entries, all or none of them. Of two drafts of one place the last one counts."""
        last = {_place(each): each for each in drafts}
        if not last:
            return WriteCount()
        async with self._database.transaction(tenant_id) as session:
            known = await _fetch_known(session, tenant_id, [each.draft for each in last.values()])
            chosen = [each for each in last.values() if not _is_known(each.draft, known)]
            there = tuple(known[place].entry_id for place, each in last.items() if _is_known(each.draft, known))
            if not chosen:
                return WriteCount(unchanged=len(last), entry_ids=there)
            params = {"tenant_id": tenant_id, **_by(by), **_columns(chosen)}
            written = await session.fetch("put_entries", params, _Written)
            by_id = {each.entry_id: each for each in chosen}
            told = [(w.entry_id, _draft_of(w, by_id, last)) for w in written]
            _relate(session, tenant_id, told)
        added = sum(each.revision == 1 for each in written)
        return WriteCount(
            added=added,
            changed=len(written) - added,
            unchanged=len(last) - len(written),
            entry_ids=(*there, *(each.entry_id for each in written)),
        )

    async def edit(self, tenant_id: UUID, draft: IndexedDraft, revision: int, by: Author) -> StoredEntry | None:
        """Say something else in an entry; None where there is none at that revision any more."""
        columns = {name: values[0] for name, values in _named_columns([draft]).items()}
        params = {"tenant_id": tenant_id, "revision": revision, **_by(by), **columns}
        async with self._database.transaction(tenant_id) as session:
            written = await session.fetch("edit_entry", params, _Written)
            if not written:
                return None
            _relate(session, tenant_id, [(draft.entry_id, draft.draft)])
            return await _fetch_entry(session, tenant_id, draft.entry_id)

    async def remove(self, tenant_id: UUID, entry_id: UUID, by: Author) -> StoredEntry | None:
        """Take an entry out of every answer; its history stays."""
        async with self._database.transaction(tenant_id) as session:
            params = {"tenant_id": tenant_id, "entry_id": entry_id, **_by(by)}
            if not await session.fetch("remove_entry", params, _Written):
                return None
            return await _fetch_entry(session, tenant_id, entry_id)

    async def find(self, tenant_id: UUID, entry_ids: Sequence[UUID]) -> list[StoredEntry]:
        """Entries by their ids, removed ones as well."""
        async with self._database.session(tenant_id) as session:
            return await _fetch_entries(session, tenant_id, entry_ids)

    async def list_entries(
        self, tenant_id: UUID, wanted: EntryFilter, limit: int, after: tuple[datetime, UUID] | None = None
    ) -> list[StoredEntry]:
        """Entries, the newest first, behind the one that was updated then."""
        after_at, after_entry = after or (None, None)
        tier, role = wanted.readers or (None, None)
        params = {"tenant_id": tenant_id, **vars(wanted), "reader_tier": tier, "reader_role": role, "limit": limit}
        async with self._database.session(tenant_id) as session:
            behind = {"after_at": after_at, "after_entry": after_entry}
            return await session.fetch("list_entries", {**params, **behind}, StoredEntry)

    async def history(self, tenant_id: UUID, entry_id: UUID) -> list[EntryVersion]:
        """What an entry said before, oldest first."""
        async with self._database.session(tenant_id) as session:
            params = {"tenant_id": tenant_id, "entry_id": entry_id}
            return await session.fetch("entry_versions", params, EntryVersion)

    async def relations(self, tenant_id: UUID, entry_id: UUID) -> list[Relation]:
        """What an entry relates."""
        async with self._database.session(tenant_id) as session:
            params = {"tenant_id": tenant_id, "entry_id": entry_id}
            return await session.fetch("relations_of_entry", params, Relation)

    async def list_unembedded(self, tenant_id: UUID, model: str, limit: int) -> list[tuple[UUID, str]]:
        """Entries without a vector of that model."""
        async with self._database.session(tenant_id) as session:
            params = {"tenant_id": tenant_id, "model": model, "limit": limit}
            found = await session.fetch("unembedded_entries", params, _Unembedded)
        return [(each.entry_id, each.text) for each in found]

    async def set_vectors(self, tenant_id: UUID, model: str, vectors: Mapping[UUID, Sequence[float]]) -> None:
        """Keep vectors of entries."""
        texts = [vector_text(vector) for vector in vectors.values()]
        async with self._database.transaction(tenant_id) as session:
            params = {"tenant_id": tenant_id, "model": model, "entry_ids": list(vectors), "vectors": texts}
            session.execute("set_entry_vectors", params)


async def _fetch_known(
    session: KnowledgeSession, tenant_id: UUID, drafts: Sequence[KnowledgeDraft]
) -> dict[tuple[object, ...], _Place]:
    """What was read before, by its place."""
    places = {"sources": [d.source for d in drafts], "source_keys": [d.source_key for d in drafts]}
    known = await session.fetch("known_places", {"tenant_id": tenant_id, **places}, _Place)
    return {(each.source, each.source_key): each for each in known}


def _is_known(draft: KnowledgeDraft, known: Mapping[tuple[object, ...], _Place]) -> bool:
    """Whether it says what was read at its place before."""
    held = known.get((draft.source, draft.source_key))
    return held is not None and bytes(held.content_sha256) == draft.sha256


def _place(each: IndexedDraft) -> tuple[object, ...]:
    """Where a draft was read; one that nobody read anywhere is a place of its own."""
    return (each.draft.source, each.draft.source_key) if each.draft.source_key else (each.entry_id,)


def _draft_of(
    written: _Written, by_id: Mapping[UUID, IndexedDraft], by_place: Mapping[tuple[object, ...], IndexedDraft]
) -> KnowledgeDraft:
    """What was written into an entry: one that was there before keeps its id, and is known by its place."""
    found = by_place.get((written.source, written.source_key)) or by_id[written.entry_id]
    return found.draft


def _by(author: Author) -> dict[str, object]:
    return {"author": author.name, "reason": author.reason, "at": author.at}


def _columns(drafts: Sequence[IndexedDraft]) -> dict[str, object]:
    """The drafts as arrays, named in the plural."""
    return {_plural(name): values for name, values in _named_columns(drafts).items()}


def _plural(name: str) -> str:
    return "entry_ids" if name == "entry_id" else name if name in ("words", "grams") else f"{name}s"


def _named_columns(drafts: Sequence[IndexedDraft]) -> dict[str, list[object]]:
    told = ("kind", "text", "topic", "owner", "org_tier", "role", "brand", "platform", "language")
    told = (*told, "valid_from", "valid_until", "source", "source_key", "sha256")
    terms = [each.draft.terms for each in drafts]
    return {
        "entry_id": [each.entry_id for each in drafts],
        **{name: [getattr(each.draft, name) for each in drafts] for name in told},
        "words": [int_array(each.words) for each in terms],
        "grams": [int_array(each.grams) for each in terms],
        "length": [each.length for each in terms],
        "model": [each.model for each in drafts],
        "vector": [None if each.vector is None else vector_text(each.vector) for each in drafts],
    }


def _relate(session: KnowledgeSession, tenant_id: UUID, told: Sequence[tuple[UUID, KnowledgeDraft]]) -> None:
    """Write what entries relate in the place of what they related before."""
    if not told:
        return
    session.execute("drop_relations", {"tenant_id": tenant_id, "entry_ids": [entry for entry, _ in told]})
    related = [(entry, each) for entry, draft in told for each in draft.relations]
    if not related:
        return
    names = _names(each for _, each in related)
    things = {"tenant_id": tenant_id, "entity_ids": list(names), "names": list(names.values())}
    session.execute("put_entities", things)
    params = {
        "entry_ids": [entry for entry, _ in related],
        "subject_ids": [_thing(each.subject) for _, each in related],
        "relations": [each.relation for _, each in related],
        "object_ids": [_thing(each.object) for _, each in related],
    }
    session.execute("put_relations", {"tenant_id": tenant_id, **params})


def _names(relations: Iterable[Relation]) -> dict[UUID, str]:
    return {_thing(name): name for each in relations for name in (each.subject, each.object)}


def _thing(name: str) -> UUID:
    """One thing per name, however it is written."""
    return uuid5(_THINGS, " ".join(fold(name).split()))


async def _fetch_entry(session: KnowledgeSession, tenant_id: UUID, entry_id: UUID) -> StoredEntry:
    return (await _fetch_entries(session, tenant_id, [entry_id]))[0]


async def _fetch_entries(session: KnowledgeSession, tenant_id: UUID, entry_ids: Sequence[UUID]) -> list[StoredEntry]:
    params = {"tenant_id": tenant_id, "entry_ids": list(entry_ids)}
    return await session.fetch("find_entries", params, StoredEntry)
