"""What a prompt would say twice."""

import pytest

from brain.prompting.repetition import cut_told_lines, is_told, repeats


@pytest.mark.parametrize(
    ("text", "other", "said"),
    [
        ("I have plot 3", "I have plot 3 by the gate", True),
        ("I have plot 3", "Plot 3 is what I have. (2026-03-01)", True),
        ("I have plot 3", "I have plot 23 and 3 hens", False),
        ("我有3号地", "我有3号地，朝南", True),
        ("我有3号地", "我有23号地和3只鸡", False),
        ("Tom is 5, Ann is 3", "Tom is 3, Ann is 5", False),
        ("I like tea", "I like tea, not coffee", False),
        ("She lives in Porto", "I live in Porto", True),
        ("My sister lives in Porto", "My brother lives in Porto", False),
        ("I live in Porto", "My sister lives in Porto", False),
    ],
)
def test_a_text_is_repeated_by_one_that_says_it_all_of_the_same_person_and_number(text: str, other: str, said: bool):
    assert repeats(text, other) is said


def test_a_text_is_told_when_lines_say_each_sentence_that_is_no_question():
    lines = ["I live in Ghent. (2026-03-01)", "I have a cat called Mia."]
    assert is_told("I live in Ghent. I have a cat! What is the weather like?", lines)
    assert not is_told("I live in Ghent and I keep bees.", lines)
    assert not is_told("Where do I live?", lines)


def test_of_a_section_the_lines_that_are_told_go_and_its_heading_goes_with_the_last():
    section = "11:07 (remembered, scope: main)\n- I keep bees.\n- I live in Ghent."
    assert cut_told_lines(section, ["I keep bees in the garden"]) == (
        "11:07 (remembered, scope: main)\n- I live in Ghent."
    )
    assert cut_told_lines(section, ["I keep bees", "I live in Ghent"]) == ""
    assert cut_told_lines("One line of my own", []) == "One line of my own"
