"""From turns to candidates: by a model whose notes are checked, by rules without one, by nobody for small talk."""

from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from brain.models.errors import ModelError, ModelMalformed, ModelRefused, ModelUnavailable
from evolution.extraction.analyze import analyze
from evolution.extraction.form import Notes
from evolution.state import EvolutionState
from tests.fakes import FakeModel, Leanings
from tests.unit.analysis_builders import BY_RULES, a_candidate, a_note, a_said, an_evolving, contents, notes, turns

LYON = turns("I live in Lyon.")


def a_state(said: Any = None, **values: Any) -> EvolutionState:
    return EvolutionState(session_id="session", said=said or LYON, **values)


def asking(*forms: Notes | Exception) -> tuple[FakeModel, Leanings]:
    model = FakeModel(forms=list(forms))
    return model, Leanings(fast=model)


async def test_a_note_becomes_a_candidate_with_the_span_that_proves_it() -> None:
    _, leanings = asking(notes(a_note()))
    update = await analyze(a_state(), an_evolving(leanings))
    assert update == {"candidates": [a_candidate()], "dropped": [], "degraded": [], "judge": "fake"}


async def test_without_a_model_the_rules_read_the_turns() -> None:
    update = await analyze(a_state(), an_evolving())
    assert update == {"candidates": [BY_RULES], "dropped": [], "degraded": [], "judge": "rules"}


async def test_small_talk_yields_nothing_and_asks_nobody() -> None:
    model, leanings = asking()
    said = [*turns("Hi! How are you?", "Thanks a lot, that's great!"), a_said("I live in Rome.", 3, role="assistant")]
    assert await analyze(a_state(said), an_evolving(leanings)) == {"candidates": []}
    assert model.asked == []


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (ModelUnavailable("model_rate_limited"), "analysis_model_rate_limited"),
        (ModelUnavailable("model_server_error"), "analysis_model_server_error"),
        (ModelUnavailable("model_auth_failed"), "analysis_model_auth_failed"),
        (ModelRefused("I would rather not."), "analysis_model_refused"),
        (ModelMalformed("no JSON"), "analysis_model_malformed"),
    ],
)
async def test_when_the_model_fails_the_rules_take_over_and_say_why(failure: ModelError, reason: str) -> None:
    _, leanings = asking(failure)
    update = await analyze(a_state(), an_evolving(leanings))
    assert update == {"candidates": [BY_RULES], "dropped": [], "degraded": [reason], "judge": "rules"}


async def test_a_fast_model_that_runs_out_of_time_hands_over_to_the_patient_one() -> None:
    fast, leanings = asking(ModelUnavailable("model_timeout"))
    chat = FakeModel(forms=[notes(a_note())])
    update = await analyze(a_state(), an_evolving(replace(leanings, chat=chat)))
    assert update == {"candidates": [a_candidate()], "dropped": [], "degraded": [], "judge": "fake"}
    assert (len(fast.asked), len(chat.asked)) == (1, 1)


async def test_when_both_run_out_of_time_the_rules_take_over() -> None:
    late = ModelUnavailable("model_timeout")
    leanings = Leanings(fast=FakeModel(forms=[late]), chat=FakeModel(forms=[late]))
    update = await analyze(a_state(), an_evolving(leanings))
    assert (update["candidates"], update["degraded"]) == ([BY_RULES], ["analysis_model_timeout"])


async def test_an_invented_quote_is_complained_about_once_and_then_accepted_when_put_right() -> None:
    model, leanings = asking(notes(a_note("I adore Lyon")), notes(a_note()))
    update = await analyze(a_state(), an_evolving(leanings))
    assert update == {"candidates": [a_candidate()], "dropped": [], "degraded": [], "judge": "fake"}
    *_, answer, complaint = model.asked[1]
    assert isinstance(answer, AIMessage)
    assert isinstance(complaint, HumanMessage)
    assert "I adore Lyon" in answer.text
    assert "the quote does not stand in turn 1" in complaint.text


async def test_what_is_wrong_twice_is_dropped_and_its_turn_read_by_the_rules() -> None:
    wrong = a_note("I adore Lyon", content="The user adores Lyon.")
    _, leanings = asking(notes(wrong), notes(wrong))
    update = await analyze(a_state(), an_evolving(leanings))
    dropped = {"content": "The user adores Lyon.", "event_id": "event-1", "reason": "quote_not_found"}
    assert update == {
        "candidates": [BY_RULES],
        "dropped": [dropped],
        "degraded": ["analysis_unfounded"],
        "judge": "fake",
    }


async def test_valid_notes_stay_when_the_second_asking_fails() -> None:
    wrong = a_note("I adore it", content="The user adores tea.", turn=2)
    late = ModelUnavailable("model_server_error")
    _, leanings = asking(notes(a_note(), wrong), late)
    update = await analyze(a_state(turns("I live in Lyon.", "The sky is blue")), an_evolving(leanings))
    assert update["candidates"] == [a_candidate()]
    assert [each["reason"] for each in update["dropped"]] == ["quote_not_found"]
    assert update["degraded"] == ["analysis_model_server_error"]


async def test_the_rules_do_not_repeat_what_an_accepted_note_rests_on() -> None:
    wrong = a_note("I adore Lyon")
    _, leanings = asking(notes(a_note(), wrong), notes(wrong))
    update = await analyze(a_state(), an_evolving(leanings))
    assert contents(update["candidates"]) == ["The user lives in Lyon."]
    assert update["candidates"][0]["source"] == "model"


async def test_what_an_assistant_said_is_never_a_memory() -> None:
    said = [a_said("You live in Lyon.", 1, role="assistant", speaker="assistant"), a_said("I like tea a lot", 2)]
    note = a_note("You live in Lyon")
    _, leanings = asking(notes(note), notes(note))
    update = await analyze(a_state(said), an_evolving(leanings))
    assert contents(update["candidates"]) == ["I like tea a lot"]
    assert [each["reason"] for each in update["dropped"]] == ["not_said_by_a_person"]


async def test_earlier_turns_explain_but_prove_nothing() -> None:
    model, leanings = asking(notes(a_note(turn=2)), notes())
    state = a_state(turns("It is lovely."), before=[a_said("I live in Lyon.", 9)])
    assert (await analyze(state, an_evolving(leanings)))["candidates"] == []
    prompt = model.asked[0][1].text
    assert prompt.index("I live in Lyon.") < prompt.index("<conversation>") < prompt.index("It is lovely.")


async def test_a_secret_is_dropped_without_being_repeated_anywhere() -> None:
    text = "My password is hunter2, and I live in Lyon."
    secret = a_note("My password is hunter2", content="The user's password is hunter2.", object="hunter2")
    model, leanings = asking(notes(secret, a_note(content="The user lives in Lyon.", quote="I live in Lyon")))
    update = await analyze(a_state(turns(text)), an_evolving(leanings))
    assert contents(update["candidates"]) == ["The user lives in Lyon."]
    assert update["dropped"] == [{"content": "", "event_id": "event-1", "reason": "secret"}]
    assert len(model.asked) == 1
