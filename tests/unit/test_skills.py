"""Which skills fit what is asked, with the encoder and by words alone."""

import pytest

from brain.identity import Identity
from brain.intent_rules import classify
from evals.skills import measure, read_requests, registry_of_all
from language.encoder import sentence_encoder
from language.skill_words import MAX_PIECES, PIECE_CHARACTERS, asks_for_act_in_world, pieces_of
from skills.abilities import is_uncovered, not_covered_reply
from skills.builtin import builtin_skills
from skills.registry import Registry, builtin_registry
from skills.skill import THRESHOLD, Skill, SkillRequest
from tests.this_test import me
from tests.unit.test_registry import a_skill, a_tool

ASKED = {
    "recall": ("Which dentist did I mention in the spring?", "我上次说的那家店叫什么来着？"),
    "profile": ("Show me all that you know about me.", "你都了解我些什么？"),
    "keep": ("Please note that the bin is emptied on Mondays.", "记一下，垃圾周一收。"),
    "change": ("Forget the address that I gave you.", "把我的地址删掉。"),
    "farewell": ("Goodbye, that is all.", "再见，先这样。"),
}


def asking(text: str, meaning: bool = False) -> SkillRequest:
    pieces = pieces_of(text)
    vectors = sentence_encoder().encode(pieces) if meaning else None
    return SkillRequest(pieces=pieces, intent=classify(text), vectors=vectors)


def who() -> Identity:
    return Identity(scope=me(), tenant="acme", user="ann")


def fitting(text: str, meaning: bool) -> list[str]:
    return [each.name for each in builtin_skills() if each.can_handle(asking(text, meaning)) >= THRESHOLD]


@pytest.mark.parametrize("meaning", [True, False])
@pytest.mark.parametrize(("skill", "text"), [(skill, text) for skill, texts in ASKED.items() for text in texts])
def test_what_is_asked_in_plain_words_is_offered(skill: str, text: str, meaning: bool):
    assert skill in fitting(text, meaning)


@pytest.mark.parametrize(
    "text", ["Why is the sky blue?", "草为什么是绿的？", "Translate this into French: good evening"]
)
def test_what_needs_no_skill_is_offered_none_where_its_meaning_is_known(text: str):
    assert fitting(text, True) == []
    assert fitting(text, False) == [each.name for each in builtin_skills()]


def test_no_tool_is_withheld_that_the_requests_of_the_set_need():
    sentence_encoder().load()
    found = measure(registry_of_all(), read_requests(), by_meaning=True)
    assert found.withheld == []
    assert found.tokens_offered < 0.5 * found.tokens_of_all


def test_a_wish_behind_other_things_is_heard():
    assert "keep" in fitting("The weather is fine. We went out. Please note that the bin is emptied on Mondays.", True)


def test_a_skill_that_names_no_sentences_is_offered_in_doubt():
    assert a_skill(a_tool()).can_handle(asking("Why is the sky blue?")) == THRESHOLD


@pytest.mark.parametrize("meaning", [True, False])
def test_how_well_a_skill_fits_is_a_number_from_0_to_1(meaning: bool):
    for text in ("", "?", "x" * 5_000, *ASKED["keep"]):
        for skill in builtin_skills():
            assert 0 <= skill.can_handle(asking(text or " ", meaning)) <= 1


def test_a_long_message_is_read_at_its_beginning_and_its_end():
    pieces = pieces_of("First wish. " + "Something else. " * 100 + "x" * 1_000 + ". Last wish.")
    assert len(pieces) <= MAX_PIECES + 1
    assert max(map(len, pieces)) == PIECE_CHARACTERS
    assert {"First wish.", "Last wish."} <= set(pieces)


@pytest.mark.parametrize(
    ("text", "in_world"),
    [
        ("Book a table for two at eight.", True),
        ("Please send an email to my boss.", True),
        ("Could you turn off the light?", True),
        ("帮我订一张去上海的机票", True),
        ("请关掉客厅的灯", True),
        ("Write an email to my boss.", False),
        ("I read a book about a call centre.", False),
        ("How do I book a table online?", False),
        ("怎么订机票比较便宜？", False),
        ("Which order should I read them in?", False),
    ],
)
def test_acts_in_the_world_are_known(text: str, in_world: bool):
    assert asks_for_act_in_world(text) is in_world


def test_what_no_skill_covers_is_told_with_what_can_be_done():
    registry, asked = builtin_registry(), asking("Book a table for two at eight.")
    assert is_uncovered(registry, who(), asked)
    assert not_covered_reply(registry, who(), "en") == (
        "I have no ability for that here. What I can do: look up what you told me and when; show your profile; note"
        " something for you; forget or correct what I remember; end the conversation. And I can talk it through with"
        " you."
    )
    assert "我可以：查找你说过的话和时间；" in not_covered_reply(registry, who(), "zh")
    assert not is_uncovered(registry, who(), asking("What is the capital of Peru?"))


def test_what_a_skill_of_ones_own_covers_is_covered():
    booking = a_skill(a_tool("book"), sentences=("Book a table for tonight.",), source="here")
    registry = Registry.of((*builtin_skills(), booking))
    assert not is_uncovered(registry, who(), asking("Book a table for two at eight."))


def test_a_skill_tells_its_risk_and_its_capabilities():
    reading = a_tool("look", risk="low", capabilities=frozenset({"x.read"}))
    assert (a_skill(reading).risk, a_skill(reading, a_tool()).risk) == ("low", "high")
    assert Skill(name="s", tools=(reading,), own_capabilities=frozenset({"x"})).capabilities == {"x", "x.read"}
