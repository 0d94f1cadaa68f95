"""``brain memories repair``: take back what a false slip of the tongue changed."""

from dataclasses import asdict, dataclass
from typing import Annotated
from uuid import UUID

import typer

from apps.cli.memories import memories
from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, say
from apps.cli.runner import load_settings, run
from brain.documents.profile_refresh import try_refresh_profile
from brain.resources import Resources


@dataclass(frozen=True, kw_only=True)
class RepairOptions(PersonOptions):
    """Whose memories, and whether anything is changed."""

    apply: Annotated[bool, typer.Option("--apply", help="Do it; without this it only says what it would do.")] = False
    json: AsJson = False


@dataclass(frozen=True)
class Repair:
    """A memory that nobody said, and what comes back in its place."""

    memory_id: UUID
    content: str
    restores: tuple[str, ...]


@command(memories, "repair")
def repair(options: RepairOptions) -> None:
    """Bring back memories that rules retracted for a slip that nobody made; says what it would do unless told to."""
    repairs = run(lambda resources: _repair(resources, options), load_settings())
    if options.json:
        emit([asdict(each) for each in repairs])
        return
    for each in repairs:
        say(f"{'Retracted' if options.apply else 'Would retract'}: {each.content}")
        for content in each.restores:
            say(f"  {'restored' if options.apply else 'would restore'}: {content}")
    if not repairs:
        say("Nothing to repair.")
    elif not options.apply:
        say("Nothing was changed. Add --apply to do it.")


async def _repair(resources: Resources, options: RepairOptions) -> list[Repair]:
    from evolution.repair import (
        find_false_slips,
        repair_false_slip,
    )  # reading sentences takes long to import, which --help need not wait for

    scope = scope_from(options, resources.settings.dm_scope)
    slips = await find_false_slips(resources, scope)
    if options.apply:
        for slip in slips:
            await repair_false_slip(resources, scope, slip)
        await try_refresh_profile(resources, scope)
    return [
        Repair(slip.wrong.memory_id, slip.wrong.content, tuple(each.content for each in slip.taken_back))
        for slip in slips
    ]
