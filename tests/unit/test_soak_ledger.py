"""The model of what must hold can fail: each wrong thing is told, and what is right is not."""

from collections.abc import Iterable
from random import Random

import pytest

from evals.soak.ledger import Fault, Ledger, Logged, Names, find_growth

TEA = "I like {} tea."


@pytest.fixture
def names() -> Names:
    return Names(Random(1))


@pytest.fixture
def ann() -> Ledger:
    return Ledger("ann")


def told(ann: Ledger, names: Names, *, is_answered: bool = True) -> str:
    """Something that Ann said; its name."""
    name = names.make("ann")
    ann.tell(name, TEA.format(name)).is_answered = is_answered
    return name


def exchange(name: str, operation: str = "1", replies: int = 1) -> list[Logged]:
    reply = Logged("assistant", "I have noted that.", operation)
    return [Logged("user", TEA.format(name), operation), *[reply] * replies]


def kinds(faults: Iterable[Fault]) -> list[str]:
    return [fault.kind for fault in faults]


def test_what_was_answered_and_stands_once_is_right(ann: Ledger, names: Names):
    name = told(ann, names)
    assert kinds(ann.find_logged_faults(exchange(name))) == []
    assert kinds(ann.find_remembered_faults([TEA.format(name)], names, settled=True)) == []


def test_a_lost_turn_is_told_and_one_that_nobody_acknowledged_is_not(ann: Ledger, names: Names):
    told(ann, names, is_answered=False)
    assert kinds(ann.find_logged_faults([])) == []
    told(ann, names)
    assert kinds(ann.find_logged_faults([])) == ["lost"]


def test_a_doubled_turn_and_a_doubled_reply_are_told(ann: Ledger, names: Names):
    name = told(ann, names)
    assert kinds(ann.find_logged_faults([*exchange(name), *exchange(name, "2")])) == ["doubled"]
    assert kinds(ann.find_logged_faults(exchange(name, replies=2))) == ["doubled"]


def test_a_turn_without_its_reply_is_told(ann: Ledger, names: Names):
    assert kinds(ann.find_logged_faults(exchange(told(ann, names), replies=0))) == ["without reply"]


def test_the_same_words_said_twice_stand_twice(ann: Ledger):
    for _ in range(2):
        ann.say("yes").is_answered = True
    once = [Logged("user", "yes", "1"), Logged("assistant", "All right.", "1")]
    assert kinds(ann.find_logged_faults(once)) == ["lost"]
    assert kinds(ann.find_logged_faults([*once, Logged("user", "yes", "2"), Logged("assistant", "Yes.", "2")])) == []


def test_what_another_said_is_a_leak_wherever_it_shows(ann: Ledger, names: Names):
    bens = names.make("ben")
    assert kinds(ann.find_shown_faults([f"You like {bens} tea."], names, "the reply")) == ["leaked"]
    assert kinds(ann.find_shown_faults([bens.capitalize()], names, "the reply")) == ["leaked"]
    assert kinds(ann.find_logged_faults(exchange(bens))) == ["leaked"]


def test_what_is_forgotten_or_erased_reappears_nowhere_but_where_the_person_says_it(ann: Ledger, names: Names):
    name = told(ann, names)
    ann.standing[name] = "forgotten"
    text = TEA.format(name)
    assert kinds(ann.find_shown_faults([text], names, "the reply")) == ["reappeared"]
    assert kinds(ann.find_shown_faults([f"I have forgotten {text}"], names, "the reply", asked=f"Forget {text}")) == []
    ann.erase()
    assert kinds(ann.find_remembered_faults([text], names, settled=False)) == ["reappeared"]
    assert kinds(ann.find_logged_faults([])) == []


def test_a_corrected_sentence_that_still_stands_and_one_that_is_missing_are_told_once_all_is_done(
    ann: Ledger, names: Names
):
    old, new = told(ann, names), told(ann, names)
    ann.standing[old] = "replaced"
    assert kinds(ann.find_remembered_faults([TEA.format(old)], names, settled=False)) == []
    assert kinds(ann.find_remembered_faults([TEA.format(old)], names, settled=True)) == ["overruled", "not remembered"]
    assert kinds(ann.find_remembered_faults([TEA.format(new)], names, settled=True)) == []


def test_memory_that_grows_is_told_and_memory_that_warms_up_is_not():
    warm, grows = [*range(100, 200, 5), *[200.0] * 80], [100.0 + number for number in range(100)]
    assert find_growth({"serve": [warm], "worker": [[1.0, 99.0]]}, 0.2) == []
    assert find_growth({"serve": [warm, grows]}, 0.2) == ["serve, life 2: 130 MB, later 190 MB"]
