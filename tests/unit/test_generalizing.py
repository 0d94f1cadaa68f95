"""A sentence without its speaker."""

import pytest

from language.generalizing import generalize, names_speaker


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I prefer morning meetings.", "Several people prefer morning meetings."),
        (
            "I'm tired of it, and I'd rather have a new one.",
            "Several people are tired of it, and they would rather have a new one.",
        ),
        ("Remember that our label printer jams.", "The label printer jams."),
        ("We keep our coats in our lockers.", "Several people keep their coats in their lockers."),
        ("Customers keep asking me about it.", "Customers keep asking people here about it."),
        ("The printer jams when we use thick paper.", ""),
        ("You should see my desk.", ""),
        ("我喜欢早上开会", "大家喜欢早上开会"),
        ("我们的标签打印机会卡", "标签打印机会卡"),
        ("打印机在我们用厚纸时会卡", ""),
        ("你应该看看", ""),
    ],
)
def test_it_is_told_in_the_third_person_or_not_at_all(said: str, told: str):
    assert generalize(said) == told
    assert not names_speaker(told)
