"""Endings that name no slot, and plans that come true, among what is known."""

from evolution.extraction.rules import by_rules
from evolution.state import Known, Said
from memory.contracts import ItemType


def _said(text: str) -> list[Said]:
    return [
        Said(
            event_id="e1",
            operation_id="o1",
            session_id="s1",
            role="user",
            speaker="user",
            text=text,
            sha256="",
            at="2025-03-05T12:00:00+00:00",
            time_zone="UTC",
        )
    ]


def _known(memory_id: str, thing: str, item_type: ItemType = "fact", predicate: str = "habit") -> Known:
    return Known(
        memory_id=memory_id,
        item_type=item_type,
        content=f"The user: {thing}.",
        subject="user",
        predicate=predicate,
        object=thing,
        negated=False,
        category="habits",
        epistemic_type="fact",
        slot=f"user|{predicate}",
    )


def test_an_ending_denies_the_one_memory_that_names_the_thing() -> None:
    (over,) = by_rules(
        _said("I gave up pottery."), [_known("m1", "goes to pottery every Monday"), _known("m2", "runs")]
    )
    assert (over["predicate"], over["object"], over["negated"]) == ("habit", "goes to pottery every Monday", True)
    assert over["replaces_memory"] == "m1"


def test_an_ending_that_several_memories_may_mean_says_nothing() -> None:
    assert not by_rules(_said("I gave up pottery."), [_known("m1", "pottery"), _known("m2", "sells pottery")])


def test_an_ending_of_something_unknown_says_nothing() -> None:
    assert not by_rules(_said("房贷已经还清了。"), [])


def test_a_plan_gives_place_to_what_came_true() -> None:
    plan = _known("m1", "去小米汽车入职", "plan", "plans")
    (news,) = by_rules(_said("我在小米汽车上班。"), [plan, _known("m2", "跑步")])
    assert (news["predicate"], news["replaces_memory"]) == ("works_at", "m1")


def test_a_plan_about_something_else_stays() -> None:
    (news,) = by_rules(_said("I moved to Cork."), [_known("m1", "a week in Galway", "plan", "plans")])
    assert news["replaces_memory"] == ""
