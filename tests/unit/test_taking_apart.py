"""One assertion, one statement: what a sentence says several things of is taken apart, in doubt it stays whole."""

import pytest

from evolution.extraction.rules import extract_by_rules
from language.clauses import strip_lead
from language.statements import read_statements, take_apart
from tests.unit.analysis_builders import turns


def parts(text: str) -> list[str]:
    return [each.text for each in take_apart(read_statements(text), text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I like green tea, and I am allergic to peanuts", ["I like green tea", "I am allergic to peanuts"]),
        ("I live in Utrecht, I have two kids", ["I live in Utrecht", "I have two kids"]),
        ("My mum lives in Leeds and has diabetes", ["My mum lives in Leeds", "My mum … has diabetes"]),
    ],
)
def test_each_assertion_is_a_statement_of_its_own(text: str, expected: list[str]):
    assert parts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I don't eat beef or pork at all, only chicken and fish.",
        "I like tea and coffee.",
        "I can't have milk or cheese because my stomach plays up.",
        "I moved to Lyon, not Paris.",
        "We have a cat called Moos, he's black and super lazy.",
        "Please forget that I live in Ghent and that I like tea.",
        "What rhymes with Nigel, and how do I spell it?",
    ],
)
def test_what_is_one_thing_or_is_understood_together_stays_whole(text: str):
    assert parts(text) == [each.text for each in read_statements(text)]


def test_words_from_elsewhere_are_shown_as_an_omission_and_have_their_own_place():
    text = "My mum lives in Leeds and has diabetes"
    (_, part) = take_apart(read_statements(text), text)
    assert text[part.start : part.end] == "has diabetes" == strip_lead(part.text)
    assert part.lead is not None
    assert text[slice(*part.lead)] == "My mum"
    assert part.person == "mum"


def test_each_candidate_cites_its_own_words_and_its_subject():
    (_, part) = extract_by_rules(turns("My mum lives in Leeds and has diabetes"))
    assert (part["content"], part["subject"]) == ("My mum … has diabetes", "mum")
    assert (part["start"], part["end"], part.get("lead")) == (26, 38, (0, 6))


def test_a_secret_in_a_sentence_keeps_all_of_it_out():
    assert extract_by_rules(turns("I live in Lyon and my password is hunter2hunter2")) == []
