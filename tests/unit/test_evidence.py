"""Which of two texts may put an end to the other, and which candidates tell nothing."""

from dataclasses import replace
from uuid import UUID

import pytest

from brain.prompting.evidence import exclusion_reasons, find_over, mark_statuses
from brain.state import DecisionReason
from language.similarity import is_contained_in
from memory.index_rows import IN_DOUBT
from memory.recall.policy import RankedCandidate
from memory.recall.query import CandidateRow
from memory.turns import Role
from tests.fakes import NOW, a_memory

CHANGES = [
    ("I gave up coffee", "I'm drinking coffee again"),
    ("I work at Siemens", "left Siemens, I'm at BMW now"),
    ("Our dog Rex is four", "Rex died in May"),
    ("my bike lock is 521", "my bike lock is 512, not 521"),
    ("I live in Lyon", "We moved to Paris in March"),
    ("I live in Lyon", "I live in Paris"),
    ("Yoga is on Tuesdays", "Yoga moved to Thursdays"),
    ("I have a cat called Mia", "we gave Mia to my aunt"),
    ("My dentist is Doctor Okafor.", "My dentist is Doctor Chen now."),
    ("我在西门子上班", "我现在在宝马上班"),
    ("我住在成都", "我搬到上海了"),
    ("我男朋友叫小李", "我和小李分手了"),
    ("我女儿上三年级", "我女儿上四年级了"),
    ("I've got a lodger called Matthias", "Matthias went back to Austria so the room's empty now"),
]
ADDITIONS = [
    ("I love sushi", "I love pizza"),
    ("My sister lives in Rome", "I live in Ghent"),
    ("I have a cat called Mia", "I have a dog called Rex"),
    ("I play the harp", "I play chess on Fridays"),
    ("My son is allergic to nuts", "I'm allergic to shrimp"),
    ("My brother works at Siemens", "I work at a bakery"),
    ("I like tea", "I quit my job"),
    ("我喜欢喝茶", "我喜欢喝咖啡"),
    ("我妹妹是护士", "我弟弟是老师"),
    ("我爸住在武汉", "我住在上海"),
]


@pytest.mark.parametrize(("older", "newer"), CHANGES)
def test_a_change_contradicts_what_was_said_before(older: str, newer: str):
    assert find_over(older, newer)


@pytest.mark.parametrize(("older", "newer"), ADDITIONS)
def test_what_adds_up_does_not(older: str, newer: str):
    assert not find_over(older, newer)


@pytest.mark.parametrize(
    ("text", "other", "repeats"),
    [
        ("The user lives in Paris. (2026-03-01)", "I live in Paris, near the river", True),
        ("用户住在北京", "我住在北京", True),
        ("I like tea", "I do not like tea", False),
        ("我喜欢茶", "我不喜欢茶", False),
        ("I live in Paris, near the river", "I live in Paris", False),
    ],
)
def test_a_text_repeats_another_when_all_of_it_stands_there(text: str, other: str, repeats: bool):
    assert is_contained_in(text, other) is repeats


def a_found(text: str, role: Role = "user", coverage: float = 0.5) -> RankedCandidate:
    candidate = CandidateRow(
        source_id=UUID(int=abs(hash(text))), lane="turn", session_id=None, role=role, speaker=role, category="",
        text=text, observed_at=NOW, valid_at=NOW, recorded_at=NOW, coverage=coverage,
    )  # fmt: skip
    return RankedCandidate(candidate=candidate, score=coverage)


FOUND = [
    a_found("Where do I keep my harp?"),
    a_found("Casa Azul has a late check-in, the other hostels have none.", "assistant", 0.9),
    a_found("I booked a hostel in Porto."),
    a_found("Thanks a lot!"),
]


@pytest.mark.parametrize(
    ("question", "out"),
    [
        ("What did I book?", {0: "question", 1: "own_reply", 3: "courtesy"}),
        ("What did you recommend?", {}),
        ("你上次推荐的是什么", {}),
        ("Which hostel had the late check-in?", {0: "question", 3: "courtesy"}),
    ],
)
def test_questions_and_brains_own_replies_tell_nothing_unless_it_is_about_them(
    question: str, out: dict[int, DecisionReason]
):
    assert exclusion_reasons(FOUND, question) == out


def test_a_reply_that_answers_no_better_than_the_person_stays_out():
    spoken = replace(FOUND[2].candidate, coverage=0.9)
    assert exclusion_reasons(
        [FOUND[1], replace(FOUND[2], candidate=spoken)], "Which hostel had the late check-in?"
    ) == {0: "own_reply"}


def test_a_memory_that_something_newer_left_in_doubt_is_marked_though_nothing_newer_stands_beside_it():
    (told,) = mark_statuses([a_memory("I live in Paris.", lane="fact", about=IN_DOUBT)])
    assert told.get("status") == "earlier"


def test_what_was_said_later_is_newer_although_it_tells_of_an_earlier_time():
    first, later, told = "2026-01-01T09:00:00+00:00", "2026-02-01T09:00:00+00:00", "2019-01-01T00:00:00+00:00"
    older = a_memory("I live in Lyon.", memory_id="1", lane="fact", said_at=first, valid_since=first)
    newer = a_memory("I have lived in Paris since 2019.", memory_id="2", lane="fact", said_at=later, valid_since=told)
    assert [each.get("status") for each in mark_statuses([newer, older])] == [None, "earlier"]


def test_what_came_about_long_before_something_was_said_to_hold_does_not_mark_it():
    first, later, told = "2026-01-01T09:00:00+00:00", "2026-02-01T09:00:00+00:00", "2019-01-01T00:00:00+00:00"
    older = a_memory("I live in Lyon.", memory_id="1", lane="fact", said_at=first, valid_since=first)
    newer = a_memory("We moved to Paris in 2019.", memory_id="2", lane="fact", said_at=later, valid_since=told)
    assert [each.get("status") for each in mark_statuses([newer, older])] == [None, None]


def test_something_newer_that_stays_out_of_the_prompt_leaves_an_older_memory_in_doubt_all_the_same():
    older = a_memory("I live in Lyon.", memory_id=str(UUID(int=1)), valid_since="2025-03-01T09:00:00+00:00")
    newer = a_memory("We moved to Paris in March.", memory_id=str(UUID(int=2)))
    assert [(each["text"], each.get("status")) for each in mark_statuses([older], [newer])] == [
        (older["text"], "earlier")
    ]
