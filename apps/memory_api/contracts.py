"""The safety contract of a tenant: read, added to by its administrator, and the history of what was added."""

from datetime import datetime
from hashlib import sha256
from typing import Annotated

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Text, endpoint
from brain.safety.contract import ContractRefused, contract_in_force
from brain.safety.contract_review import MAX_CHARACTERS, review_document
from memory.errors import bad_request
from memory.safety_contracts import ContractDocument, ContractVersion


class ContractAsked(ApiRequest):
    """The tenant's own contract."""


class ContractSet(ApiRequest):
    """What the tenant adds from now on, in place of what it added before."""

    text: Annotated[
        Text,
        Field(
            max_length=4 * MAX_CHARACTERS,
            description="Markdown with points under '## Anchors' and '## Constraints'; empty to add nothing any more.",
        ),
    ]


class ContractView(ApiAnswer):
    """What is in force: the points of the package and of the tenant. ``version`` 0 means that nothing was ever added.

    ``sha256`` names it on receipts; ``is_readable`` is false where no part of it counts and high-risk tools are
    blocked.
    """

    version: int
    text: str
    anchors: list[str]
    constraints: list[str]
    sha256: str
    is_readable: bool


class ContractVersionView(ApiAnswer):
    """One version of what the tenant added. Who set it is nobody any more once that person is erased."""

    version: int
    text: str
    sha256: str
    author: str | None
    created_at: datetime


class ContractHistory(ApiAnswer):
    """The newest first."""

    versions: list[ContractVersionView]


@endpoint("GET /safety-contract", command="contract show")
async def show_contract(asked: ContractAsked, call: ApiCall) -> ContractView:
    """Show the safety contract that is in force: the rules of the package, and what this organisation adds."""
    return _view(await call.memory.safety_contracts.find_active(call.scope.tenant_id))


@endpoint(
    "PUT /safety-contract",
    scope="admin",
    example={"text": "## Anchors\n- The person may always ask for a human.\n"},
)
async def set_contract(asked: ContractSet, call: ApiCall) -> ContractView:
    """Add points to the safety contract, for everybody of the organisation and from their next turn on.

    What is added takes the place of what was added before. What contradicts the rules of the package is refused.
    """
    if asked.text.strip():
        await _review(asked.text, call)
    contracts, tenant_id = call.memory.safety_contracts, call.scope.tenant_id
    active = await contracts.find_active(tenant_id)
    digest = sha256(asked.text.encode()).hexdigest()
    if active is not None and active.sha256 == digest:
        return _view(active)
    version = ContractVersion(
        version=active.version + 1 if active else 1,
        text=asked.text,
        sha256=digest,
        author=call.identity.user,
        created_at=call.resources.clock(),
    )
    await contracts.add(tenant_id, version)
    return _view(version)


@endpoint("GET /safety-contract/versions", scope="audit", command="contract history")
async def list_contract_versions(asked: ContractAsked, call: ApiCall) -> ContractHistory:
    """List what was added to the safety contract, by whom and when."""
    found = await call.memory.safety_contracts.list_versions(call.scope.tenant_id)
    return ContractHistory(versions=[ContractVersionView.model_validate(each) for each in found])


async def _review(text: str, call: ApiCall) -> None:
    await call.resources.load()
    try:
        review_document(text)
    except ContractRefused as refused:
        where = f' In: "{refused.point[:200]}".' if refused.point else ""
        raise bad_request(
            f"{refused}{where}", "Nothing was changed; docs/safety.md tells what a point may say."
        ) from None


def _view(active: ContractDocument | None) -> ContractView:
    contract = contract_in_force(() if active is None else (active,))
    return ContractView(
        version=active.version if active else 0,
        text=active.text if active else "",
        anchors=list(contract.anchors) if contract else [],
        constraints=list(contract.constraints) if contract else [],
        sha256=contract.source_hash if contract else "",
        is_readable=contract is not None,
    )
