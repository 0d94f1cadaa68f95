"""Without a model, the documents of every prompt still answer."""

import pytest

from brain.offline import compose
from brain.offline_documents import about_the_user, told
from brain.state import AssembledPrompt, State
from tests.fakes import a_memory, a_state

PROFILE = (
    "<document>\n# Profile\n\n## pets\n- The user has a cat. (2026-03-01)\n- The user plays the cello.\n</document>"
)


def a_prompted(text: str, **values: object) -> State:
    prompt = AssembledPrompt(system="", history=(), context="", user_text=text, allocation={}, documents=(PROFILE,))
    return a_state(text, prompt=prompt, **values)


@pytest.mark.parametrize(
    ("asked", "everything"),
    [
        ("What do you know about me?", True),
        ("Tell me what you remember about me", True),
        ("你知道我什么？", True),
        ("你还记得什么？", True),
        ("关于我你都知道些什么？", True),
        ("What do I know about wine?", False),
        ("你知道我住在哪里吗", False),
        ("Do you remember my cat?", False),
    ],
)
def test_a_question_for_everything_is_told_from_one_for_something(asked: str, everything: bool):
    assert about_the_user(asked) is everything


def test_everything_is_the_first_lines_and_something_the_lines_that_share_a_word():
    assert told([PROFILE], "What do you know about me?") == [
        "The user has a cat. (2026-03-01)",
        "The user plays the cello.",
    ]
    assert told([PROFILE], "What instrument do I play?") == ["The user plays the cello."]
    assert told([PROFILE], "Where do I live?") == []


def test_who_asks_for_everything_hears_the_profile_and_not_a_chance_find():
    reply = compose(
        a_prompted("What do you know about me?", memories=[a_memory("Nothing much.")]), "model_not_configured"
    )
    assert "The user has a cat." in reply
    assert "Nothing much." not in reply


def test_what_recall_does_not_bring_is_told_from_the_documents():
    assert "plays the cello" in compose(a_prompted("What instrument do I play?"), "model_not_configured")


def test_a_memory_that_was_found_answers_a_question_for_something():
    reply = compose(
        a_prompted("Do I play tennis?", memories=[a_memory("I play tennis on Fridays.")]), "model_not_configured"
    )
    assert "tennis on Fridays" in reply
    assert "cello" not in reply


def test_a_fact_goes_before_what_was_said_once():
    said = a_memory("I live in Paris.", score=1.0)
    fact = a_memory("The user lives in Lyon.", lane="fact", score=0.8)
    reply = compose(a_state("Where do I live?", memories=[said, fact]), "model_not_configured")
    assert reply.index("Lyon") < reply.index("Paris")


def test_a_turn_of_which_something_is_over_is_told_only_where_it_answers_best():
    fact = a_memory("The user lives in Paris.", lane="fact", score=0.9)
    half = a_memory("I live in Lyon and have a dog.", score=0.8, signals={"belief": 0.6})
    where = compose(a_state("Where do I live?", memories=[fact, half]), "model_not_configured")
    assert "Paris" in where
    assert "Lyon" not in where
    both = [fact, {**half, "score": 0.85}, half, a_memory("I like Paris in spring.", score=0.7)]
    assert "in spring" in compose(a_state("Where do I live?", memories=both), "model_not_configured")
    pet = compose(a_state("Which pet do I have?", memories=[{**half, "score": 1.0}, fact]), "model_not_configured")
    assert "dog" in pet
