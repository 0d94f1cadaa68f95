"""What a doctor, a test or somebody close tells a person about their health is kept, whoever says it."""

import pytest

from evolution.extraction.rules import extract_by_rules
from evolution.state import ExtractionCandidate
from language.findings import is_hearsay, tells_finding, tells_suspicion
from tests.unit.analysis_builders import turns


def kept(text: str) -> list[ExtractionCandidate]:
    return extract_by_rules(turns(text))


@pytest.mark.parametrize(
    "text",
    [
        "The doctor says I'm allergic to penicillin",
        "My doctor told me I'm diabetic.",
        "the hospital found out I can't have aspirin",
        "My GP said I have celiac disease.",
        "My doctor said I was allergic to latex.",
        "Dr. Patel told me to avoid grapefruit.",
        "The nurse warned me not to take ibuprofen.",
        "My new cardiologist says that I must not smoke.",
        "The allergy test came back and says I'm allergic to wasps.",
        "I've been told I'm allergic to latex.",
        "I was told by my doctor that I'm anemic.",
        "They told me at the hospital that I have epilepsy.",
        "They diagnosed me with epilepsy.",
        "I was just diagnosed with type 1 diabetes.",
        "According to the test I'm lactose intolerant.",
        "Turns out I'm allergic to shellfish, the doctor said.",
        "My doctor told me I can't eat gluten any more.",
        "My mum says I'm allergic to penicillin.",
        "My doctor told me I'm diabetic, so check if a recipe has sugar.",
        "医生说我对青霉素过敏",
        "体检查出来我有糖尿病",
        "医嘱：忌酒",
        "医生让我别吃海鲜",
        "大夫说我不能吃阿司匹林。",
        "医生告诉我，我有高血压。",
        "我问了医生，医生说我对乳胶过敏。",
        "检查结果显示我乳糖不耐受。",
        "我被确诊为糖尿病。",
        "医院诊断我有哮喘。",
        "医生不让我喝酒。",
        "我妈说我对青霉素过敏。",
        "昨天体检，医生说我血压偏高，不能再吃咸的了。",
    ],
)
def test_a_finding_about_the_speaker_is_a_constraint_of_theirs_in_its_own_words(text: str):
    (found,) = kept(text)
    assert (found["item_type"], found["subject"], found["content"]) == ("constraint", "user", text)


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("The doctor says I'm allergic to penicillin and I should carry an EpiPen.", "penicillin"),
        ("My wife says I'm allergic to cats.", "cats"),
        ("医生说我对青霉素过敏。", "青霉素"),
    ],
)
def test_the_allergy_of_a_finding_is_read_off(text: str, thing: str):
    (found,) = kept(text)
    assert (found["predicate"], found["object"]) == ("allergic_to", thing)


def test_a_finding_in_a_part_of_a_sentence_is_a_constraint_by_itself():
    found = kept("I went to the clinic yesterday and the nurse told me I have high blood pressure.")
    assert ("the nurse told me I have high blood pressure.", "constraint") in [
        (each["content"], each["item_type"]) for each in found
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The doctor says he's allergic to penicillin.",
        "The doctor says my son is allergic to nuts.",
        "My doctor says I'm NOT allergic to penicillin.",
        "My doctor says I'm not allergic.",
        "My doctor never said I'm allergic to penicillin.",
        "My doctor says I'm allergic to penicillin, but I'm not.",
        "The doctor asked if I'm allergic to penicillin.",
        "Did the doctor say I'm allergic to penicillin?",
        "If the doctor says I'm allergic to penicillin, I'll need another antibiotic.",
        "I hope the test shows I'm pregnant.",
        "In the film the doctor says 'I'm allergic'.",
        "Doctor Google says I'm diabetic.",
        "People think I'm diabetic.",
        "Everyone assumes I'm allergic to nuts.",
        "My ex says I'm allergic to work.",
        "My wife says I'm allergic to washing up.",
        "My boss says I'm allergic to deadlines.",
        "My doctor says I'm allergic to exercise, haha.",
        "My mum says I was allergic to eggs as a baby.",
        "My doctor told me I have a nice smile.",
        "My doctor says I can't give her aspirin.",
        "医生说他对青霉素过敏。",
        "医生说我妈有糖尿病。",
        "医生问我是不是对青霉素过敏。",
        "医生问我对青霉素过敏吗？",
        "如果医生说我对青霉素过敏，我就换药。",
        "我怕医生说我有糖尿病。",
        "大家都以为我有糖尿病。",
        "同事们觉得我有糖尿病。",
        "我前任说我对工作过敏。",
        "电影里医生说我对青霉素过敏。",
        "我妈说我小时候对鸡蛋过敏。",
        "医生说我没有糖尿病。",
        "医生说我很健康。",
    ],
)
def test_what_is_denied_asked_supposed_over_or_of_somebody_else_is_no_constraint(text: str):
    assert not tells_finding(text)
    assert [each for each in kept(text) if each["subject"] == "user"] == []


def test_what_people_only_suppose_is_hearsay_and_what_they_do_not_believe_is_none():
    assert is_hearsay("People think I'm diabetic.")
    assert is_hearsay("大家都以为我有糖尿病。")
    assert not is_hearsay("Nobody believes I'm allergic to apples.")
    assert not is_hearsay("People think I'm diabetic, and they are right.")


def test_what_one_may_eat_is_no_finding():
    assert not tells_finding("The doctor says I can eat shellfish.")
    assert not tells_finding("医生说我可以吃海鲜。")


@pytest.mark.parametrize(
    "text",
    [
        "The doctor suspects I have diabetes.",
        "My GP thinks I might have celiac disease.",
        "My allergist said I could be lactose intolerant.",
        "医生怀疑我有甲亢",
        "医生说我可能有糖尿病",
    ],
)
def test_what_a_doctor_suspects_is_kept_as_it_was_said(text: str):
    assert tells_suspicion(text)
    assert [(each["subject"], each["content"]) for each in kept(text)] == [("user", text)]


@pytest.mark.parametrize(
    "text",
    [
        "Does the doctor suspect I have diabetes?",
        "The doctor suspects my mum has diabetes.",
        "In the film the doctor suspects I have diabetes.",
        "My boss thinks I have a problem.",
        "The doctor thinks I work too much.",
        "医生怀疑我妈有甲亢",
        "医生怀疑我没吃药",
        "医生怀疑我有甲亢吗？",
    ],
)
def test_what_is_asked_or_of_somebody_else_is_no_suspicion(text: str):
    assert not tells_suspicion(text)
