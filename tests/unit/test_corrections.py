"""A correction changes the one statement that holds the value it denies, and nothing in doubt."""

from datetime import datetime, timedelta

import pytest

from evolution.endings import mark_endings
from evolution.extraction.rules import extract_by_rules
from evolution.write import idempotency_key_of
from language.corrections import correct_value, find_contrast
from language.self_corrections import settle_slip
from language.statements import read_statements
from tests.unit.analysis_builders import AT, a_said


def left(*texts: str) -> list[str]:
    """What is known after these turns, one a minute."""
    begin = datetime.fromisoformat(AT)
    said = [
        a_said(text, number, at=(begin + timedelta(minutes=number)).isoformat()) for number, text in enumerate(texts)
    ]
    found = mark_endings(extract_by_rules(said), [])
    over = {each["replaces_memory"] for each in found}
    return [each["content"] for each in found if idempotency_key_of(each) not in over]


PARIS, RENAULT, TOYOTA = "I live in Paris.", "My brother works at Renault.", "I drive a Toyota."
ME, BROTHER, CAR = "我住在苏州。", "我弟弟在小米上班。", "我开丰田。"


@pytest.mark.parametrize(
    ("correction", "right"),
    [
        ("Did I say Toyota? I meant Honda.", "I drive a Honda."),
        ("Did I say Toyota? Sorry, I meant Honda.", "I drive a Honda."),
        ("Did I just say Toyota? It's a Honda.", "I drive a Honda."),
        ("I said Toyota. I meant Honda.", "I drive a Honda."),
        ("I said Toyota but I meant Honda.", "I drive a Honda."),
        ("I meant Honda, not Toyota.", "I drive a Honda."),
        ("No wait, not Toyota. Honda.", "I drive a Honda."),
        ("Oh, not Toyota. Honda.", "I drive a Honda."),
        ("Not Toyota! Honda!", "I drive a Honda."),
    ],
)
def test_only_the_statement_that_holds_the_denied_value_is_changed(correction: str, right: str):
    wife = "My wife spells it Suzann."
    assert sorted(left(PARIS, TOYOTA, RENAULT, wife, correction)) == sorted([PARIS, right, RENAULT, wife])


@pytest.mark.parametrize(
    ("correction", "right"),
    [
        ("我说过小米吗？我是说华为。", "我弟弟在华为上班。"),
        ("我刚才说小米了？不对，我是说华为。", "我弟弟在华为上班。"),
        ("不对，不是小米。是华为。", "我弟弟在华为上班。"),
        ("不对，等等，不是小米，是华为。", "我弟弟在华为上班。"),
        ("哦不，不是小米，是华为。", "我弟弟在华为上班。"),
    ],
)
def test_only_the_statement_that_holds_the_denied_value_is_changed_in_chinese(correction: str, right: str):
    assert sorted(left(ME, BROTHER, CAR, correction)) == sorted([ME, right, CAR])


@pytest.mark.parametrize(
    "said",
    [
        "Did I say Tesla? I meant Honda.",
        "Did I say hello? I meant goodbye.",
        "It's nice in York, not Paris.",
        "It's not Paris, it's the weather.",
        "It's not Paris, it's nice in the weather of York.",
        "Sorry, the weather is nice in York, not Paris.",
        "Not Paris. Seriously.",
        "No wait, not Paris.",
        "It's not Paris, it's 12.",
        "Not on 12 May. Sorry.",
        "Sorry, Tom.",
        "Sorry, I meant the weather.",
    ],
)
def test_what_names_no_value_in_the_place_of_a_known_one_changes_nothing(said: str):
    assert {PARIS, RENAULT, TOYOTA} <= set(left(PARIS, TOYOTA, RENAULT, said))


@pytest.mark.parametrize(
    "said",
    [
        "不是苏州，是杭州的天气好。",
        "不是苏州，是天气不好。",
        "不是苏州，是三点。",
        "不对，杭州的天气更好。",
        "不是特斯拉，是本田。",
        "我说过苏州吗？我是说天气很好。",
        "不对，等等。",
        "他们不是苏州的，是杭州的朋友。",
    ],
)
def test_what_names_no_value_in_the_place_of_a_known_one_changes_nothing_in_chinese(said: str):
    assert {ME, BROTHER, CAR} <= set(left(BROTHER, CAR, ME, said))


@pytest.mark.parametrize(
    ("known", "correction"),
    [
        ([PARIS, "My brother works in Paris.", "I like tea."], "It's Lyon, not Paris."),
        ([PARIS, "My office is in Paris.", "I like tea."], "It's Lyon, not Paris."),
        ([PARIS, "I like tea."], "Sorry, I meant France."),
        (["My locker is number 512.", "I like tea."], "No wait, 521."),
        ([f"{PARIS} {RENAULT}"], "I meant Lyon."),
        (["我住在苏州。", "我妈在苏州上班。", "我喜欢喝茶。"], "不是苏州，是杭州。"),
        (["我家在三楼。", "我喜欢喝茶。"], "哦不对，是四楼。"),
    ],
    ids=["two people", "two matters", "not just said", "a number not just said", "two names", "zh", "zh not just said"],
)
def test_in_doubt_nothing_is_changed(known: list[str], correction: str):
    assert left(*known) == left(*known, correction)


def test_what_was_just_said_is_meant_before_what_somebody_else_said_of_the_same():
    assert left(PARIS, "My brother works in Paris.", "It's Lyon, not Paris.") == [PARIS, "My brother works in Lyon."]


