"""``brain cells``: several databases, and which tenants live in which."""

import asyncio
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from apps.cells.cells import add_cell, list_cells, owner_urls, require_empty_cell
from apps.cells.move import Moved, open_move
from apps.cells.standing import require_tenant
from apps.cli.options import AsJson, TenantOptions, command
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings
from apps.cli.step_spinner import StepSpinner
from brain.settings import Settings
from evolution.erasure.catalogue import SCRUBBED
from memory.errors import bad_request
from memory.postgres.scrubbing.scrub import scrub
from memory.scope import name_id

cells = typer.Typer(no_args_is_help=True, help="Several databases, and which tenants live in which.")


@dataclass(frozen=True, kw_only=True)
class CellOptions:
    """Which cell."""

    name: Annotated[str, typer.Argument(help="Its name in BRAIN_CELLS.")]


@dataclass(frozen=True, kw_only=True)
class ListOptions:
    """For whom."""

    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class MoveOptions(TenantOptions):
    """Who moves where."""

    name: Annotated[str, typer.Argument(help="The cell to move to: home, or a name in BRAIN_CELLS.")]
    scrub: Annotated[
        bool, typer.Option(help="Also write the tables of the old cell anew, so that no byte of the old copy is left.")
    ] = False
    restored: Annotated[
        bool,
        typer.Option(
            "--restored",
            help="After a restore that left several copies: the one in this cell counts, the others are removed.",
        ),
    ] = False
    json: AsJson = False


@command(cells, "add")
def add(options: CellOptions) -> None:
    """Make an empty database that BRAIN_CELLS names a cell: it serves the tenants that are moved to it."""
    asyncio.run(add_cell(load_settings(), options.name))
    say(f"{options.name} is a cell. 'brain cells move --tenant NAME {options.name}' moves a tenant to it.")


@command(cells, "remove")
def remove(options: CellOptions) -> None:
    """Make sure that nobody lives in a cell, before it is taken out of BRAIN_CELLS."""
    asyncio.run(require_empty_cell(load_settings(), options.name))
    say(f"Nobody lives in {options.name}. Take it out of BRAIN_CELLS; its database is left as it is.")


@command(cells, "list")
def show(options: ListOptions) -> None:
    """Every cell, how many tenants were moved to it, and whose move was begun and not ended."""
    found = asyncio.run(list_cells(load_settings()))
    if options.json:
        emit([asdict(each) for each in found])
        return
    rows = [
        (each.name, each.place, each.state, str(each.tenants), " ".join(map(str, each.unfinished)) or "-")
        for each in found
    ]
    show_table(("cell", "database", "state", "tenants", "unfinished moves"), rows)


@command(cells, "move")
def move(options: MoveOptions) -> None:
    """Move a tenant while it is talked to. Repeat it after a failure; move it to where it lives to take it back."""
    settings = load_settings()
    with StepSpinner("reaching the cells") as spinner:
        moved = asyncio.run(_move(settings, options, spinner))
    if options.json:
        emit(asdict(moved))
        return
    say(f"{options.tenant} lives in {options.name}: {moved.rows:,} rows, {moved.changed:,} written meanwhile,")
    say(f"  held for {moved.held_seconds:.2f} s.")


async def _move(settings: Settings, options: MoveOptions, spinner: StepSpinner) -> Moved:
    urls = await owner_urls(settings)
    if options.name not in urls:
        raise bad_request(f"BRAIN_CELLS names no cell {options.name!r}.", f"It knows {', '.join(urls)}.")
    async with open_move(name_id("tenant", options.tenant), urls, spinner.show) as begun:
        await require_tenant(begun.settlement.cells.values(), begun.settlement.tenant_id)
        if options.restored:
            await begun.settlement.choose(options.name)
        moved = await begun.run(options.name)
    if options.scrub:
        for name, url in urls.items():
            if name != options.name:
                spinner.show(f"writing {name} anew")
                await scrub(url, SCRUBBED)
    return moved
