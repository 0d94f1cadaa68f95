"""A person's memory out of a folder into a Brain that has none of theirs: every row as it was, or nothing at all."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from apps.portability.manifest import ROWS, Manifest, read_manifest
from brain.identity import Identity
from brain.resources import Resources
from memory.errors import BrainError, bad_request
from memory.person_rows import PersonTable

MAX_LINE = 256 << 20
"""Characters of one row."""


async def import_person(resources: Resources, owner: Identity, folder: Path) -> dict[str, int]:
    """Enter an export; the index is derived by who calls. How many rows of each table came.

    Raises ``E_BAD_REQUEST`` for a folder that is no export, was changed, or is of somebody else; ``E_CONFLICT`` for a
    person of whom something is known here.
    """
    manifest = read_manifest(folder)
    rows = resources.memory.person_rows
    _check_person(manifest, owner)
    tables = _tables_of(manifest, await rows.list_tables())
    if not await rows.is_empty(owner.scope):
        raise BrainError(
            "E_CONFLICT",
            f"Something is kept of {owner.user!r} here already.",
            "An export is brought into a Brain that knows nothing of the person."
            " If such an import was cut off before its end, 'brain rebuild' completes it.",
        )
    await rows.write(owner.scope, (owner.tenant, owner.user), tables, lambda table: _lines(folder, table))
    return manifest.rows


def _check_person(manifest: Manifest, owner: Identity) -> None:
    """Ids are made of names: under other names nothing of it would be found."""
    if (manifest.tenant, manifest.user) != (owner.tenant, owner.user):
        raise bad_request(
            f"This is the memory of {manifest.user[:200]!r} in {manifest.tenant[:200]!r}.",
            "Import it under the same --user and --tenant.",
        )
    if manifest.scope != owner.scope.key:
        raise bad_request(
            f"It is of the compartment {manifest.scope[:200]!r}.", "Set BRAIN_DM_SCOPE as it was where it was exported."
        )


def _tables_of(manifest: Manifest, known: Sequence[PersonTable]) -> list[PersonTable]:
    """The tables of the export with the columns that it has. Raises ``E_BAD_REQUEST`` for what this Brain lacks."""
    here = {each.name: each for each in known}
    tables: list[PersonTable] = []
    for name, columns in manifest.columns.items():
        found = here.get(name)
        if found is None or not set(columns) <= set(found.columns):
            raise bad_request(f"The export holds {name[:60]!r} as another Brain knows it.", "Import it with that one.")
        tables.append(replace(found, columns=tuple(columns)))
    return tables


def _lines(folder: Path, table: PersonTable) -> Iterator[str]:
    with (folder / ROWS / f"{table.name}.jsonl").open(encoding="utf-8", newline="\n") as file:
        while line := file.readline(MAX_LINE):
            yield line.rstrip("\n")
