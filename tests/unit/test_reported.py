"""What others say or believe of a person, and what a person denies having said, puts an end to nothing of theirs."""

import pytest

from language.exclusion import find_exclusion
from language.reported import asks_for_unreal, asserted_words, is_only_unreal
from language.statements import read_statements
from tests.unit.test_endings import ended

HOME, WORK = "I live in Ghent.", "I work at Siemens."
HOME_ZH, WORK_ZH = "我住在北京。", "我在华为上班。"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (HOME, "I never said that I live in Leeds."),
        (HOME, "I'm not saying I moved to Rome."),
        (HOME, "I never told you I live in Rome."),
        (HOME, "I don't remember telling you that I moved to Rome."),
        (HOME, "It's not true that I live in Rome."),
        (HOME, "It's a myth that I moved to Rome."),
        (HOME, "Stop telling people I live in Rome."),
        (HOME, "People think I live in Rome."),
        (HOME, "Everybody in the office is convinced I moved to Rome."),
        (HOME, "They keep saying I live in Rome."),
        (HOME, "My sister told everyone I moved to Rome."),
        (HOME, "Rumour has it that I moved to Rome."),
        (HOME, "According to Facebook I live in Rome."),
        (HOME, "My profile still says I live in Rome."),
        (HOME, "I live in Rome, or so my mother believes."),
        (HOME, "I moved to Rome, said Ben."),
        (WORK, "Nobody said I work at Bosch."),
        (WORK, "Everyone assumes I work at Bosch."),
        (WORK, "My mother thinks I quit Siemens."),
        (HOME_ZH, "我从没说过我住在上海。"),
        (HOME_ZH, "我可没说过我搬到上海。"),
        (HOME_ZH, "谁说我住在上海。"),
        (HOME_ZH, "别再说我住在上海。"),
        (HOME_ZH, "别人说我搬到上海了。"),
        (HOME_ZH, "我妈以为我住在上海。"),
        (HOME_ZH, "小李跟我说，我搬到上海了。"),
        (WORK_ZH, "大家都以为我在腾讯上班。"),
        (WORK_ZH, "没人说我在腾讯上班。"),
    ],
)
def test_what_others_say_or_the_person_denies_ends_nothing(older: str, newer: str):
    assert find_exclusion(older, newer) is None
    assert ended(older, newer) == []
    assert [each.value for each in read_statements(newer) if each.value] == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (HOME, "Ben: I moved to Oslo."),
        (HOME, "Sarah (my cousin): I moved to Oslo."),
        (HOME, "He said, quote, I moved to Berlin, unquote."),
        (HOME, "She goes, I moved to Rome last week."),
        (HOME, "My brother texted: I live in Rome now."),
        (HOME, 'He told me "I moved to Rome." and hung up.'),
        (WORK, "And he was like, I quit Siemens and moved to Rome."),
        (HOME_ZH, "小李：我搬到了上海。"),
        (HOME_ZH, "他说：我搬到上海了。"),
        (HOME_ZH, "她笑着说，我搬到上海了。"),
    ],
)
def test_the_words_of_others_end_nothing(older: str, newer: str):
    assert find_exclusion(older, newer) is None
    assert ended(older, newer) == []


@pytest.mark.parametrize(
    ("older", "newer", "over"),
    [
        (HOME, "Everyone thinks I live in Rome, but I moved to Oslo.", "Ghent"),
        (HOME, "I'm happy to say I moved to Oslo.", "Ghent"),
        (HOME, "That said, I moved to Oslo.", "Ghent"),
        (HOME, "Like I said, I live in Oslo now.", "Ghent"),
        (HOME, "I told my sister that I moved to Oslo.", "Ghent"),
        (HOME, "I haven't told my parents that I moved to Oslo.", "Ghent"),
        (HOME, "I was like, I moved to Oslo.", "Ghent"),
        (HOME, "Update: I moved to Oslo.", "Ghent"),
        (WORK, "I quit Siemens, as everybody says I should have.", "Siemens"),
        (WORK, "My boss says I work at Bosch now.", "Siemens"),
        (HOME_ZH, "大家都以为我在北京，其实我搬到上海了。", "北京"),
        (HOME_ZH, "老实说，我搬到上海了。", "北京"),
        (HOME_ZH, "跟你说一声，我搬到上海了。", "北京"),
        (HOME_ZH, "我搬到上海了，大家都知道。", "北京"),
    ],
)
def test_what_the_person_says_beside_it_ends_what_it_ends(older: str, newer: str, over: str):
    found = find_exclusion(older, newer)
    assert found is not None
    assert (found.grounds, found.old) == ("said", over)


def test_what_keeps_somebody_safe_is_read_whoever_says_it():
    (found,) = read_statements("Nobody believes I'm allergic to apples.")
    assert found.value is not None
    assert (found.value.predicate, found.value.text) == ("allergic_to", "apples")


def test_only_the_reported_clause_is_left_out():
    assert asserted_words("People think I live in Rome, but I moved to Oslo.") == "People think , but I moved to Oslo."


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (HOME, "In my dreams I live in Paris."),
        (HOME, "I moved to Paris, in my dreams."),
        (HOME, "If only I lived in Paris."),
        (HOME, "Wouldn't it be nice, I live in Paris and drink wine."),
        (HOME, "I moved to Paris, just kidding."),
        (HOME, "Yeah right, I moved to Paris."),
        (HOME, "I moved to Mars, obviously."),
        (HOME, "In the game I live in Whiterun."),
        (HOME, "I live in Paris, in another life."),
        ("I work as a teacher.", "I work as a spy, in my head."),
        ("I work as a teacher.", "I'm totally quitting my job and becoming a circus clown, obviously."),
        (HOME_ZH, "我要是住在上海就好了。"),
        (HOME_ZH, "要是搬到上海该多好。"),
        (HOME_ZH, "昨晚做梦，我搬到上海了。"),
        (HOME_ZH, "我住在上海，梦里的事。"),
        (HOME_ZH, "我搬到火星了，开个玩笑。"),
        (HOME_ZH, "我搬到火星了，骗你的。"),
        (HOME_ZH, "游戏里我住在上海。"),
        (WORK_ZH, "我巴不得在腾讯上班。"),
        ("我是老师。", "我是百万富翁，做梦的时候。"),
        ("我是老师。", "下辈子我是医生。"),
    ],
)
def test_a_wish_a_dream_or_a_joke_ends_nothing_and_answers_nothing(older: str, newer: str):
    assert find_exclusion(older, newer) is None
    assert ended(older, newer) == []
    assert [each.value for each in read_statements(newer) if each.is_memorable and each.value] == []
    assert is_only_unreal(newer)


@pytest.mark.parametrize(
    ("older", "newer", "over"),
    [
        (HOME, "I moved to Paris, obviously for work.", "Ghent"),
        (HOME, "I moved to Paris, I'm not kidding.", "Ghent"),
        (HOME_ZH, "我搬到上海了，没开玩笑。", "北京"),
        (HOME_ZH, "我终于搬到上海了，像做梦一样。", "北京"),
        (WORK, "I totally quit Siemens last month.", "Siemens"),
    ],
)
def test_what_is_meant_is_no_joke(older: str, newer: str, over: str):
    found = find_exclusion(older, newer)
    assert found is not None
    assert found.old == over
    assert not is_only_unreal(newer)


def test_only_who_asks_for_dreams_is_told_them():
    assert asks_for_unreal("What did I dream of?")
    assert not asks_for_unreal("我住在哪里？")
    assert not is_only_unreal("In my dreams I live in Paris. I live in Ghent.")
