"""Which lines of a profile stand in every prompt."""

from datetime import timedelta
from uuid import UUID

from brain.documents.profile import draft_profile, find_section
from brain.documents.profile_choice import MORE, PROMPT_TOKENS, without_more
from brain.documents.prompt_documents import fit_documents, whole_section_ids
from memory.documents.rows import section_ids
from memory.memory_item import MemoryItem
from tests.fakes import NOW
from tests.unit.test_profile import ANN, RED, a_statement, held, told

TAG = 60
"""Tokens of the tag around a document."""
FILLER = "I keep the blue bicycle with the basket in the shed behind the house"


def fillers(count: int) -> list[MemoryItem]:
    """Of no great worth, and newer than everything else."""
    return [
        a_statement(100 + n, f"{FILLER} {n}", "belongings", observed_at=NOW + timedelta(days=n)) for n in range(count)
    ]


def shown(*items: MemoryItem, **more: object) -> str:
    """What of a profile of these memories stands in every prompt."""
    (document,) = fit_documents([held(draft_profile(ANN, None, told(*items, **more)))], ANN)
    return document.text


def test_constraints_and_who_somebody_is_come_before_what_is_newer():
    core = [
        a_statement(1, "Nuts give me a rash", "food", memory_type="constraint"),
        a_statement(2, "Penicillin gives me a rash", "health"),
        a_statement(3, "Everybody calls me Ann", "name"),
        a_statement(4, "I live in Ghent", "home"),
        a_statement(5, "I work at a bakery", "work"),
        a_statement(6, "My son is called Tom", "family"),
        a_statement(7, "Please be brief", "answers"),
    ]
    text = shown(*core, *fillers(40))
    assert all(item.content in text for item in core)
    assert FILLER in text


def test_the_newest_word_of_each_side_comes_before_an_older_one():
    told_of = "I worked at bakery {} and on the market beside it, on every Saturday of many years"
    works = [a_statement(n, told_of.format(n), "work", observed_at=NOW - timedelta(n)) for n in (1, 2)]
    text = shown(*works, *fillers(40))
    assert "bakery 1" in text
    assert "bakery 2" not in text


def test_what_is_used_comes_before_what_is_newer():
    harp = a_statement(1, f"I play the harp, and {FILLER.lower()}", "leisure")
    assert "harp" not in shown(harp, *fillers(40))
    assert "harp" in shown(harp, *fillers(40), uses={UUID(int=1): 2})


def test_the_part_in_every_prompt_is_bounded_and_the_document_holds_all():
    many = [a_statement(n, f"Dish number {n} of the menu gives me a rash", "diet") for n in range(80)]
    document = held(draft_profile(ANN, None, told(*many, *fillers(40))))
    (prompt,) = fit_documents([document], ANN)
    assert prompt.tokens <= PROMPT_TOKENS + TAG
    assert prompt.whole
    assert all(item.content in document.body for item in (*many, *fillers(40)))


def test_a_short_profile_has_no_second_part_and_what_a_person_wrote_behind_it_is_shown():
    home = a_statement(4, "I live in Ghent", "home")
    assert MORE not in held(draft_profile(ANN, None, told(home))).body
    document = held(draft_profile(ANN, None, told(home, *fillers(40))))
    assert document.body.count(MORE) == 1
    assert find_section(document.body) is not None
    assert without_more(f"{document.body}\nBy hand.\n").endswith("\nBy hand.\n")
    assert draft_profile(ANN, document, told(home, *fillers(40))) is None


def test_recall_may_bring_what_the_prompt_does_not_show():
    document = held(draft_profile(ANN, None, told(a_statement(4, "I live in Ghent", "home"), *fillers(40))))
    shown_ids = whole_section_ids(fit_documents([document], ANN))
    assert shown_ids
    assert shown_ids < {str(each) for each in section_ids(document)}


def test_a_group_is_bounded_too():
    document = held(draft_profile(RED, None, told(*fillers(40))))
    assert FILLER in without_more(document.body)
    assert len(without_more(document.body)) < len(document.body) / 2
