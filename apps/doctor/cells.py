"""The doctor's look at what is between the databases: whose tenants live where, and moves that were not ended."""

from apps.cells.cells import CellView, list_cells
from apps.doctor.findings import Finding, broken_finding, degraded_finding, ok_finding
from brain.settings import Settings
from memory.errors import BrainError

_MAX_TENANTS = 5
_NAME_THEM = "Name it in BRAIN_CELLS of every process (docs/cells.md): its tenants are refused until then."
_END = "A worker ends a move whose mover died; what stays is for 'brain cells move' (docs/cells.md)."


async def cells_finding(settings: Settings) -> Finding | None:
    """What is wrong between them; None where there is one database, and no tenant that lives elsewhere."""
    try:
        cells = await list_cells(settings)
    except BrainError as error:
        return broken_finding("cells", error.message, error.hint) if settings.cell_urls else None
    if len(cells) == 1:
        return None
    if unnamed := [each.name for each in cells if not each.place]:
        return broken_finding("cells", f"tenants live in {', '.join(unnamed)}, which no setting names", _NAME_THEM)
    if moving := [told for each in cells if (told := _tell_moves(each))]:
        return degraded_finding("cells", f"moves that were begun and not ended: {'; '.join(moving)}", _END)
    return ok_finding("cells", ", ".join(f"{each.name} ({each.tenants} moved there)" for each in cells[1:]))


def _tell_moves(cell: CellView) -> str:
    listed = " ".join(map(str, cell.unfinished[:_MAX_TENANTS]))
    more = f" and {len(cell.unfinished) - _MAX_TENANTS} more" if len(cell.unfinished) > _MAX_TENANTS else ""
    return f"{cell.name} {listed}{more}" if listed else ""
