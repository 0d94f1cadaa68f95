"""What a person's sentences are: judged by the fitted classifier, with values read off where they are said outright."""

import pytest

from evolution.extraction.rules import extract_by_rules
from language.classifier import load_classifier
from language.kinds import KINDS, TOPICS
from language.retractions import is_retraction
from language.statements import read_statements
from tests.effort import assert_takes_less_than
from tests.unit.analysis_builders import turns

ENOUGH = 0.5
"""Processor seconds: 0.03 are usual."""


def kinds(text: str, before: str = "") -> list[str]:
    return [each.kind for each in read_statements(text, before)]


def kept(text: str, before: str = "") -> list[str]:
    return [each.text for each in read_statements(text, before) if each.is_memorable]


def test_sentences_keep_their_places_in_the_turn():
    text = "Hi there! I live in Lyon.\n- My sister is a nurse."
    assert [text[each.start : each.end] for each in read_statements(text)] == [
        each.text for each in read_statements(text)
    ]
    assert [each.text for each in read_statements(text)][1:] == ["I live in Lyon.", "My sister is a nurse."]


@pytest.mark.parametrize(
    "text",
    [
        "I live in Lyon.",
        "My sister is a nurse.",
        "I don't eat pork.",
        "我对花生过敏。",
        "我妹妹在北京上班。",
        "I moved to Cork.",
    ],
)
def test_what_is_lasting_is_kept(text: str):
    assert kept(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "How tall is Mount Everest?",
        "Thanks a lot!",
        "Translate this into French.",
        "忘了带伞。",
        "今天天气怎么样？",
        "谢谢你！",
    ],
)
def test_what_is_said_by_the_way_is_not(text: str):
    assert kept(text) == []


@pytest.mark.parametrize("text", ["说实话我讨厌加班。", "说真的我怕狗。", "To be honest, I hate overtime."])
def test_who_speaks_frankly_means_it(text: str):
    assert kept(text) == [text]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Forget what I told you about my ex.", "forget"),
        ("把我前女友的事删了吧。", "forget"),
        ("Don't write this down, please.", "dont_note"),
        ("Remember that my locker is 4417.", "remember"),
        ("What should I cook tonight?", "question"),
    ],
)
def test_requests_are_told_from_statements(text: str, kind: str):
    assert kinds(text) == [kind]


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("My name is Anna Berg.", "name", "Anna Berg"),
        ("I live in New Plymouth, near the sea.", "lives_in", "New Plymouth"),
        ("I'm allergic to peanuts and shellfish.", "allergic_to", "peanuts and shellfish"),
        ("我对花生过敏。", "allergic_to", "花生"),
        ("我住在成都。", "lives_in", "成都"),
        ("My birthday is on 4 March.", "birthday", "4 March"),
    ],
)
def test_values_are_read_off(text: str, predicate: str, value: str):
    (statement,) = read_statements(text)
    assert statement.value is not None
    assert (statement.value.predicate, statement.value.text) == (predicate, value)


def test_nothing_is_read_off_what_is_only_supposed():
    assert all(
        each.value is None
        for each in read_statements("If I live in Rome one day, I'm allergic to cats. Maybe I live in Rome.")
    )


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("I visited my sister.", "user"),
        ("My sister Niamh builds kitchens.", "sister Niamh"),
        ("My ex-boyfriend is a cop.", "ex-boyfriend"),
        ("我妹妹在北京上班。", "妹妹"),
        ("She is from Braga.", ""),
    ],
)
def test_whom_a_sentence_is_about(text: str, person: str):
    assert [each.person for each in read_statements(text)] == [person]


def test_secrets_are_never_kept():
    assert kept("My password is hunter2. I live in Lyon.") == ["I live in Lyon."]


def test_quotations_and_code_are_not_the_speakers_own():
    assert kept("```\nI live in Rome.\n```\n> I am a nurse.\nI live in Lyon.") == ["I live in Lyon."]


def test_an_answer_is_understood_by_its_question():
    judged = load_classifier().classify("Two.", "Do you have any children?")
    alone = load_classifier().classify("Two.")
    assert judged.kinds["fact"] > alone.kinds["fact"]


def test_probabilities_add_up():
    judged = load_classifier().classify("I moved to Cork.")
    assert (tuple(judged.kinds), tuple(judged.topics)) == (KINDS, TOPICS)
    assert sum(judged.kinds.values()) == pytest.approx(1.0, abs=1e-5)
    assert sum(judged.topics.values()) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("text", ["Actually I moved to Lyon, not Paris.", "我已经不喝咖啡了。", "It's Apex, not Acme."])
def test_what_takes_something_back(text: str):
    assert is_retraction(text)


@pytest.mark.parametrize("unit", ["  ", "，", "my ", "I live in ", "他说「", "and ", "\n", "x", ". "])
def test_anything_is_read_in_little_time(unit: str):
    text = unit * (20_000 // len(unit))
    assert_takes_less_than(ENOUGH, lambda: read_statements(text))


@pytest.mark.parametrize(
    ("roles", "line", "end"),
    [
        ("来，你现在是掌柜的，我是跑堂的。", "我在这店里干了三十年了。", "不玩了，我其实在银行上班。"),
        (
            "Let's role-play a job interview.",
            "I have been a baker for ten years.",
            "Enough playing. I sell bikes.",
        ),
    ],
)
def test_what_is_said_in_a_role_is_no_memory(roles: str, line: str, end: str):
    kept = [each["content"] for each in extract_by_rules(turns(roles, line, end))]
    assert kept
    assert all(each in end for each in kept)
    assert extract_by_rules(turns(line)) != []


def test_a_part_for_the_assistant_alone_is_no_play():
    assert extract_by_rules(turns("You are a great help.", "I work at a bank.")) != []
