"""``brain export`` and ``brain import``: everything that is kept of a person, into a folder and into another Brain."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from apps.cli.options import AsJson, OwnerOptions, command
from apps.cli.output import emit, say
from apps.cli.owner import owner_from
from apps.cli.runner import load_settings, run
from apps.portability.export_person import Exported, export_person
from apps.portability.import_person import import_person
from brain.resources import Resources


@dataclass(frozen=True, kw_only=True)
class FolderOptions(OwnerOptions):
    """Whose memory, and where."""

    folder: Annotated[Path, typer.Argument(help="The folder.")]
    json: AsJson = False


def register(app: typer.Typer) -> None:
    """Add both commands."""

    @command(app, "export")
    def export(options: FolderOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Write everything that is kept of a person into a new folder: Markdown to read, JSON Lines to bring back."""
        done = run(lambda resources: _export(resources, options), load_settings())
        if options.json:
            emit(asdict(done))
        else:
            say(f"{sum(done.rows.values())} rows of {len(done.rows)} kinds are in {done.folder}.")

    @command(app, "import")
    def import_(options: FolderOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Bring such a folder into a Brain that keeps nothing of the person, all of it or nothing.

        For exports of other assistants there is 'brain past import'.
        """
        rows = run(lambda resources: _import(resources, options), load_settings())
        if options.json:
            emit({"rows": rows})
        else:
            say(f"{sum(rows.values())} rows of {len(rows)} kinds are here.")


async def _export(resources: Resources, options: FolderOptions) -> Exported:
    return await export_person(resources, owner_from(options, resources.settings.dm_scope), options.folder)


async def _import(resources: Resources, options: FolderOptions) -> dict[str, int]:
    owner = owner_from(options, resources.settings.dm_scope)
    rows = await import_person(resources, owner, options.folder)
    await resources.memory.index.rebuild(owner.scope)
    return rows
