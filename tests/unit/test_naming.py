"""A memory is meant only if it holds every value that a request names."""

import pytest

from language.naming import compare_named, read_named
from language.people import SPEAKER, find_person
from language.requests import find_request


def holds(request: str, memory: str) -> bool:
    found = find_request(request)
    assert found is not None
    assert found.sentence is not None
    named = read_named(found.about, found.sentence.text)
    return compare_named(named, memory, find_person(memory) or SPEAKER, {}).is_whole


@pytest.mark.parametrize(
    ("request_", "memory"),
    [
        ("Forget that I live in Ghent.", "I live in Ghent."),
        ("delete my address", "I live on Canal Street in Ghent."),
        ("forget my pet", "I have a dog called Rex."),
        ("Delete my allergy to bee stings.", "I'm allergic to bee stings."),
        ("erase Pete, we broke up", "I'm seeing a guy called Pete."),
        ("把我的猫忘了吧", "我养了一只猫叫团子。"),
        ("手机号删了吧", "我的手机号是13800138000。"),
        ("摩卡的那条删掉吧，看到就难受", "我的猫去世了，叫摩卡"),
    ],
)
def test_what_holds_all_that_is_named_is_meant(request_: str, memory: str):
    assert holds(request_, memory)


@pytest.mark.parametrize(
    ("request_", "memory"),
    [
        ("Forget that I live in Paris.", "I live in Ghent."),
        ("forget that I'm allergic to penicillin", "I'm allergic to nuts."),
        ("take out the thing about Dr. Okonkwo", "Dr. Lindqvist did my hip in 2019."),
        ("Forget my room number, 318.", "I'm in room 207 at the Premier Inn."),
        ("forget my cat", "I have a dog called Rex."),
        ("Forget I'm a nurse.", "My sister is a nurse in Naas."),
        ("forget that I drive", "I don't drive."),
        ("can you delete where i said i've got two kids", "I've got three kids, all boys."),
        ("Actually, delete my sister Nora's number", "My sister Orla's number is 12."),
        ("我会开车那条不作数，忘了", "我不会开车"),
        ("把我住在成都这条忘了吧", "我住在杭州滨江，租的两室一厅"),
        ("车牌尾号28那条，删掉", "我的车牌尾号是73"),
        ("陈医生说的那些话都删了吧", "刘医生让我三个月复查一次甲状腺"),
    ],
)
def test_a_value_that_a_memory_does_not_hold_is_a_veto(request_: str, memory: str):
    assert not holds(request_, memory)


@pytest.mark.parametrize(
    ("request_", "memory"),
    [
        ("忘掉我女朋友的事", "My girlfriend likes jazz."),
        ("忘掉我女朋友的事", "我 girlfriend 对花生过敏。"),
        ("忘掉我老婆的事", "My wife is a nurse."),
        ("Forget my girlfriend", "我女朋友叫小雨。"),
        ("Forget my mum", "My mother likes jazz."),
        ("忘掉我妈的事", "My mum is called Ann."),
    ],
)
def test_a_relative_is_meant_by_another_word_and_in_another_language(request_: str, memory: str):
    assert holds(request_, memory)


@pytest.mark.parametrize(
    ("request_", "memory"),
    [
        ("忘掉我女朋友的事", "My ex-girlfriend likes jazz."),
        ("忘掉我女友的事", "我前女友叫小雪。"),
        ("忘掉我女朋友的事", "My boyfriend likes jazz."),
        ("忘掉我女朋友的事", "My sister likes jazz."),
        ("Forget my wife", "我前妻叫小雪。"),
        ("Forget my girlfriend", "我女儿叫小雨。"),
        ("忘掉我女朋友叫小雨", "My girlfriend likes jazz."),
    ],
)
def test_another_relative_or_a_former_one_is_not_meant(request_: str, memory: str):
    assert not holds(request_, memory)