def test_a_correction_is_itself_never_put_right():
    assert correct_value("我在小米上班。", "不是小米，是荣耀。") == "我在荣耀上班。"
    assert left("不对，等等，不是小米，是荣耀。", "不是荣耀，是华为。") == []


def test_words_of_taking_back_are_no_value():
    assert find_contrast("No wait, not York.") is None


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("My wife's name is Susan. Sorry, Suzanne.", "My wife's name is Suzanne."),
        ("My wife's name is Susan. No, it's Suzanne.", "My wife's name is Suzanne."),
        ("My birthday is on 12 May. Correction: 13 May.", "My birthday is on 13 May."),
        ("My birthday is on 12 May. Sorry, 13 June.", "My birthday is on 13 June."),
        ("I drive a Ford. Actually it's a Toyota.", "I drive a Toyota."),
        ("My train is at 8. No, 9.", "My train is at 9."),
        ("My train is at 8:15. Oops, 8:25.", "My train is at 8:25."),
        ("My dentist is on Monday. Sorry, Tuesday.", "My dentist is on Tuesday."),
        ("I live in Paris. No wait, Lyon.", "I live in Lyon."),
        ("I live in Paris. Sorry, Lyon.", "I live in Lyon."),
        ("I live in Paris, sorry, Lyon.", "I live in Lyon."),
        ("I live in Paris. Oops, New York.", "I live in New York."),
        ("I live in Paris. Sorry, it's Lyon.", "I live in Lyon."),
        ("I work at Acme. Sorry, Apex.", "I work at Apex."),
        ("I'm from Porto. Sorry, Lisbon.", "I'm from Lisbon."),
        ("My sister lives in Paris. Sorry, Lyon.", "My sister lives in Lyon."),
        ("I have two kids. Actually three.", "I have three kids."),
        ("My dog weighs 20 kg. Scratch that, 22 kg.", "My dog weighs 22 kg."),
        ("I take 5 mg of it. Actually 10 mg.", "I take 10 mg of it."),
        ("My rent is £900. No, £950.", "My rent is £950."),
        ("我周三开会。说错了，周四。", "我周四开会。"),
        ("我的火车是八点。不对，九点。", "我的火车是九点。"),
        ("我住在苏州。说错了，是杭州。", "我住在杭州。"),
        ("我住在苏州。哦不，杭州。", "我住在杭州。"),
        ("我住在巴黎，不对，里昂。", "我住在里昂。"),
        ("我住在巴黎，抱歉，是里昂。", "我住在里昂。"),
        ("我住在巴黎。不好意思，里昂。", "我住在里昂。"),
        ("我住在巴黎，哦不，里昂。", "我住在里昂。"),
        ("我住在巴黎，不是，里昂。", "我住在里昂。"),
        ("我生日是5月12号。更正：5月13号。", "我生日是5月13号。"),
    ],
)
def test_of_a_self_correction_the_second_half_is_kept(said: str, meant: str):
    (statement,) = read_statements(said)
    assert settle_slip(statement.text) == meant


@pytest.mark.parametrize(
    "said",
    [
        "He's a plumber. No, an electrician.",
        "My sister is a doctor. Sorry, a nurse.",
        "I live in Paris. Sorry, Brain.",
        "I was in Rome. Sorry, Tom.",
        "My wife's name is Susan. Sorry, Tom.",
        "My wife is Sarah. Actually she's Welsh.",
        "I work at Siemens. Actually it's German.",
        "I drive a Ford. Actually it's Tom's.",
        "I met Ann in Paris. I mean Sue.",
        "我叫王芳。哦不，王方。",
        "我的车是丰田。不对，本田。",
    ],
)
def test_what_is_not_plainly_of_one_kind_is_kept_together(said: str):
    (statement,) = read_statements(said)
    assert (statement.text, settle_slip(statement.text), statement.value) == (said, "", None)


@pytest.mark.parametrize(
    "said",
    [
        "I live in Leeds. No, thanks.",
        "I have two cats. No dogs.",
        "I have two kids. Actually three of my friends have none.",
        "I live in Leeds. Actually the weather is nice.",
        "I'm 40. Sorry, I have to go.",
        "My train is at 8. No, I like it early.",
        "I live in Paris. Sorry, Lyon is where my sister lives.",
        "I like Paris. Sorry, Lyon fans.",
        "I live in Paris. Sorry, I'm late.",
        "I live in Paris. Sorry, French is hard for me.",
        "我住在巴黎。抱歉，来晚了。",
        "我住在巴黎。不好意思，里昂是我妹妹住的地方。",
        "我喜欢巴黎。抱歉，里昂的球迷们。",
        "Is it at 8? No, 9.",
        "我住在苏州。不对，杭州的天气好。",
        "我四十岁。不，谢谢。",
        "我喜欢喝茶。不是我妈。",
    ],
)
def test_what_puts_nothing_right_stays_a_sentence_of_its_own(said: str):
    assert len(read_statements(said)) == 2


@pytest.mark.parametrize(
    "said",
    [
        "我住在巴黎，不是里昂。",
        "我住在苏州，不好意思，谢谢。",
        "我住在巴黎，不对，里昂的天气更好。",
        "Sorry, I'm late.",
    ],
)
def test_an_apology_or_a_denial_puts_no_other_place_right(said: str):
    assert [settle_slip(each.text) for each in read_statements(said)] == [""]
