"""What newer statements do to older ones, on the near misses that may be looked at: rates with limits."""

from dataclasses import replace
from uuid import uuid4

import pytest

from evals.near_misses import Pair, dev_files, figures_of, live
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


@pytest.mark.parametrize(
    ("language", "older", "newer"),
    [
        ("en", "I'm allergic to penicillin.", "They tested me and I'm not allergic to penicillin after all."),
        ("zh", "我对青霉素过敏。", "医生做了测试，原来我对青霉素不过敏。"),
    ],
)
async def test_an_allergy_that_is_denied_lives_on_in_open_conflict(
    memory: MemoryCore, language: str, older: str, newer: str
):
    resources = replace(resources_of(Leanings(memory=memory)), new_id=uuid4)
    life = await live(resources, Pair(language=language, older=older, newer=newer))
    assert [item.status for item in life.items] == ["active", "active"]
    assert life.contested == {str(item.memory_id) for item in life.items}
