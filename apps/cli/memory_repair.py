"""``brain memories repair``: take back what a false slip of the tongue changed."""

from dataclasses import dataclass
from typing import Annotated

import typer

from apps.cli.memory_conflicts import memories
from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, say
from apps.cli.runner import load_settings, run
from brain.documents.profile_refresh import try_refresh_profile
from brain.resources import Resources
from evolution.false_slips import FalseSlip, find_false_slips, repair_false_slip


@dataclass(frozen=True, kw_only=True)
class RepairOptions(PersonOptions):
    """Whose memories, and whether anything is changed."""

    apply: Annotated[bool, typer.Option("--apply", help="Do it; without this it only says what it would do.")] = False
    json: AsJson = False


@command(memories, "repair")
def repair(options: RepairOptions) -> None:
    """Bring back memories that rules retracted for a slip that nobody made; says what it would do unless told to."""
    slips = run(lambda resources: _repair(resources, options), load_settings())
    if options.json:
        emit([_as_record(slip) for slip in slips])
        return
    for slip in slips:
        say(f"{'Retracted' if options.apply else 'Would retract'}: {slip.wrong.content}")
        for held in slip.taken_back:
            say(f"  {'restored' if options.apply else 'would restore'}: {held.content}")
    if not slips:
        say("Nothing to repair.")
    elif not options.apply:
        say("Nothing was changed. Add --apply to do it.")


async def _repair(resources: Resources, options: RepairOptions) -> list[FalseSlip]:
    scope = scope_from(options, resources.settings.dm_scope)
    slips = await find_false_slips(resources, scope)
    if options.apply:
        for slip in slips:
            await repair_false_slip(resources, scope, slip)
        await try_refresh_profile(resources, scope)
    return slips


def _as_record(slip: FalseSlip) -> dict[str, object]:
    return {
        "memory_id": slip.wrong.memory_id,
        "content": slip.wrong.content,
        "restores": [{"memory_id": each.memory_id, "content": each.content} for each in slip.taken_back],
    }
