"""Which of two statements cannot both hold, on which grounds, and which words of the older one are over."""

import pytest

from language.corrections import correct_value, is_bare_correction
from language.exclusion import find_exclusion
from language.kinds import Grounds
from language.self_corrections import settle_slip


@pytest.mark.parametrize(
    ("older", "newer", "grounds", "over", "instead"),
    [
        ("I live in Paris.", "I live in Ghent.", "excluded", "Paris", "Ghent"),
        ("I live in Paris.", "I moved to Ghent.", "said", "Paris", "Ghent"),
        ("我住在杭州", "上个月搬到苏州了，跟你说一声", "said", "杭州", "苏州"),
        ("我住在北京。", "其实我搬到上海了，不住在北京。", "said", "北京", "上海"),
        ("My dentist is Doctor Okafor.", "My dentist is Doctor Chen now.", "said", "Doctor Okafor", "Doctor Chen"),
        ("I play squash on Mondays.", "I gave up squash last month.", "said", "squash", ""),
        ("我一天一包烟", "烟总算戒了，三个月没碰", "said", "烟", ""),
        ("I live in Ghent with my husband Peter and work as a nurse.", "I moved to Lyon.", "said", "Ghent", "Lyon"),
        ("I work at Acme.", "It's Apex, not Acme.", "said", "Acme", "Apex"),
    ],
)
def test_values_and_words_tell_what_is_over(older: str, newer: str, grounds: Grounds, over: str, instead: str):
    found = find_exclusion(older, newer)
    assert found is not None
    assert (found.grounds, found.old, found.new) == (grounds, over, instead)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I must not drink alcohol because of my medication.", "I drink a lot of water."),
        ("I have worked at Acme since 2019.", "I always take the 8:25 train."),
        ("I have a meeting on Monday.", "I have a meeting on Thursday."),
        ("I don't eat pork.", "I don't eat nuts."),
        ("I met Ann in Lyon.", "I met Ann in Paris."),
        ("I donated blood in March.", "I gave blood in July."),
        ("We visited Oslo in 2019.", "We visited Bergen in 2021."),
        ("我三月献了血。", "我七月献过一次血。"),
        ("My laptop is a ThinkPad.", "My laptop screen's got a crack across it."),
        ("I live in Bristol.", "I want to move to Lyon one day."),
        ("I smoke ten a day.", "Would it help if I quit smoking?"),
        ("我喜欢喝茶", "我也喜欢喝咖啡"),
        ("我在学西班牙语", "我打算学日语"),
    ],
)
def test_what_both_hold_excludes_nothing(older: str, newer: str):
    assert find_exclusion(older, newer) is None


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("My hat size is 58.", "My shoe size is 43."),
        ("My shoe size is 43.", "My shirt size is 15 now."),
        ("My locker number is 12.", "My room number is 14."),
        ("My bus leaves at 8.", "My train leaves at 9."),
        ("My French class is on Monday.", "My yoga class is on Tuesday."),
        ("My rent is 900.", "My salary is 3000."),
        ("我的帽子号是58。", "我的鞋号是43。"),
        ("我的英语课在周三。", "我的法语课在周五。"),
    ],
)
def test_values_of_two_matters_both_hold(older: str, newer: str):
    assert find_exclusion(older, newer) is None


