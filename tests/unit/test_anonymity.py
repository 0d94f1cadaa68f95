"""Whose a sentence is, and what it would give away."""

import pytest

from language.anonymity import MAX_CHARACTERS, has_identifier, speaks_of_oneself, tells_of_somebody

OF_SOMEBODY = (
    "My boss shouts in meetings.",
    "She prefers the window seat.",
    "Marcus is always late.",
    "I take insulin before lunch.",
    "Don't tell anyone, the shop is closing.",
    "We are laid off in May.",
    "小王总是迟到",
    "她想要靠窗的座位",
    "我每天吃降压药",
    "别跟别人说，店要关了",
)
OF_THINGS = ("The label printer jams with thick paper.", "We open at nine on Saturdays.", "标签打印机遇到厚纸会卡")
IDENTIFYING = (
    "Ring 555-0142 when the hinge is in.",
    "The back door opens with 4711.",
    "Dial oh seven seven, double zero.",
    "I work with Zoe on Fridays.",
    "Mail it to gus@mailbox.example.",
    "The wifi password is sunflower.",
    "Deliver it to 12 maple street.",
    "The van LK19 stands outside.",
    "They call it “the bunker”.",
    "One sentence. And another.",
    "w" * (MAX_CHARACTERS + 1),
    "门禁密码是向日葵",
    "寄到建设路12号",
    "打幺三八零零",
)
HARMLESS = (
    "The label printer jams with thick paper.",
    "Customers ask for gift wrapping in December.",
    "The till opens at 9:30 on Saturdays.",
    "The VPN drops twice a day.",
    "标签打印机遇到厚纸会卡",
)


@pytest.mark.parametrize("sentence", OF_SOMEBODY)
def test_it_tells_of_somebody(sentence: str):
    assert tells_of_somebody(sentence)


@pytest.mark.parametrize("sentence", OF_THINGS)
def test_it_tells_of_a_thing(sentence: str):
    assert not tells_of_somebody(sentence)


@pytest.mark.parametrize("sentence", IDENTIFYING)
def test_it_identifies_somebody_or_something(sentence: str):
    assert has_identifier(sentence)


@pytest.mark.parametrize("sentence", HARMLESS)
def test_it_identifies_nothing(sentence: str):
    assert not has_identifier(sentence)


def test_what_we_do_is_not_only_the_speakers():
    assert [speaks_of_oneself(each) for each in ("I like tea", "We sell tea", "我喜欢茶", "我们卖茶")] == [
        True,
        False,
        True,
        False,
    ]
