"""What only adds to an allergy told right before is one more allergy, and nothing else is."""

import pytest

from evolution.extraction.rules import extract_by_rules
from evolution.state import ExtractionCandidate
from language.additions import added_allergen
from tests.unit.analysis_builders import turns


def allergies(*texts: str) -> list[tuple[str, str]]:
    found: list[ExtractionCandidate] = extract_by_rules(turns(*texts))
    return [(each["subject"], each["object"]) for each in found if each["predicate"] == "allergic_to"]


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["I'm allergic to nuts. Sorry, and to eggs."], ["nuts", "eggs"]),
        (["I'm allergic to nuts.", "Oh, and to eggs too."], ["nuts", "eggs"]),
        (["I'm allergic to penicillin. And dogs. And latex."], ["penicillin", "dogs", "latex"]),
        (["I'm allergic to nuts. And eggs.", "And latex too."], ["nuts", "eggs", "latex"]),
        (["I'm allergic to nuts.", "And eggs.", "And latex."], ["nuts", "eggs", "latex"]),
        (["I'm allergic to nuts… And eggs."], ["nuts", "eggs"]),
        (["我对花生过敏。不好意思，还有鸡蛋。"], ["花生", "鸡蛋"]),
        (["我对花生过敏。", "还有海鲜也过敏"], ["花生", "海鲜"]),
    ],
)
def test_one_more_is_added(texts: list[str], told: list[str]):
    assert allergies(*texts) == [("user", each) for each in told]


@pytest.mark.parametrize(
    "texts",
    [("I'm allergic to nuts. And eggs.", "And latex too."), ("I'm allergic to nuts.", "And eggs.", "And latex.")],
)
def test_it_cites_the_turn_that_its_words_stand_in(texts: tuple[str, ...]):
    said = turns(*texts)
    *_, added = extract_by_rules(said)
    lead = added.get("lead")
    assert lead is not None
    assert (lead["event_id"], texts[0][lead["start"] : lead["end"]]) == (said[0]["event_id"], "I'm allergic to")


def test_it_is_of_the_same_person():
    assert allergies("My son is allergic to nuts. And to eggs.") == [("son", "nuts"), ("son", "eggs")]


@pytest.mark.parametrize(
    ("first", "second", "content"),
    [
        ("I'm allergic to nuts.", "Sorry, and to eggs.", "I'm allergic to … eggs."),
        ("我对花生过敏。", "还有鸡蛋。", "我对花生过敏……鸡蛋。"),
    ],
)
def test_it_is_told_behind_the_words_that_it_goes_on_with_and_cites_both(first: str, second: str, content: str):
    said = turns(first, second)
    _, added = extract_by_rules(said)
    lead = added.get("lead")
    assert lead is not None
    assert (added["content"], lead["event_id"], added["event_id"]) == (
        content,
        said[0]["event_id"],
        said[1]["event_id"],
    )
    assert content.startswith(first[lead["start"] : lead["end"]])
    assert content.endswith(second[added["start"] : added["end"]])


@pytest.mark.parametrize(
    "texts",
    [
        ["I'm allergic to nuts. And I love eggs."],
        ["I'm allergic to nuts. And my sister too."],
        ["I'm allergic to nuts. And thanks!"],
        ["I'm allergic to nuts. And you?"],
        ["I'm allergic to nuts. And eggs?"],
        ["I'm allergic to nuts. Or eggs."],
        ["I'm allergic to nuts. And maybe eggs."],
        ["I'm allergic to nuts. Can I have raisins?", "And eggs."],
        ["Don't note this: I'm allergic to nuts.", "And eggs."],
        ["I'm allergic to nuts. And to be honest, I hate them."],
        ["I'm allergic to nuts.", "I like tea. And eggs."],
        ["I'm allergic to nuts.", "I live in Ghent.", "And eggs."],
        ["I like nuts. And eggs."],
        ["我对花生过敏。还有你呢？"],
        ["我对花生过敏。还有，谢谢你。"],
    ],
)
def test_nothing_else_is_added(texts: list[str]):
    told, first = allergies(*texts), allergies(texts[0].partition(". ")[0].partition("。")[0])
    assert told == first


@pytest.mark.parametrize("text", ["And to work.", "and so on", "And then?", "Also Mondays.", "还有别的", "还有加班"])
def test_what_is_no_allergen_adds_none(text: str):
    assert added_allergen(text) is None
