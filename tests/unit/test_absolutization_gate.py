"""The gate: which words of a memory nobody understands a year later, in Chinese and English."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.references import find_unclear, unresolved_words
from tests.effort import assert_takes_less_than


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("She lives in Lyon.", ["She"]),
        ("The user met him yesterday.", ["him", "yesterday"]),
        ("I like tea.", ["I"]),
        ("We moved last week and our dog hates it.", ["We", "last week", "our", "it"]),
        ("The user thinks you should know.", ["you"]),
        ("The user lives here.", ["here"]),
        ("The user moved there last week.", ["there", "last week"]),
        ("The user lives nearby.", ["nearby"]),
        ("The bakery downstairs belongs to Emma.", ["downstairs"]),
        ("The user's friend Bob lives next door.", ["next door"]),
        ("Emma's sister met her in Lyon.", ["her"]),
        ("It's nice.", ["It's"]),
        ("The user likes this restaurant.", ["this"]),
        ("The user has been to that place.", ["that place"]),
        ("The user does not like that.", ["that"]),
        ("The user starts at BMW next month.", ["next month"]),
        ("The user will travel in two weeks.", ["in two weeks"]),
        ("Three years ago the user moved.", ["Three years ago"]),
        ("The user moved 3 weeks ago.", ["3 weeks ago"]),
        ("The user moved a while ago.", ["a while ago"]),
        ("The user recently started running.", ["recently"]),
        ("This Monday Alice starts at BMW.", ["This Monday"]),
        ("The user visited Rome last Christmas.", ["last Christmas"]),
        ("SHE LIVES HERE", ["she", "here"]),
    ],
)
def test_english_words_that_point_elsewhere(content: str, words: list[str]) -> None:
    assert unresolved_words(content, "en") == words


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("他住在这里", ["他", "这里"]),
        ("我喜欢喝茶", ["我"]),
        ("她们下周去东京", ["她们", "下周"]),
        ("用户喜欢这个", ["这个"]),
        ("用户想去那边看看", ["那边"]),
        ("用户昨天买了一辆车", ["昨天"]),
        ("用户去年搬到了里昂", ["去年"]),
        ("用户下个月去东京出差", ["下个月"]),
        ("用户三个月前换了工作", ["三个月前"]),
        ("用户刚才吃了饭", ["刚才"]),
        ("用户最近开始跑步", ["最近"]),
        ("用户周三开会", ["周三"]),
        ("用户住在附近", ["附近"]),
        ("用户喜欢楼下的咖啡店", ["楼下"]),
        ("用户的朋友住在隔壁", ["隔壁"]),
        ("用户是本地人", ["本地"]),
        ("那天用户很高兴", ["那天"]),
    ],
)
def test_chinese_words_that_point_elsewhere(content: str, words: list[str]) -> None:
    assert unresolved_words(content, "zh") == words


@pytest.mark.parametrize(
    "content",
    [
        "Emma likes tea.",
        "The user likes their job.",
        "Emma sold her car.",
        "The user lived in Paris until 2019, when they moved to Lyon.",
        "The cat hurt its paw.",
        "The user works in the US at IT Works.",
        "It is important to the user that meetings start on time.",
        "The user finds it hard to sleep.",
        "There are two cats in the user's house.",
        "The user believes that time is money.",
        "The user's favourite film is This Is Us.",
        'The user\'s favourite book is "It".',
        "The user loves “Here Comes the Sun”.",
        "He Wei is the user's manager.",
        "The user reads USA Today.",
        "World War I interests the user.",
        "The user runs at 7 am every day.",
        "The user finished the marathon in 4 hours.",
        "The user celebrates Christmas in Lyon.",
        "The user's birthday is 17 May.",
        "The user works Monday to Friday.",
        "The user plays tennis on Sunday mornings.",
        "The user's office is next door to BMW.",
        "用户喜欢《这里》",
        "用户每天看今日头条",
        "用户会弹吉他",
        "用户不喜欢其他颜色",
        "用户每周三上瑜伽课",
        "用户周一到周五上班",
        "用户早上七点起床",
        "用户住在西湖附近",
        "用户公司楼下有咖啡店",
        "用户的女儿在巴塞罗那读书",
        "用户喜欢玩明日方舟",
        "用户的生日是5月17日",
        "用户在做本地部署",
        "用户最喜欢的电影是“昨天”",
        "",
    ],
)
def test_what_stands_alone_passes(content: str) -> None:
    assert unresolved_words(content) == []


def test_a_long_quotation_is_speech_and_no_name() -> None:
    assert unresolved_words('Emma wrote "I would rather live here than anywhere else in this town".') == [
        "I",
        "here",
        "this",
    ]


def test_a_word_is_named_once_however_often_it_stands_there() -> None:
    assert unresolved_words("it and it and him and it") == ["it", "him"]


@given(st.text(max_size=200))
def test_every_text_is_judged_and_what_is_found_stands_in_it(content: str) -> None:
    found = find_unclear(content)
    assert all(content[each.start : each.end].lower() == each.words.lower() for each in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize("piece", ["she and ", "他和", "it is ", "“", "“a", "下周", "I'm ", "The User ", "in a "])
def test_the_gate_is_quick_on_endless_text(piece: str) -> None:
    assert_takes_less_than(1.5, lambda: unresolved_words(piece * (3_000 // len(piece))))


@pytest.mark.parametrize("unit", ["He ", "I live in ", "1月", "it ", "明天", " ", "A ", "\n"])
def test_words_are_looked_for_in_little_time(unit: str) -> None:
    text = unit * (6_000 // len(unit))
    assert_takes_less_than(1.5, lambda: unresolved_words(text))