@pytest.mark.parametrize(
    "newer",
    [
        "Leeds weather is lovely now.",
        "It's not raining in Leeds any more.",
        "The sun is out in Leeds again.",
        "Leeds is cold and I'm not going out today.",
        "Leeds United have a new coach now.",
    ],
)
def test_news_of_the_place_where_somebody_lives_leaves_them_there(newer: str):
    assert find_exclusion("I live in Leeds.", newer) is None


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("My shoe size is 43.", "My shoe size is 44."),
        ("My shoe size is 43.", "I take a size 44 now."),
        ("My bus leaves at 8.", "My bus leaves at 9."),
        ("My rent is 900.", "The landlord put my rent up to 950."),
        ("My knee surgery is on 12 September.", "The hospital moved my knee operation to 3 October."),
        ("My flight to Toronto is on the 9th of April.", "My Toronto flight leaves on the 11th of April now."),
        ("I live in Leeds.", "I left Leeds."),
        ("我的鞋号是43。", "我的鞋号是44。"),
        ("我的英语课在周三。", "我的英语课改到周五了。"),
    ],
)
def test_another_value_of_the_same_matter_excludes_the_first(older: str, newer: str):
    assert find_exclusion(older, newer) is not None


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I'm allergic to penicillin.", "I'm not allergic to penicillin."),
        ("I'm allergic to penicillin.", "I don't have a penicillin allergy."),
        (
            "I'm allergic to penicillin.",
            "The doctor did a test and it turns out I'm not allergic to penicillin after all.",
        ),
        ("I'm allergic to penicillin.", "My doctor says I'm not allergic to penicillin."),
        ("我对青霉素过敏。", "医生做了测试，原来我对青霉素不过敏。"),
        ("我对青霉素过敏。", "检查结果出来了，我并不对青霉素过敏。"),
        ("我青霉素过敏。", "其实我青霉素不过敏。"),
    ],
)
def test_an_allergy_and_its_denial_exclude_each_other(older: str, newer: str):
    found = find_exclusion(older, newer)
    assert found is not None
    assert (found.grounds, found.correction) == ("excluded", False)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I'm allergic to penicillin.", "I'm not allergic to peanuts."),
        ("I'm allergic to nuts.", "I'm not allergic to peanuts."),
        ("I'm allergic to nuts.", "I never said I'm not allergic to nuts."),
        ("I'm allergic to nuts.", "My mum thinks I'm not allergic to nuts."),
        ("I'm allergic to nuts.", "If I'm not allergic to nuts, I'll celebrate."),
        ("我对青霉素过敏。", "我对花生不过敏。"),
        ("我对虾过敏。", "我妈以为我对虾不过敏。"),
    ],
)
def test_an_allergy_stands_beside_the_denial_of_another(older: str, newer: str):
    assert find_exclusion(older, newer) is None


def test_of_several_allergies_the_one_is_named_that_is_denied():
    found = find_exclusion("I'm allergic to nuts and shellfish.", "I don't have a shellfish allergy.")
    assert found is not None
    assert found.old == "shellfish"


def test_a_thing_that_only_goes_by_the_name_of_what_is_over_is_never_said_to_be_over():
    found = find_exclusion("My squash racket is from Ann.", "I gave up squash.")
    assert found is None or found.grounds == "likely"


@pytest.mark.parametrize(
    ("statement", "correction", "right"),
    [
        ("Dinner with Sam is at eight.", "sorry, at nine, not at eight", "Dinner with Sam is at nine."),
        ("The meeting is at eight.", "Sorry, nine.", "The meeting is at nine."),
        ("I live at number 42.", "typo earlier, I'm at 24, not 42", "I live at number 24."),
        (
            "我住在杭州，生日是六月八号。",
            "说错了，我生日不是六月八号，是六月十八号。",
            "我住在杭州，生日是六月十八号。",
        ),
        ("I have worked at Acme since 2019.", "I always take the 8:25 train.", ""),
        ("I have worked at Acme since 2019.", "Sorry, my train is at 8:25.", ""),
        ("The shop opens at nine and closes at six.", "No wait, eight.", ""),
    ],
)
def test_a_correction_exchanges_the_value_that_it_can_only_mean(statement: str, correction: str, right: str):
    assert correct_value(statement, correction) == right


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Doors open at eight, sorry, nine, at the town hall.", "Doors open at nine, at the town hall."),
        ("复查是11月9号…打错了，是19号", "复查是11月19号"),
        ("我闺女九月一号哎不是九月五号报到", "我闺女九月五号报到"),
        ("I'm sorry, my train is at 8:25.", ""),
    ],
)
def test_a_slip_within_one_sentence_leaves_what_was_meant(said: str, meant: str):
    assert settle_slip(said) == meant


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("No wait, 521.", True),
        ("不是周三，是周四。", True),
        ("Actually I moved to Lyon, not Paris.", False),
        ("Nine.", False),
    ],
)
def test_a_correction_is_bare_where_it_says_nothing_by_itself(text: str, bare: bool):
    assert is_bare_correction(text) is bare
