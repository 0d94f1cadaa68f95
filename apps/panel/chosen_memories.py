"""Several memories chosen in the list: shown once more, then forgotten together, or taken along as a file."""

from dataclasses import dataclass
from uuid import UUID

from starlette.responses import JSONResponse, Response

from apps.memory_api import chosen_memories as api
from apps.panel.page import Visit
from memory.errors import bad_request
from memory.memory_item import MemoryItem
from memory.names import parse_id

_PREFIX = "memory."
"""Of the names of the boxes; behind it stands the id, and the version that was looked at is the value."""


@dataclass(frozen=True)
class ChosenPage:
    """What is asked about: memories as they stand, those ``changed`` since they were chosen, and how many are gone."""

    items: list[MemoryItem]
    changed: frozenset[UUID]
    gone: int


async def ask_to_forget(visit: Visit) -> Response:
    """The first of two steps: what would go, as it stands now. Nothing is changed by it."""
    chosen = _read_chosen(visit)
    found = {each.memory_id: each for each in await visit.memory.items.get_many(visit.scope, list(chosen))}
    living = [found[each] for each in chosen if each in found and found[each].status != "deleted"]
    changed = frozenset(each.memory_id for each in living if each.version != chosen[each.memory_id])
    return visit.render("chosen.html", chosen=ChosenPage(living, changed, len(chosen) - len(living)))


async def forget(visit: Visit) -> Response:
    """The second step: all of them, or none where one was changed meanwhile."""
    memories = [{"id": each, "version": version} for each, version in _read_chosen(visit).items()]
    done: api.ForgottenMemories = await visit.ask(api.forget_memories, memories=memories)
    return visit.redirect("/panel/changes", "forgotten_chosen" if done.forgotten else "unchanged")


async def export(visit: Visit) -> Response:
    """What is chosen, with the words that it rests on, as a file."""
    found: api.ExportedMemories = await visit.ask(api.export_memories, ids=list(_read_chosen(visit)))
    headers = {"Content-Disposition": 'attachment; filename="memories.json"'}
    return JSONResponse(found.model_dump(mode="json"), headers=headers)


def _read_chosen(visit: Visit) -> dict[UUID, int]:
    """The memories whose boxes are ticked. Raises ``E_BAD_REQUEST`` for none, too many, or what no box says."""
    ticked = [name for name in visit.form if name.startswith(_PREFIX)]
    if not ticked:
        raise bad_request("No memory is chosen.", "Tick those that are meant.")
    return {parse_id(name.removeprefix(_PREFIX)): _read_version(visit, name) for name in ticked}


def _read_version(visit: Visit, name: str) -> int:
    typed = visit.read_field(name, 10)
    if not (typed.isascii() and typed.isdigit()):
        raise bad_request("The form cannot be read.", "Open the page again.")
    return int(typed)
