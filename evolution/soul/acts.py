"""What people and the agent do to SOUL, whatever the door: each act with its permission, once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from brain.identity import Identity
from brain.resources import Resources
from brain.soul_document import MalformedSoulError, SoulChange, apply_changes, packaged_soul, parse_soul
from evolution.soul.conduct import names_somebody
from evolution.soul.evaluation import evaluate, examine_first, may_apply_unasked
from language.secrets import has_secret
from memory.errors import BrainError, bad_request
from memory.scope import Scope
from memory.soul import SoulActor, SoulDraft, SoulStanding, SoulVersion
from memory.storable_text import require_storable_text

SoulDecision = Literal["approve", "veto"]
MAX_INTENT, MAX_EVIDENCE = 500, 1_000
"""Characters of what a proposal is for, and of what speaks for it."""
MIN_EVIDENCE = 10
NOBODY = "brain"
"""In whose name the policy and the watch act."""
_NOBODY_ID = UUID(int=0)
_FORM = "Write '## Identity' and the other sections, and under each of them points that begin with '- '."


@dataclass(frozen=True, kw_only=True)
class SoulCaller:
    """Who acts. ``may_decide``: an administrator of the tenant, or whoever runs a server without authentication."""

    resources: Resources
    identity: Identity
    may_decide: bool
    trace_id: str = ""
    key: str = ""

    @property
    def scope(self) -> Scope:
        """Whose act it is."""
        return self.identity.scope

    @property
    def actor(self) -> SoulActor:
        """The same for the store."""
        return SoulActor(
            scope=self.scope,
            name=self.identity.user,
            at=self.resources.clock(),
            first_text=packaged_soul(),
            trace_id=self.trace_id,
            key=self.key,
        )


@dataclass(frozen=True, kw_only=True)
class SoulProposal:
    """What is proposed: a whole text, or changes of the text in force."""

    intent: str
    evidence: str
    text: str = ""
    changes: Sequence[SoulChange] = ()


def administers(identity: Identity) -> bool:
    """Whether somebody decides for the tenant in a conversation."""
    return not identity.verified or "tenant_admin" in identity.roles


async def propose(caller: SoulCaller, proposal: SoulProposal) -> SoulVersion:
    """Keep a proposal, unevaluated. Raises ``E_BAD_REQUEST`` for what cannot be one."""
    _check_reasons(proposal)
    if caller.scope.is_group:
        raise bad_request("A group proposes nothing: what speaks for a change would be somebody else's words.")
    await _require_nobody_named(caller, proposal)
    text = require_storable_text(await _text_of(caller, proposal))
    draft = SoulDraft(
        text=text,
        intent=proposal.intent.strip(),
        evidence=proposal.evidence.strip(),
        most_a_day=caller.resources.settings.soul_daily_proposals,
    )
    return await caller.resources.memory.souls.propose(caller.actor, draft)


async def propose_and_evaluate(caller: SoulCaller, proposal: SoulProposal) -> SoulVersion:
    """Propose, evaluate, and apply at once only where the policy asks nobody and nothing was found."""
    made = await propose(caller, proposal)
    evaluated = await evaluate(caller.resources, caller.scope, made)
    return await apply_unasked(caller.resources, evaluated, caller.scope)


async def needs_person(resources: Resources, proposal: SoulVersion, scope: Scope) -> bool:
    """Whether somebody has to decide: by policy, or because it is more than a change of manner that all agree to."""
    if resources.settings.soul_approval == "person" or proposal.parent is None:
        return True
    before = await resources.memory.souls.get(scope.tenant_id, proposal.parent)
    return not may_apply_unasked(before.text, proposal)


async def apply_unasked(resources: Resources, proposal: SoulVersion, scope: Scope) -> SoulVersion:
    """Apply a proposal about which nobody has to be asked; any other one stays as it is."""
    if proposal.status != "proposed" or await needs_person(resources, proposal, scope):
        return proposal
    return await resources.memory.souls.apply(actor_of_nobody(resources, scope), proposal.version)


async def decide(caller: SoulCaller, version: int, decision: SoulDecision) -> SoulVersion:
    """Approve or veto a proposal, or veto the version in force.

    Raises ``E_TENANT_FORBIDDEN`` for whoever may not; a person may always withdraw a proposal of their own.
    """
    souls = caller.resources.memory.souls
    found = await souls.get(caller.scope.tenant_id, version)
    is_own = found.proposed_by == caller.scope.user_id
    if decision == "veto":
        if not (is_own and found.status == "proposed"):
            _require_administrator(caller)
        return await souls.veto(caller.actor, version)
    _require_administrator(caller)
    if is_own and found.status == "proposed" and caller.resources.settings.soul_approval == "person":
        raise BrainError(
            "E_TENANT_FORBIDDEN",
            "Somebody else has to approve what was proposed in your conversation.",
            "Ask another administrator, or set BRAIN_SOUL_APPROVAL=none.",
        )
    if found.status == "proposed" and found.evaluation is None:
        await evaluate(caller.resources, caller.scope, found)
    return await souls.apply(caller.actor, version)


async def rollback(caller: SoulCaller, to: int | None = None) -> SoulVersion:
    """Put the version before the active one, or a certain one, in force again."""
    _require_administrator(caller)
    return await caller.resources.memory.souls.rollback(caller.actor, to)


async def set_paused(caller: SoulCaller, *, paused: bool) -> SoulStanding:
    """Let nothing be proposed or applied until it is resumed. Taking back is possible all the same."""
    _require_administrator(caller)
    return await caller.resources.memory.souls.set_paused(caller.actor, paused=paused)


async def import_first(caller: SoulCaller, text: str) -> SoulVersion:
    """Put the tenant's own document in force, once, before anything changed."""
    _require_administrator(caller)
    souls = caller.resources.memory.souls
    faults = examine_first(text, await souls.find_names(caller.scope.tenant_id, text))
    if faults:
        raise bad_request(f"This text cannot be a SOUL: {', '.join(faults)}.", _FORM)
    return await souls.import_first(caller.actor, parse_soul(text).text)


