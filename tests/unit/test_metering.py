"""What a model call costs, by the provider's figures or by ours."""

from langchain_core.messages.ai import UsageMetadata

from brain.metering import ModelCaller, Usage, collect_usage, record_usage, spendings, tally, tokens_of, usage_of
from memory.model_usage import ModelRole, Spending

CHAT = ModelCaller("chat", "gpt-4.1")
TOLD = UsageMetadata(input_tokens=100, output_tokens=7, total_tokens=107)


def a_usage(role: ModelRole = "chat", model: str = "gpt-4.1", calls: int = 1) -> Usage:
    return Usage(
        role=role, model=model, calls=calls, estimated_calls=0, input_tokens=100 * calls, output_tokens=7 * calls
    )


def test_the_providers_figures_are_taken_as_they_are():
    assert usage_of(CHAT, TOLD, ["never read"], "nor this") == a_usage()


def test_without_figures_the_words_are_counted_and_the_call_says_so():
    for told in (None, UsageMetadata(input_tokens=0, output_tokens=0, total_tokens=0)):
        usage = usage_of(CHAT, told, ["How are you?", "我很好"], "Fine.")
        assert usage["estimated_calls"] == 1
        assert (usage["input_tokens"], usage["output_tokens"]) == (4 + 4 + 3 + 4, 2)


def test_calls_add_up_by_role_and_model_and_a_new_turn_begins_at_nothing():
    held = tally([], [a_usage(), a_usage("fast", "small"), a_usage()])
    assert held == [a_usage(calls=2), a_usage("fast", "small")]
    assert tally(held, [a_usage("fast", "small", 2)]) == [a_usage(calls=2), a_usage("fast", "small", 3)]
    assert tally(held, None) == []
    assert tokens_of(held) == 321


def test_the_ledger_hears_one_entry_for_each_role():
    usages = [a_usage("fast", "small"), a_usage("fast", "smaller"), a_usage()]
    assert spendings(usages, "upkeep") == (
        Spending(purpose="upkeep", role="fast", calls=2, estimated_calls=0, input_tokens=200, output_tokens=14),
        Spending(purpose="upkeep", role="chat", calls=1, estimated_calls=0, input_tokens=100, output_tokens=7),
    )


def test_only_the_step_that_asks_hears_of_the_call():
    record_usage(a_usage())
    with collect_usage() as outer:
        with collect_usage() as inner:
            record_usage(a_usage())
        record_usage(a_usage("fast"))
    record_usage(a_usage())
    assert (inner, outer) == ([a_usage()], [a_usage("fast")])
