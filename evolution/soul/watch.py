"""After a change: are replies taken worse than before? Then what was there before comes back.

The guard metric is the share of replies that the person corrected. A version is compared after 30 replies and at every
doubling of them, at most six times: who looks all the time finds something sooner or later. It goes back when the share
is worse by a fifth **and** a 99 % interval of the difference excludes zero.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog

from brain.resources import Resources
from brain.score_intervals import Interval, newcombe_interval, wilson_interval
from evolution.soul.acts import actor_of_nobody
from memory.errors import BrainError
from memory.scope import Scope
from memory.soul import SoulFigures, SoulVersion

log = structlog.get_logger(__name__)

WORSE_BY = 0.2
"""Share of the earlier rate by which the new one has to be worse."""
Z_99 = 2.5758
LOOKS = 6
BASELINE = 10
"""So many times the first number of replies are taken of before, where there are so many."""
_LISTED = 1_000
_NOBODY = UUID(int=0)


@dataclass(frozen=True)
class ReactionShare:
    """How many of how many replies were corrected."""

    negative: int
    replies: int

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.negative / self.replies if self.replies else 0.0

    def __add__(self, other: "ReactionShare") -> "ReactionShare":
        return ReactionShare(self.negative + other.negative, self.replies + other.replies)


def is_worse(before: ReactionShare, after: ReactionShare) -> bool:
    """Worse by a fifth, and surely worse: the score interval of the difference (Newcombe) lies above zero."""
    if not before.replies or not after.replies or after.share < before.share * (1 + WORSE_BY):
        return False
    difference = newcombe_interval((after.share, _score_interval(after)), (before.share, _score_interval(before)))
    return difference.low > 0


def is_due(replies: int, looked_at: int, first: int) -> bool:
    """Whether there are enough replies for another look: the first number, and then each time twice as many."""
    due = [first * 2**look for look in range(LOOKS)]
    return any(looked_at < number <= replies for number in due)


def goes_on(replies: int, first: int) -> bool:
    """Whether there will be another look after one at so many replies."""
    return replies < first * 2 ** (LOOKS - 1)


async def watch_souls(resources: Resources) -> int:
    """Look at every change that is due; how many went back."""
    gone_back = 0
    for tenant_id in await resources.memory.souls.list_watched():
        try:
            gone_back += await watch_soul(resources, tenant_id)
        except BrainError as error:
            log.warning("soul_not_watched", tenant_id=str(tenant_id), code=error.code)
    return gone_back


async def watch_soul(resources: Resources, tenant_id: UUID) -> bool:
    """Look at a tenant's active version; whether it went back."""
    souls, first = resources.memory.souls, resources.settings.soul_watch_turns
    known = {each.version: each for each in await souls.list_newest(tenant_id, _LISTED)}
    active = next((each for each in known.values() if each.status == "active"), None)
    if active is None or not active.watched:
        return False
    figures = shares_of(await souls.figures(tenant_id))
    after, before = (
        figures.get(active.version, ReactionShare(0, 0)),
        baseline_of(active, known, figures, BASELINE * first),
    )
    if not is_due(after.replies, active.looked_at, first):
        return False
    if before.replies >= first and is_worse(before, after):
        actor = actor_of_nobody(resources, Scope(tenant_id=tenant_id, user_id=_NOBODY))
        await souls.rollback(actor, unless_changed=active.version)
        log.warning("soul_rolled_back", tenant_id=str(tenant_id), version=active.version)
        return True
    await souls.note_look(tenant_id, active.version, after.replies, goes_on=goes_on(after.replies, first))
    return False


def shares_of(figures: Sequence[SoulFigures]) -> Mapping[int, ReactionShare]:
    """The figures by version."""
    return {each.version: ReactionShare(each.negative, each.replies) for each in figures}


def baseline_of(
    active: SoulVersion, known: Mapping[int, SoulVersion], figures: Mapping[int, ReactionShare], wanted: int
) -> ReactionShare:
    """Replies of the version before, and of those before it until there are as many as are wanted."""
    total, number = ReactionShare(0, 0), active.parent
    while number is not None and number in known and total.replies < wanted:
        total += figures.get(number, ReactionShare(0, 0))
        earlier = known[number]
        number = earlier.parent if earlier.restores is None else earlier.restores
    return total


def _score_interval(rate: ReactionShare) -> Interval:
    return wilson_interval(rate.share, rate.replies, Z_99)
