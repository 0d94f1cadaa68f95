"""Which older statement a new one puts an end to, and which stays."""

import pytest

from evolution.endings import MAX_DOUBTED, mark_endings
from evolution.extraction.rules import extract_by_rules
from evolution.state import ExtractionCandidate
from evolution.write import idempotency_key_of
from language.exclusion import find_exclusion
from tests.unit.analysis_builders import turns


def ended(*texts: str) -> list[tuple[str, str, str]]:
    """For each ending: the older statement, how it ended, the newer one."""
    found = mark_endings(extract_by_rules(turns(*texts)), [])
    by_key: dict[str, ExtractionCandidate] = {idempotency_key_of(each): each for each in found}
    return [
        (by_key[each["replaces_memory"]]["content"], each["ends"], each["content"])
        for each in found
        if each["replaces_memory"] in by_key
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I have a dog called Rex.", "Rex died in May."),
        ("I quit coffee in January.", "I'm drinking coffee again."),
        ("我每天喝咖啡。", "我已经不喝咖啡了。"),
        ("I play squash on Mondays.", "I gave up squash last month."),
    ],
)
def test_a_change_ends_what_was_true_until_then(old: str, new: str):
    assert [(before, how) for before, how, _ in ended(old, new)] == [(old, "change")]


@pytest.mark.parametrize(
    ("old", "slip", "right"),
    [
        ("I work at Acme.", "It's Apex, not Acme.", "I work at Apex."),
        ("My locker is number 512.", "No wait, 521.", "My locker is number 521."),
        ("My sister is a doctor.", "Sorry, my sister is a nurse, not a doctor.", "My sister is a nurse."),
        ("我家在三楼。", "哦不对，是四楼。", "我家在四楼。"),
    ],
)
def test_a_slip_leaves_the_older_statement_with_the_right_value(old: str, slip: str, right: str):
    assert ended(old, slip) == [(old, "slip", right)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My sister lives in Cork.", "I moved to Leeds."),
        ("I like green tea.", "I also like coffee."),
        ("My boyfriend is a baker.", "My ex-boyfriend moved to Spain."),
        ("We have a garden behind the house.", "I sold the car last week."),
    ],
)
def test_other_people_and_other_things_stay(old: str, new: str):
    assert ended(old, new) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I worked at Acme from 2010 to 2015.", "I no longer work at Acme."),
        ("I play squash on Mondays.", "I played squash until 2015."),
    ],
)
def test_what_tells_only_of_the_past_is_not_ended_and_ends_nothing(old: str, new: str):
    assert find_exclusion(old, new) is not None
    assert ended(old, new) == []
    assert doubted(old, new) == []


def test_a_bare_correction_of_nothing_known_leaves_nothing():
    assert mark_endings(extract_by_rules(turns("不是周三，是周四。")), []) == []


def doubted(*texts: str) -> list[tuple[str, str]]:
    """For each doubt: the older statement, the newer one."""
    found = mark_endings(extract_by_rules(turns(*texts)), [])
    by_key: dict[str, str] = {idempotency_key_of(each): each["content"] for each in found}
    return [(by_key[key], each["content"]) for each in found for key in each.get("doubts", ())]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My son works in Shenzhen.", "My son has been transferred to Chongqing."),
        ("我儿子在深圳上班。", "我儿子调到重庆上班了。"),
    ],
)
def test_what_may_not_hold_any_more_is_ended_or_in_doubt(old: str, new: str):
    assert (old, new) in [*doubted(old, new), *((before, after) for before, _, after in ended(old, new))]


def test_what_adds_up_leaves_nothing_in_doubt():
    assert doubted("I love sushi.", "I love pizza.") == []


def test_one_statement_leaves_few_in_doubt():
    many = [f"My sister Ann works at company number {number}." for number in range(9)]
    assert sum(new.endswith("now.") for _, new in doubted(*many, "My sister Ann works elsewhere now.")) <= MAX_DOUBTED
