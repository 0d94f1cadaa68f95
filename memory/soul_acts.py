"""What may be done with versions of SOUL, whatever store keeps them."""

from collections.abc import Mapping

from memory.errors import BrainError
from memory.soul import SoulStanding, SoulVersion


def require_unpaused(standing: SoulStanding) -> None:
    """Raises ``E_CONFLICT`` while changes are paused."""
    if standing.paused_at is not None:
        raise BrainError(
            "E_CONFLICT", "Changes of SOUL are paused.", "A tenant's administrator can resume them: brain soul resume."
        )


def require_applicable(proposal: SoulVersion, standing: SoulStanding) -> None:
    """Raises ``E_CONFLICT`` for what is no proposal that passed, or was made of a text that is no more."""
    require_unpaused(standing)
    number = proposal.version
    if proposal.reason == "overtaken":
        raise BrainError(
            "E_CONFLICT", f"Another change came before version {number} of SOUL.", "Propose it again, on the new text."
        )
    if proposal.status != "proposed":
        raise BrainError("E_CONFLICT", f"Version {number} of SOUL is {proposal.status}; it cannot be applied.")
    if proposal.evaluation is None:
        raise BrainError("E_CONFLICT", f"Version {number} of SOUL is not evaluated yet.", "Try again in a moment.")
    if standing.active is None or proposal.parent != standing.active.version:
        raise BrainError("E_CONFLICT", f"Version {number} of SOUL was made of another text.", "Propose it again.")


def version_before(version: SoulVersion, known: Mapping[int, SoulVersion]) -> SoulVersion | None:
    """What was in force before a version and still may be: back over what was taken back, and what that restored."""
    source = known[version.version if version.restores is None else version.restores]
    while source.restores is not None:
        source = known[source.restores]
    if source.parent is None:
        return None
    before = known[source.parent]
    return before if before.status == "superseded" else version_before(before, known)
