"""Evaluate a proposal: rules first, and where they object to nothing a model's opinion, which can only object."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, cast

from brain.metering import collect_usage, spendings
from brain.model_quota import reason_without_model
from brain.resources import Resources
from brain.safety.contract import SafetyContract, packaged_contract
from brain.safety.guarded_model import GuardedModel, contract_of_tenant
from brain.soul_document import LASTING, MalformedSoulError, SoulDocument, parse_soul
from evolution.soul.conduct import PRIVATE, check_change, check_conduct, check_people, check_steering, is_familiar
from evolution.soul.form import (
    added_points,
    changed_share,
    check_form,
    check_lasting,
    check_proportion,
    check_size,
    is_oversized,
)
from evolution.soul.judge import judge
from evolution.soul.report import SoulCheck, SoulReport, codes_of, found, make_check, verdict_of
from memory.scope import Scope
from memory.soul import SoulEvaluation, SoulVersion


async def evaluate(resources: Resources, scope: Scope, proposal: SoulVersion) -> SoulVersion:
    """Evaluate a proposal that waits, and keep the report with it."""
    souls = resources.memory.souls
    if proposal.status != "proposed":
        return proposal
    assert proposal.parent is not None
    before = parse_soul((await souls.get(scope.tenant_id, proposal.parent)).text)
    names = await souls.find_names(scope.tenant_id, proposal.text)
    report = await asyncio.to_thread(examine, before, proposal.text, names)
    if report["verdict"] != "refused":
        report = await _add_judgement(resources, scope, before, parse_soul(proposal.text), report)
    return await souls.record_evaluation(
        scope.tenant_id,
        proposal.version,
        SoulEvaluation(
            report=cast("dict[str, Any]", report),
            is_refused=report["verdict"] == "refused",
            hides_text=bool(codes_of(report) & PRIVATE),
            at=resources.clock(),
        ),
    )


def examine(before: SoulDocument, text: str, names: Iterable[str] = ()) -> SoulReport:
    """What rules find in a proposed text."""
    try:
        after = parse_soul(text)
    except MalformedSoulError:
        return _report([make_check("well_formed", [found("malformed")])], 1.0, [])
    if is_oversized(after):
        return _report([check_size(after)], changed_share(before, after), [])
    added = added_points(before, after)
    proportion, changed = check_proportion(before, after)
    conduct, cases = check_conduct(before, after)
    checks = [
        check_form(after, added),
        check_size(after),
        proportion,
        check_lasting(before, after),
        check_people(added, names),
        check_steering(added, _contracts(before)),
        conduct,
        check_change(before, after),
    ]
    return _report(checks, changed, cases)


def examine_first(text: str, names: Iterable[str] = ()) -> list[str]:
    """What is wrong with a tenant's own first document, by name; what it says of Brain an administrator answers for."""
    try:
        document = parse_soul(text)
    except MalformedSoulError:
        return ["malformed"]
    if is_oversized(document):
        return ["too_large"]
    points = document.all_points
    checks = (
        check_form(document, points),
        check_size(document),
        check_people(points, names),
        check_steering(points, _contracts(document)),
    )
    return sorted({each["code"] for check in checks for each in check["refused"]})


def may_apply_unasked(before: str, proposal: SoulVersion) -> bool:
    """Whether nothing at all was found, by rules or model, in a change of manner in known words."""
    is_clean = proposal.evaluation is not None and proposal.evaluation["verdict"] == "clean"
    return is_clean and is_familiar(parse_soul(before), parse_soul(proposal.text))


async def _add_judgement(
    resources: Resources, scope: Scope, before: SoulDocument, after: SoulDocument, report: SoulReport
) -> SoulReport:
    """The report with a model's opinion, whose cost is the tenant's."""
    is_withheld = bool(await reason_without_model(resources, scope, urgent=True))
    model = None if is_withheld else resources.models.chat or resources.models.fast
    guarded = GuardedModel(model, contract_of_tenant(resources.memory, scope.tenant_id)) if model else None
    with collect_usage() as usages:
        opinion, lost = await judge(guarded, before, after)
    await resources.memory.model_usage.add(scope, resources.today(), spendings(usages, "evolution"))
    return _report([*report["checks"], opinion], report["changed"], [*report["cases"], *lost])


def _contracts(document: SoulDocument) -> Sequence[SafetyContract]:
    """The contract of the package, and what the document itself lays down."""
    anchors, constraints = (document.points(section) for section in LASTING)
    own = SafetyContract(anchors=anchors, constraints=constraints, source_hash="")
    contract = packaged_contract()
    return (contract, own) if contract else (own,)


def _report(checks: list[SoulCheck], changed: float, cases: list[str]) -> SoulReport:
    return SoulReport(verdict=verdict_of(checks), checks=checks, changed=changed, cases=list(dict.fromkeys(cases)))
