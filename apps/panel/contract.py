"""The safety contract in the panel: what is in force, and for an administrator what the organisation adds to it."""

from starlette.responses import Response

from apps.memory_api import contracts
from apps.panel.page import Visit
from brain.safety.contract import packaged_contract
from brain.safety.contract_review import MAX_CHARACTERS
from memory.errors import BrainError


async def show_contract(visit: Visit) -> Response:
    """The rules of the package, what is added to them, and who added it."""
    return await _show(visit)


async def set_contract(visit: Visit) -> Response:
    """Put what was typed in force; what may not be added is told, and nothing typed is lost."""
    typed = visit.read_field("text", 4 * MAX_CHARACTERS)
    try:
        await visit.ask(contracts.set_contract, text=typed)
    except BrainError as refusal:
        if refusal.code not in ("E_BAD_REQUEST", "E_CONFLICT"):
            raise
        return await _show(visit, typed, refusal)
    return visit.redirect("/panel/contract", "contract")


async def _show(visit: Visit, typed: str | None = None, refusal: BrainError | None = None) -> Response:
    found: contracts.ContractView = await visit.ask(contracts.show_contract)
    history = await visit.ask(contracts.list_contract_versions) if visit.may("audit") else None
    package = packaged_contract()
    own = package.points if package else ()
    return visit.render(
        "contract.html",
        status=400 if refusal else 200,
        contract=found,
        own=own,
        added=[point for point in (*found.anchors, *found.constraints) if point not in own],
        versions=history.versions if history else [],
        typed=found.text if typed is None else typed,
        refusal=refusal,
        longest=MAX_CHARACTERS,
    )
