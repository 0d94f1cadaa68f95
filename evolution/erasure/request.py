"""Asking to be erased: the sentence that has to be typed, and the tombstone that follows.

Forgetting and erasing are two things. What is forgotten can be brought back for a day; what is erased cannot, so
nothing chooses it for a person: no rule, no model, no tool. The person types the sentence that was shown.
"""

from dataclasses import dataclass

from brain.audit_key import person_hash
from brain.resources import Resources
from memory.erasure import ErasureRequest, Requester, Tombstone
from memory.errors import bad_request
from memory.scope import Scope


@dataclass(frozen=True, kw_only=True)
class ErasureWish:
    """Whose memory, named as people name it; ``compartment`` None for all of it."""

    scope: Scope
    user: str
    requested_by: Requester = "person"
    compartment: str | None = None

    @property
    def sentence(self) -> str:
        """What has to be typed."""
        return sentence_for(self.user, self.compartment)


def sentence_for(user: str, compartment: str | None = None) -> str:
    """The sentence that erases, in the words in which it is shown."""
    part = f" in {compartment}" if compartment else ""
    return f"Erase everything about {user}{part} for good."


def require_sentence(wish: ErasureWish, typed: str) -> None:
    """Raises ``E_BAD_REQUEST``, which shows the sentence, for anything but the sentence."""
    if typed.strip() != wish.sentence:
        raise bad_request("Erasing cannot be undone.", f"To erase, send exactly this as 'confirm': {wish.sentence}")


async def request_erasure(resources: Resources, wish: ErasureWish, typed: str) -> Tombstone:
    """Close the person's memory to everybody at once, and have it erased.

    Raises ``E_BAD_REQUEST`` for another sentence, ``E_CONFLICT`` while a legal hold is placed on the person.
    """
    require_sentence(wish, typed)
    scope, erasures = wish.scope, resources.memory.erasures
    profile = await erasures.profile(scope.tenant_id)
    assert profile is not None
    return await erasures.request(
        ErasureRequest(
            tenant_id=scope.tenant_id,
            tombstone_id=resources.new_id(),
            user_id=scope.user_id,
            user_name=wish.user,
            person_hash=person_hash(resources.settings, scope.tenant_id, scope.user_id),
            scope=wish.compartment,
            requested_by=wish.requested_by,
            requested_at=resources.clock(),
            profile=profile,
        )
    )
