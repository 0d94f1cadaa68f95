"""What nobody may rule upon: a person's own limits."""

import pytest

from language.constraints import states_constraint


@pytest.mark.parametrize(
    "text",
    [
        "I am allergic to nuts",
        "Never call me Bob",
        "please don't address me as sir",
        "I can't eat gluten",
        "Shellfish makes me ill",
        "I use a screen reader, so no tables",
        "我对花生过敏",
        "别叫我老王",
        "我不能吃辣",
        "我有糖尿病",
        "我吃素",
    ],
)
def test_a_limit_is_recognised(text: str):
    assert states_constraint(text)


@pytest.mark.parametrize(
    "text", ["I like slang", "I prefer long answers", "Call me anytime", "我喜欢网络流行语", "我爱吃辣", "回答简短一点"]
)
def test_a_liking_is_none(text: str):
    assert not states_constraint(text)
