"""What a person asks of memory, and what only sounds like it."""

import pytest

from language.matters import aliases
from language.requests import find_request
from language.terms import terms_of


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Please forget that I have a beagle.", "forget"),
        ("wipe the stuff i said abt my boyfriend", "forget"),
        ("把我的生日删掉", "forget"),
        ("no, my sister is called Maud, not Maude", "correct"),
        ("你记错了，我家在四楼", "correct"),
        ("Remember that my locker is number 44.", "remember"),
        ("别忘了我喝咖啡不加糖", "remember"),
        ("don't write this down: I'm seeing a therapist", "dont_note"),
        ("这句不要存：我讨厌我老板", "dont_note"),
        ("undo that", "undo"),
        ("撤销", "undo"),
        ("off the record from now on", "off_record"),
        ("back on the record", "on_record"),
        ("可以记了", "on_record"),
    ],
)
def test_a_request_is_understood(text: str, act: str):
    found = find_request(text)
    assert found is not None
    assert found.act == act


@pytest.mark.parametrize(
    "text",
    [
        "I forgot my keys at home.",
        "don't forget to breathe, they always say",
        "I'll never forget that trip to Japan",
        "forget it",
        "How do I delete a branch in git?",
        "My doctor told me to forget about running",
        "I had to delete all my photos to make room",
        "Nora said forget the wedding, she's eloping",
        "忘了带伞",
        "我忘不了那次旅行",
        "老板让我把白板擦掉",
        "别忘了下午提醒我浇花",
        "What did I tell you about my sister?",
    ],
)
def test_talk_that_uses_the_same_words_asks_nothing(text: str):
    assert find_request(text) is None


def test_what_a_request_is_about_is_left_when_the_asking_is_taken_out():
    found = find_request("Please delete what I told you about my sister")
    assert found is not None
    assert terms_of(found.about) == {"sister"}
    assert not found.everything
    assert not found.points


@pytest.mark.parametrize("text", ["scratch that", "forget what I just said", "刚才那句删掉"])
def test_a_request_may_only_point_at_what_was_just_said(text: str):
    found = find_request(text)
    assert found is not None
    assert found.points


@pytest.mark.parametrize(
    ("text", "when"), [("forget what I told you yesterday", "yesterday"), ("昨天说的都删掉", "昨天")]
)
def test_a_request_may_mean_all_that_was_said_at_a_time(text: str, when: str):
    found = find_request(text)
    assert found is not None
    assert found.when == when


def test_a_correction_tells_what_is_right_and_what_was_wrong():
    found = find_request("不对，我妹妹叫小雨，不叫小玉")
    assert found is not None
    assert (found.stated, found.denied) == ("我妹妹叫小雨", "小玉")


def test_a_new_value_makes_a_statement():
    found = find_request("Change my address to 5 Elm Street")
    assert found is not None
    assert found.stated == "my address is 5 Elm Street"


def test_no_secret_is_remembered_on_request():
    assert find_request("Remember that my password is hunter2") is None


def test_one_matter_has_many_words():
    assert "live" in aliases("address")
    assert aliases("xylophone") == frozenset()
