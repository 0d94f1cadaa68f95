"""Which category a thing belongs to: an allergen or a figure of speech, a town or a firm."""

import pytest

from language.categories import is_allergen, is_figure_of_speech, is_town
from language.readers import read_value
from language.statements import read_statements

ALLERGENS = ["walnuts", "ibuprofen", "wasps", "my neighbour's dog", "sunscreen", "虾", "头孢", "狗毛", "紫外线"]
FIGURES = ["Tuesdays", "effort", "early mornings", "bullshit", "my boss", "相亲", "加班开会", "领导讲话", "上班"]


@pytest.mark.parametrize("thing", ALLERGENS)
def test_what_people_are_allergic_to_is_told(thing: str):
    assert (is_allergen(thing), is_figure_of_speech(thing)) == (True, False)


@pytest.mark.parametrize("thing", FIGURES)
def test_what_people_only_call_themselves_allergic_to_is_told(thing: str):
    assert (is_allergen(thing), is_figure_of_speech(thing)) == (False, True)


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("I'm allergic to walnuts.", True),
        ("I'm allergic to my neighbour's dog.", True),
        ("我对头孢过敏。", True),
        ("I'm allergic to Mondays.", False),
        ("I'm allergic to hard work.", False),
        ("我对开会过敏。", False),
    ],
)
def test_a_figure_of_speech_is_no_constraint(text: str, is_kept: bool):
    (read,) = read_statements(text)
    assert (read.kind == "constraint", read.is_memorable) == (is_kept, is_kept)


@pytest.mark.parametrize("name", ["Ghent", "Hebden Bridge", "Bath", "Kent", "Santa Fe", "Sweden", "North London"])
def test_one_can_live_in_a_town(name: str):
    assert is_town(name)
    value = read_value(f"I moved to {name}.")
    assert value is not None
    assert (value.predicate, value.text) == ("lives_in", name)


@pytest.mark.parametrize("name", ["Tesla", "Netflix", "Emacs", "Dr Patel", "Accounting", "Team Red", "Paleo", "Year 9"])
def test_one_cannot_live_in_a_firm_a_program_or_a_diet(name: str):
    assert not is_town(name)
    assert read_value(f"I moved to {name}.") is None


@pytest.mark.parametrize("name", ["the Dallas office", "the Berlin orchestra", "the Paris team"])
def test_what_is_named_after_a_town_is_none(name: str):
    assert read_value(f"I moved to {name}.") is None


@pytest.mark.parametrize("name", ["Tesla", "Microsoft"])
def test_who_says_that_they_live_there_does(name: str):
    value = read_value(f"I live in {name}.")
    assert value is not None
    assert value.text == name
