"""Other people's illnesses and secrets are theirs, unless the person says why they matter."""

import pytest

from language.people import SPEAKER, find_person
from language.privacy import is_private_to_another


@pytest.mark.parametrize(
    "turn",
    [
        "My colleague Tom is HIV positive.",
        "My neighbour has been diagnosed with bipolar disorder.",
        "My boss is having an affair with the receptionist.",
        "My friend Lena had a miscarriage in March.",
        "My sister told me in confidence that she is pregnant.",
        "我闺蜜打过胎",
        "我同事小李确诊了艾滋",
        "我老板欠了一屁股债",
        "我弟弟偷偷告诉我他得了抑郁症，别跟别人说",
    ],
)
def test_what_is_another_persons_own_is_private(turn: str):
    assert is_private_to_another(turn, find_person(turn), turn)


@pytest.mark.parametrize(
    "turn",
    [
        "My mother has Alzheimer's.",
        "My daughter is epileptic.",
        "My dog is having surgery on Monday.",
        "My colleague Tom has cancer, so I cover his shifts until June.",
        "My flatmate is diabetic, which means we never keep sweets at home.",
        "My colleague Tom plays the tuba.",
        "I was diagnosed with diabetes last year.",
        "我妈有糖尿病",
        "我同事小李抑郁症复发了，所以这个月我替他值班",
        "我室友对花生过敏",
        "我得了抑郁症",
    ],
)
def test_what_is_part_of_ones_own_life_is_not(turn: str):
    assert not is_private_to_another(turn, find_person(turn), turn)


def test_nothing_of_oneself_is_another_persons():
    assert not is_private_to_another("I am HIV positive.", SPEAKER, "I am HIV positive.")
