"""Ranking by name: orders the candidates of one or several passes by a named policy."""

from collections.abc import Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from memory.errors import bad_request
from memory.recall.dedupe import demote_echoes, demote_extra_passages, demote_repeats
from memory.recall.policies import blend, s0
from memory.recall.policy import Policy, RankedCandidate
from memory.recall.query import RecallPass

POLICIES: Mapping[str, Policy] = MappingProxyType(
    {
        policy.name: policy
        for policy in (
            Policy(blend.NAME, blend.order, blend.CUT.apply, blend.CUT.apply_leniently),
            Policy(s0.NAME, s0.order),
        )
    }
)
DEFAULT_POLICY = blend.NAME


def find_policy(name: str = "default") -> Policy:
    """The policy of that name and version; ``default`` and the empty name mean the measured best."""
    wanted = DEFAULT_POLICY if name in ("", "default") else name
    try:
        return POLICIES[wanted]
    except KeyError:
        raise bad_request(f"There is no ranking policy {name!r}.", f"Choose one of {', '.join(POLICIES)}.") from None


def rank(passes: Sequence[RecallPass], policy: Policy, limit: int | None = None) -> list[RankedCandidate]:
    """Candidates, best first, each source once. The first pass is the user's own words, the others are rewritings."""
    if not passes:
        return []
    question = passes[0].query.text
    turns = demote_extra_passages(policy.order(passes), question)
    return list(islice(demote_repeats(demote_echoes(list(turns)), question), limit))