def actor_of_nobody(resources: Resources, scope: Scope) -> SoulActor:
    """Whoever acts by the policy, or by the watch."""
    tenant = Scope(tenant_id=scope.tenant_id, user_id=_NOBODY_ID)
    return SoulActor(scope=tenant, name=NOBODY, at=resources.clock(), first_text=packaged_soul())


async def _text_of(caller: SoulCaller, proposal: SoulProposal) -> str:
    """The proposed document in its one form."""
    if bool(proposal.text) == bool(proposal.changes):
        raise bad_request("A proposal is either a whole text or a list of changes.")
    if proposal.text:
        try:
            return parse_soul(proposal.text).text
        except MalformedSoulError as malformed:
            raise bad_request(str(malformed), _FORM) from None
    active = await caller.resources.memory.souls.active(caller.scope.tenant_id)
    return apply_changes(parse_soul(active.text if active else packaged_soul()), proposal.changes).text


def _check_reasons(proposal: SoulProposal) -> None:
    intent, evidence = (require_storable_text(each).strip() for each in (proposal.intent, proposal.evidence))
    if not intent or len(intent) > MAX_INTENT:
        raise bad_request(f"A proposal says what it is for, in at most {MAX_INTENT} characters.")
    if not MIN_EVIDENCE <= len(evidence) <= MAX_EVIDENCE:
        raise bad_request(
            f"A proposal needs evidence, of {MIN_EVIDENCE} to {MAX_EVIDENCE} characters.",
            "Say what was seen, and where.",
        )
    if has_secret(intent) or has_secret(evidence):
        raise bad_request("Intent and evidence may hold no password, key or card number.")


async def _require_nobody_named(caller: SoulCaller, proposal: SoulProposal) -> None:
    """What speaks for a change outlives whoever it tells of: it goes when its author is erased, not when they are."""
    told = f"{proposal.intent}\n{proposal.evidence}"
    names = await caller.resources.memory.souls.find_names(caller.scope.tenant_id, told)
    if names_somebody(told, names):
        raise bad_request("Intent and evidence may name nobody of the organisation.", "Say what was seen, not of whom.")


def _require_administrator(caller: SoulCaller) -> None:
    if not caller.may_decide:
        raise BrainError(
            "E_TENANT_FORBIDDEN", "Only an administrator of the tenant decides on SOUL.", "Ask one of them."
        )
