"""Prompt variants compared: the replies of a recording over the wire, counted and told apart."""

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from evals.prompt_variants import Bench, Conversation, Turn, bench, compare, read_conversations
from evals.recorded_replies import RecordedReplies, RecordedReply, read_replies, write_replies
from memory.errors import BrainError
from prompts.registry import PromptError, list_variants, load_prompt, parse_prompt, try_prompt
from tests.fakes import Leanings, a_settings, resources_of

pytestmark = pytest.mark.usefixtures("memory")

CELLO = Conversation(name="cello", told=("My daughter Noor is learning the cello.",), asked=("What does Noor play?",))
REPLIES = {
    ("default", "cello", 0): "How lovely!",
    ("default", "cello", 1): "Your daughter Noor plays the cello.",
    ("terse", "cello", 0): "Noted.",
    ("terse", "cello", 1): "No idea.",
}


def played(*variants: str) -> tuple[RecordedReplies, Bench]:
    replies = RecordedReplies({key: reply for key, reply in REPLIES.items() if key[0] in variants})
    return replies, Bench(replies.models(), replies.turn_to, recorded=True)


async def lived(*names: str, recorded: tuple[str, ...] = ("default", "terse")) -> tuple[RecordedReplies, list[Turn]]:
    replies, at = played(*recorded)
    turns = await compare(names, [CELLO], at, replace(resources_of(Leanings()), new_id=uuid4))
    await at.models.aclose()
    return replies, turns


async def test_each_variant_gets_its_own_system_prompt_and_its_own_replies():
    replies, turns = await lived("default", "terse")
    assert {(turn.variant, turn.conversation, turn.turn): turn.reply for turn in turns} == REPLIES
    prompts = [load_prompt("system", turn.variant).body.strip() for turn in turns]
    assert [prompt in asked for prompt, asked in zip(prompts, replies.asked, strict=True)] == [True] * 4
    assert all(turn.degraded == () for turn in turns)


async def test_tokens_are_counted_from_the_prompts_that_were_made():
    _, turns = await lived("default", "terse")
    cost = {turn.variant: turn.input_tokens for turn in turns if turn.turn == 0}
    assert 0 < cost["terse"] < cost["default"]
    assert all(turn.estimated and turn.output_tokens > 0 for turn in turns)


async def test_what_was_told_is_shown_in_another_session_and_what_the_reply_drew_on_is_told_apart():
    _, turns = await lived("default", "terse")
    asked = {turn.variant: turn for turn in turns if turn.turn == 1}
    assert all(CELLO.told[0] in turn.shown for turn in asked.values())
    assert CELLO.told[0] in asked["default"].used
    assert asked["terse"].used == ()


async def test_what_nobody_recorded_is_said_to_be_missing():
    _, turns = await lived("terse", recorded=())
    assert [turn.degraded for turn in turns] == [("model_bad_request",)] * 2


def test_without_a_model_the_recording_answers_every_turn_of_the_conversations():
    at = bench(a_settings(embeddings="none"))
    assert at.recorded
    assert bench(a_settings(openai_api_key="sk-test", embeddings="none")).recorded is False
    assert [len(list(each.turns)) for each in read_conversations()] == [4, 4]


def test_a_recording_that_was_written_can_be_read(tmp_path: Path):
    file = tmp_path / "replies.jsonl"
    write_replies(file, [RecordedReply(variant="a", conversation="b", turn=1, reply="«Ja»")])
    assert read_replies(file).replies == {("a", "b", 1): "«Ja»"}
    file.write_text("{}")
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        read_replies(file)


def test_a_variant_on_trial_can_be_chosen_as_long_as_the_trial_lasts():
    tried = parse_prompt("system", "tried", "---\npurpose: A trial.\n---\nBe kind.")
    with try_prompt(tried):
        assert load_prompt("system", "tried") is tried
    assert list_variants("system") == ("default", "terse")
    with pytest.raises(PromptError, match="prompt_malformed"), try_prompt(load_prompt("system", "terse")):
        pass
