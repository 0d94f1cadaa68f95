"""What newer statements do to older ones, on the near misses that may be looked at: rates with limits."""

from dataclasses import replace
from uuid import uuid4

from evals.near_misses import dev_files, figures_of
from memory.ports import MemoryCore
from tests.fakes import Leanings, resources_of

NEVER = (
    "text that nobody said",
    "both hold: ended",
    "both hold: in doubt",
    "both hold: marked in the prompt",
    "newest marked",
    "compound: another part lost",
)
MOST_IN_CONFLICT = 0.02
"""Share of pairs that both hold about which the person is asked for nothing."""
LEAST = {
    "exclude each other: ended or in open conflict": 0.36,
    "exclude each other: newer first": 1.0,
    "compound: changed part over, named or in conflict": 0.28,
}


async def test_nothing_is_ended_doubted_or_made_up_that_holds(memory: MemoryCore):
    resources = replace(resources_of(Leanings(memory=memory)), new_id=uuid4)
    for language, figures in (await figures_of(resources, dev_files())).items():
        shares = {name: part / whole for name, (part, whole) in figures.items()}
        assert {name: shares[name] for name in NEVER} == dict.fromkeys(NEVER, 0.0), language
        assert shares["both hold: in open conflict"] <= MOST_IN_CONFLICT, language
        assert {name: shares[name] for name in LEAST if shares[name] < LEAST[name]} == {}, language
