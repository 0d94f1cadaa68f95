"""What changes in the life of somebody's people ends what was told of the same person before, and nothing else."""

import pytest

from language.others_values import find_others_change
from language.people import find_person, introduces, is_about_one
from tests.unit.test_endings import ended


@pytest.mark.parametrize(
    ("older", "newer", "values"),
    [
        ("My daughter Emma is 7.", "Emma is 8 now.", ("7", "8")),
        ("My daughter Emma is 7.", "Emma just turned 8!", ("7", "8")),
        ("My daughter Emma is 7.", "My daughter Emma is 8.", ("7", "8")),
        ("My daughter is 7 years old.", "My daughter turned 8 yesterday.", ("7", "8")),
        ("My husband works at Shell.", "My husband works at BP now.", ("Shell", "BP")),
        ("My husband works at Shell.", "My husband got a new job at BP.", ("Shell", "BP")),
        ("My husband works at Shell as an engineer.", "My husband started at BP last week.", ("Shell", "BP")),
        ("My manager is Dana.", "My new manager is Priya.", ("Dana", "Priya")),
        ("My manager is Dana.", "Priya is my new manager.", ("Dana", "Priya")),
        ("My landlord is Mr Hughes.", "My new landlord is Mrs Patel.", ("Mr Hughes", "Mrs Patel")),
        ("我女儿今年7岁。", "我女儿8岁了。", ("7", "8")),
        ("我儿子今年十二岁。", "我儿子刚满十三岁。", ("十二", "十三")),
        ("我老公在壳牌上班。", "我老公现在在中石化上班。", ("壳牌", "中石化")),
        ("我老公在壳牌工作。", "我老公跳槽到中石化了。", ("壳牌", "中石化")),
        ("我的经理是王强。", "我的新经理是李娜。", ("王强", "李娜")),
        ("我老板叫王强。", "我现在的老板是李娜。", ("王强", "李娜")),
    ],
)
def test_a_change_ends_what_was_told_of_the_same_person(older: str, newer: str, values: tuple[str, str]):
    assert find_others_change(older, newer) == values
    assert [(before, how) for before, how, _ in ended(older, newer)] == [(older, "change")]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("My daughter Emma is 7.", "Ella is 8 now."),
        ("My daughter Emma is 7.", "My niece Emma is 8 now."),
        ("My daughter Emma is 7.", "My daughter Ella is 8 now."),
        ("My daughter Emma is 7.", "My daughter's friend Ella is 8 now."),
        ("My daughter Emma is 7.", "Emma will be 8 in May."),
        ("My daughter Emma is 7.", "Emma is 8 weeks pregnant."),
        ("My daughter is 7.", "My older daughter is 8 now."),
        ("My daughter is 7.", "My other daughter is 8 now."),
        ("My son is 12.", "My sister's son is 13 now."),
        ("My son is 12.", "My stepson is 13 now."),
        ("My husband works at Shell.", "My ex-husband works at BP now."),
        ("My husband works at Shell.", "My husband's friend works at BP now."),
        ("My husband works at Shell.", "My brother works at BP now."),
        ("My husband works at Shell.", "I work at BP now."),
        ("My husband works at Shell.", "My husband also works at BP on weekends."),
        ("My husband works at Shell.", "My husband would like to work at BP."),
        ("My manager is Dana.", "My husband's new manager is Priya."),
        ("My manager is Dana.", "Dana's new manager is Priya."),
        ("My manager is Dana.", "My new dentist is Priya."),
        ("My manager is Dana.", "My new manager starts on Monday."),
        ("My friend is Dana.", "My new friend is Priya."),
        ("My boyfriend is Tom.", "My sister's new boyfriend is Ben."),
        ("我女儿7岁。", "我儿子8岁了。"),
        ("我女儿7岁。", "我女儿的同学8岁了。"),
        ("我女儿7岁。", "我小女儿8岁了。"),
        ("我女儿7岁。", "我女儿快8岁了。"),
        ("我女儿7岁。", "我女儿8岁的时候要学游泳。"),
        ("我儿子12岁。", "我表哥的儿子13岁了。"),
        ("我老公在壳牌上班。", "我弟弟现在在中石化上班。"),
        ("我老公在壳牌上班。", "我老公周末在中石化兼职。"),
        ("我老公在壳牌上班。", "我老公想去中石化上班。"),
        ("我的经理是王强。", "我老公的新经理是李娜。"),
        ("我的经理是王强。", "我的新同事是李娜。"),
        ("我的经理是王强。", "我的新经理是上海人。"),
    ],
)
def test_another_person_another_matter_a_plan_or_an_addition_ends_nothing(older: str, newer: str):
    assert ended(older, newer) == []


def test_a_number_that_is_no_age_ends_no_age():
    assert find_others_change("My daughter Emma is 7.", "Emma is in year 8 now.") is None
    assert find_others_change("My daughter Emma is 7.", "Emma has 8 friends now.") is None
    assert find_others_change("My daughter Emma is 7.", "Emma is 6 now.") is None


def test_a_relative_of_somebody_else_is_named_with_them():
    assert find_person("My husband's friend works at BP.") == "husband's friend"
    assert find_person("Dana's new manager is Priya.") == "Dana's new manager"
    assert find_person("我女儿的同学8岁了。") == "女儿的同学"
    assert find_person("My husband's birthday is in May.") == "husband"


def test_a_relative_of_somebody_else_is_neither_of_the_two():
    older, newer = "My husband works at Shell.", "My husband's friend works at BP."
    assert not is_about_one("husband", older, "husband's friend", newer)
    assert is_about_one("husband's friend", newer, "husband's friend", newer)
    assert is_about_one("daughter Emma", "My daughter Emma is 7.", "Emma", "Emma is 8.")


def test_who_a_name_is_outlives_what_changes_under_the_name_alone():
    assert introduces("My daughter Emma is 7.", "Emma is 8 now.")
    assert introduces("我女儿叫艾玛，今年7岁。", "艾玛现在8岁了。")
    assert not introduces("My daughter Emma is 7.", "My daughter Emma is 8 now.")
    assert not introduces("My daughter is 7.", "She is 8 now.")
