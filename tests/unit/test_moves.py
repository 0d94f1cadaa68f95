"""A move ends the old home whatever reason or time is told with it; what only sounds like one ends nothing."""

import pytest

from language.endings import certain_words
from language.exclusive_values import takes_one_place
from language.readers import read_value
from tests.unit.test_endings import ended

HOME, HOME_ZH = "I live in Bristol.", "我住在徐汇。"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (HOME, "I just moved to Glasgow to be closer to my parents."),
        (HOME, "I moved to Glasgow because I wanted to be closer to my parents."),
        (HOME, "Since I wanted to be near the sea, I moved to Brighton."),
        (HOME, "We finally moved to Glasgow; I might start a garden."),
        (HOME, "Last week I moved to Glasgow."),
        (HOME, "I moved from Bristol to Glasgow for a new job."),
        (HOME, "I've relocated to Glasgow for my husband's job."),
        (HOME, "Just moved to Glasgow last week!"),
        ("I'm based in Bristol.", "I just moved to Glasgow to be closer to my parents."),
        ("I've lived in Bristol for ten years.", "I just moved to Glasgow to be closer to my parents."),
        (HOME_ZH, "上周我搬到了浦东"),
        (HOME_ZH, "我上周刚搬到浦东。"),
        (HOME_ZH, "上个月我们搬到浦东去了。"),
        (HOME_ZH, "昨天我终于搬到浦东住了。"),
        (HOME_ZH, "为了离爸妈近一点，我搬到了浦东。"),
        (HOME_ZH, "我刚搬到浦东，想离公司近一点。"),
        (HOME_ZH, "去年我从徐汇搬到了浦东。"),
        ("我在徐汇住。", "上周我搬到了浦东。"),
    ],
)
def test_a_move_with_a_reason_or_a_time_ends_the_old_home(older: str, newer: str):
    assert [(before, how) for before, how, _ in ended(older, newer)] == [(older, "change")]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (HOME, "I moved back to Vim."),
        (HOME, "I moved to Part-Time in June for health reasons."),
        (HOME, "I moved to Sony from Canon."),
        (HOME, "I moved to Marketing last month."),
        (HOME, "I moved to Dr Patel last month."),
        (HOME, "I moved to Denver in the book I'm writing."),
        (HOME_ZH, "我搬到了二班。"),
        (HOME_ZH, "我搬到了新工位。"),
        (HOME, "I moved my desk to Glasgow office."),
        (HOME, "I moved my mum to Glasgow last week."),
        (HOME, "We moved the meeting to Glasgow last week."),
        (HOME, "I'm moving to Glasgow next year."),
        (HOME, "I want to move to Glasgow to be closer to my parents."),
        (HOME, "I almost moved to Glasgow to be closer to my parents."),
        (HOME, "Because I might move to Glasgow, I sold my car."),
        (HOME, "My brother just moved to Glasgow to be closer to our parents."),
        (HOME, "My company moved to Glasgow last week."),
        (HOME, "She just moved to Glasgow to be closer to her parents."),
        (HOME, "I moved to Glasgow for a week."),
        (HOME, "I moved to New York for a month."),
        (HOME, "I moved to Glasgow as a child."),
        (HOME, "I moved to Team Blue to be closer to the product."),
        (HOME, "I moved to Windows last week."),
        (HOME_ZH, "我把办公桌搬到了浦东。"),
        (HOME_ZH, "上周我把猫搬到了浦东。"),
        (HOME_ZH, "上周我们公司搬到了浦东。"),
        (HOME_ZH, "我弟弟上周搬到了浦东。"),
        (HOME_ZH, "上周我帮朋友搬到了浦东。"),
        (HOME_ZH, "明年我要搬到浦东。"),
        (HOME_ZH, "下周我搬到浦东。"),
        (HOME_ZH, "上周我差点搬到浦东。"),
        (HOME_ZH, "我打算为了孩子搬到浦东。"),
        (HOME_ZH, "我去年搬到浦东住了三个月。"),
        (HOME_ZH, "2015年我搬到了浦东，后来又回来了。"),
        (HOME_ZH, "上周我搬到了三楼办公。"),
    ],
)
def test_another_mover_another_thing_a_plan_or_a_stay_leaves_the_home_as_it_is(older: str, newer: str):
    assert ended(older, newer) == []
    value = read_value(newer)
    assert value is None or value.predicate != "lives_in" or not takes_one_place(newer, "lives_in")


def test_the_place_of_a_move_is_read_without_what_stands_behind_it():
    places = ["I moved from Bristol to Glasgow for work.", "昨天我搬到浦东住了。", "上个月我们搬到浦东去了。"]
    assert [value.text for each in places if (value := read_value(each))] == ["Glasgow", "浦东", "浦东"]


def test_a_wish_in_the_reason_makes_nothing_else_uncertain():
    assert certain_words("I moved to Glasgow because I wanted to be near the sea.") == "I moved to Glasgow"
    assert certain_words("I might move to Glasgow because I love the sea.") == ""
    assert certain_words("我搬到浦东了，想离公司近一点。") == "我搬到浦东了"
    assert certain_words("我想搬到浦东，因为离公司近。") == ""
