"""The budget of a prompt: it always fits, and what matters most gives way last."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.prompting.budget import (
    BASELINE,
    BOUNDS,
    CUT_ORDER,
    INCOMPRESSIBLE,
    BudgetSignals,
    Slot,
    baseline,
    check_window,
    safety_margin,
    slot_demands,
    slot_floors,
)
from brain.prompting.truncation import POLICIES, allocate, truncation_policy
from memory.errors import BrainError

SMALLEST = 6_843
"""The smallest window that start-up accepts: 4,500 + a margin of 5 % + 2,000 for one more answer."""

SIGNALS = st.builds(
    BudgetSignals,
    memory_richness=st.integers(0, 50),
    knowledge_relevance=st.integers(0, 50),
    conversation_depth=st.integers(0, 500),
    model_context_window=st.integers(SMALLEST, 200_000),
    system_tokens=st.integers(0, 2_500),
    user_tokens=st.integers(0, 60_000),
    document_tokens=st.integers(0, 20_000),
)
ALL = pytest.mark.parametrize("policy", sorted(POLICIES))


def fits(slots: dict[Slot, int], window: int) -> bool:
    return sum(slots.values()) + safety_margin(window) <= window


@ALL
@given(signals=SIGNALS)
def test_an_allocation_with_its_margin_never_exceeds_the_window(policy: str, signals: BudgetSignals):
    slots = allocate(signals, POLICIES[policy])
    assert fits(slots, signals.model_context_window)
    assert all(tokens >= 0 for tokens in slots.values())


@ALL
@given(signals=SIGNALS)
def test_what_may_not_be_cut_is_never_cut(policy: str, signals: BudgetSignals):
    slots = allocate(signals, POLICIES[policy])
    assert all(slots[slot] >= BOUNDS[slot].least for slot in INCOMPRESSIBLE)
    assert slots["system_prompt"] >= signals.system_tokens
    if any(slots[slot] for slot in CUT_ORDER):
        assert slots["last_user_turn"] >= min(signals.user_tokens, BOUNDS["last_user_turn"].most)


@ALL
@given(signals=SIGNALS)
def test_every_least_is_kept_in_a_window_that_holds_them(policy: str, signals: BudgetSignals):
    if fits(slot_floors(signals), signals.model_context_window):
        slots = allocate(signals, POLICIES[policy])
        assert all(slots[slot] >= least for slot, least in slot_floors(signals).items())


@ALL
@given(signals=SIGNALS)
def test_no_slot_gets_more_than_it_can_use(policy: str, signals: BudgetSignals):
    slots = allocate(signals, POLICIES[policy])
    assert all(slots[slot] <= tokens for slot, tokens in slot_demands(signals).items())


@given(st.integers(SMALLEST, 200_000))
def test_the_static_table_fits_too(window: int):
    assert fits(baseline(window), window)


def test_an_ordinary_turn_in_a_large_window_gets_the_static_table_without_knowledge():
    assert slot_demands(BudgetSignals(memory_richness=3)) == {**BASELINE, "knowledge_context": 0, "documents": 0}


def test_rich_memory_rises_and_summaries_give_way():
    slots = slot_demands(BudgetSignals(memory_richness=8))
    assert (slots["personal_context"], slots["summary_blocks"]) == (8_000, 2_000)


def test_much_knowledge_rises_and_the_window_gives_way():
    slots = slot_demands(BudgetSignals(knowledge_relevance=9))
    assert (slots["knowledge_context"], slots["active_window"]) == (14_000, 4_000)


def test_a_long_conversation_keeps_its_window_and_knowledge_gives_way():
    slots = slot_demands(BudgetSignals(conversation_depth=40, knowledge_relevance=1))
    assert (slots["active_window"], slots["knowledge_context"]) == (10_000, 4_000)


def test_a_long_message_gets_up_to_the_most_of_its_slot():
    assert slot_demands(BudgetSignals(user_tokens=3_100))["last_user_turn"] == 3_100
    assert slot_demands(BudgetSignals(user_tokens=90_000))["last_user_turn"] == 4_000


def test_fixed_priority_cuts_knowledge_first_and_personal_memory_last():
    signals = BudgetSignals(memory_richness=3, knowledge_relevance=1, model_context_window=24_000)
    slots = allocate(signals, truncation_policy("fixed_priority"))
    assert slots["knowledge_context"] == 800
    assert slots["personal_context"] == BASELINE["personal_context"]


def test_optimisation_shares_the_cut_by_what_the_turn_needs():
    tight = {"model_context_window": 20_000}
    remembering = allocate(
        BudgetSignals(memory_richness=15, knowledge_relevance=1, **tight), truncation_policy("constraint_optimization")
    )
    knowing = allocate(
        BudgetSignals(memory_richness=1, knowledge_relevance=10, **tight), truncation_policy("constraint_optimization")
    )
    assert remembering["personal_context"] > knowing["personal_context"]
    assert knowing["knowledge_context"] > remembering["knowledge_context"] > 0


def test_optimisation_leaves_no_usable_token_behind():
    signals = BudgetSignals(
        memory_richness=8, knowledge_relevance=8, conversation_depth=30, model_context_window=22_000
    )
    slots = allocate(signals, truncation_policy("constraint_optimization"))
    assert 22_000 - safety_margin(22_000) - sum(slots.values()) < len(CUT_ORDER)


def test_a_window_that_is_too_small_is_refused_at_start():
    check_window(SMALLEST)
    with pytest.raises(BrainError) as refused:
        check_window(SMALLEST - 1)
    assert refused.value.code == "E_CONFIG"


def test_a_small_window_gives_up_spare_answer_room_before_it_gives_up_memory():
    for policy in POLICIES.values():
        slots = allocate(BudgetSignals(memory_richness=3, model_context_window=9_000), policy)
        assert slots["personal_context"] == 2_000
        assert slots["generation_buffer"] == 2_000


def test_an_unknown_policy_is_refused_by_code():
    with pytest.raises(BrainError) as refused:
        truncation_policy("magic")
    assert refused.value.code == "E_BAD_REQUEST"


def test_signals_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="negative"):
        slot_demands(BudgetSignals(memory_richness=-1))


def test_every_slot_has_bounds_around_its_baseline():
    for slot, tokens in BASELINE.items():
        assert BOUNDS[slot].least <= tokens <= BOUNDS[slot].most
