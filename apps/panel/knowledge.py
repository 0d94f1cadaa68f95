"""What the organisation knows: looked through by everybody of the tenant, written by those who run it."""

from uuid import UUID

from starlette.responses import Response

from apps.http.errors import HttpRefusal, refusal_of
from apps.memory_api import knowledge as api
from apps.memory_api.knowledge_entries import EntryHit, EntryView
from apps.panel.page import Visit
from knowledge.entries import MAX_CHARACTERS, MAX_NAME_CHARACTERS
from memory.errors import BrainError

MAX_LISTED = 200
_LIST = "/panel/knowledge"
_NAMES = ("topic", "owner", "org_tier", "brand", "platform")
"""Fields beside the text that a form asks for."""


async def list_knowledge(visit: Visit) -> Response:
    """The newest entries, or those that come nearest to what is looked for; and a form for a new one."""
    return await _show_list(visit)


async def add_knowledge(visit: Visit) -> Response:
    """Add an entry; what cannot be added is shown again with the reason."""
    try:
        added = await visit.ask(api.add_knowledge, text=visit.read_field("text", MAX_CHARACTERS), **_read_names(visit))
    except BrainError as error:
        return await _show_list(visit, refusal_of(error))
    return visit.redirect(f"{_LIST}/{added.entry_id}", "saved")


async def show_knowledge(visit: Visit) -> Response:
    """An entry, what it relates, what it said before, and the form to say something else."""
    return await _show_entry(visit)


async def edit_knowledge(visit: Visit) -> Response:
    """Say something else in an entry; what cannot be saved is shown again, so that nothing is lost."""
    held = await visit.ask(api.read_knowledge, id=_entry_id(visit))
    kept = held.model_dump(include={"kind", "role", "language", "valid_from", "valid_until", "relations"})
    try:
        await visit.ask(
            api.edit_knowledge,
            id=_entry_id(visit),
            revision=visit.read_field("revision", 10),
            text=visit.read_field("text", MAX_CHARACTERS),
            **kept,
            **_read_names(visit),
        )
    except BrainError as error:
        return await _show_entry(visit, refusal_of(error), visit.form.get("text", ""))
    return visit.redirect(f"{_LIST}/{_entry_id(visit)}", "saved")


async def remove_knowledge(visit: Visit) -> Response:
    """Take an entry out of every answer."""
    await visit.ask(api.remove_knowledge, id=_entry_id(visit))
    return visit.redirect(f"{_LIST}/{_entry_id(visit)}", "removed")


async def _show_list(visit: Visit, refusal: HttpRefusal | None = None) -> Response:
    question = visit.read_query("q")
    hits: list[EntryHit] = (await visit.ask(api.search_knowledge, text=question, limit=50)).entries if question else []
    entries: list[EntryView] = [] if question else (await visit.ask(api.list_knowledge, limit=MAX_LISTED)).items
    return visit.render(
        "knowledge.html",
        refusal.status if refusal else 200,
        question=question,
        hits=hits,
        entries=entries,
        most=MAX_LISTED,
        names=_NAMES,
        refusal=refusal,
        typed=visit.form,
    )


async def _show_entry(visit: Visit, refusal: HttpRefusal | None = None, typed: str = "") -> Response:
    entry: EntryView = await visit.ask(api.read_knowledge, id=_entry_id(visit))
    history = await visit.ask(api.list_knowledge_versions, id=_entry_id(visit))
    return visit.render(
        "knowledge_entry.html",
        refusal.status if refusal else 200,
        entry=entry,
        versions=history.versions[::-1],
        names=_NAMES,
        refusal=refusal,
        body=typed or entry.text,
    )


def _entry_id(visit: Visit) -> UUID:
    return visit.request.path_params["entry_id"]


def _read_names(visit: Visit) -> dict[str, str]:
    return {name: visit.read_field(name, MAX_NAME_CHARACTERS) for name in _NAMES}
