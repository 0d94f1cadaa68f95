"""What a message does, in both languages, with and without its mark."""

import pytest

from language.acts import Act, act_of, asks_about_replies, asks_for_own_taste, is_only_question
from language.requests import find_request
from language.statements import read_statements


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("What do you know about me?", "about_user"),
        ("Tell me what you remember about me", "about_user"),
        ("你知道我什么？", "about_user"),
        ("你还记得什么？", "about_user"),
        ("关于我你都知道些什么？", "about_user"),
        ("你都知道我啥", "about_user"),
        ("Show me everything you've saved about me", "about_user"),
        ("What have you got on me?", "about_user"),
        ("What have you stored on me so far?", "about_user"),
        ("List my memories", "about_user"),
        ("Can you show me my memories?", "about_user"),
        ("Give me a list of all the memories you have", "about_user"),
        ("What's in your memory?", "about_user"),
        ("把你记的关于我的都列出来", "about_user"),
        ("列一下你记的关于我的东西", "about_user"),
        ("列出我的所有记忆", "about_user"),
        ("把我的记忆都列出来吧", "about_user"),
        ("你存了我的哪些信息？", "about_user"),
        ("Show me everything you've got on Lyon", "question"),
        ("What have you got on Lyon?", "question"),
        ("List my options", "statement"),
        ("List memories of the war in the book", "statement"),
        ("Show me my memories of Paris", "statement"),
        ("You saved my life", "statement"),
        ("My memory is bad", "statement"),
        ("把你记的关于里昂的都列出来", "question"),
        ("列出我的选择", "statement"),
        ("列一下书里关于战争的回忆", "statement"),
        ("我的记忆很差", "statement"),
        ("What do I know about wine?", "question"),
        ("你知道我住在哪里吗", "question"),
        ("Do you remember my cat?", "question"),
        ("我现在住哪", "question"),
        ("who is my boss", "question"),
        ("summarise our chat", "summary"),
        ("我们刚才聊了些什么", "summary"),
        ("OK thanks", "thanks"),
        ("Hi Brain", "greeting"),
        ("When I was young I lived in Rome.", "statement"),
        ("What a day", "statement"),
        ("Have a nice day", "statement"),
        ("我没什么事", "statement"),
        ("我几乎每天跑步", "statement"),
        ("I quit my job at Siemens.", "statement"),
    ],
)
def test_a_message_is_taken_for_what_it_does(text: str, act: Act):
    assert act_of(text) == act


@pytest.mark.parametrize("text", ["What do I drink?", "So, what do I drink", "我现在住哪", "你记得我的生日吗？"])
def test_a_bare_question_only_asks(text: str):
    assert is_only_question(text)


@pytest.mark.parametrize(
    "text", ["Rex died, remember?", "My landlord raises the rent, is that legal?", "I like tea.", "Ha!"]
)
def test_what_tells_something_beside_its_question_does_not_only_ask(text: str):
    assert not is_only_question(text)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("what did you recommend for my knee", True),
        ("your advice about the roof?", True),
        ("What did I ask you yesterday?", True),
        ("你上次推荐的书叫什么", True),
        ("你的建议是什么", True),
        ("我上次问你的那个食谱", True),
        ("What helps my knee?", False),
        ("Do you remember my cat?", False),
        ("你还记得我的生日吗", False),
    ],
)
def test_questions_about_what_was_answered_are_told_from_others(text: str, about: bool):
    assert asks_about_replies(text) is about


@pytest.mark.parametrize(
    "text",
    [
        "show me what I told you about my dentist",
        "remind me what I said about coriander",
        "List everything you know about my diet.",
        "give me everything I've told you about Rex",
        "给我看看我之前说过的牙医",
        "把我跟你说过的过敏列一下",
        "找一下我给你说的地址",
    ],
)
def test_who_wants_to_be_shown_what_they_told_asks(text: str):
    assert act_of(text) == "question"
    assert is_only_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "remind me to call my mum, I told you about her",
        "give me a recipe for soup",
        "tell my boss I said hi",
        "我跟你说过我不吃辣",
        "帮我看一下我的作文",
    ],
)
def test_what_only_sounds_like_it_does_not(text: str):
    assert act_of(text) == "statement"


@pytest.mark.parametrize(
    "text",
    ["List my memories", "Show me everything you've got on Lyon", "列一下你记的关于我的东西", "列出我的所有记忆"],
)
def test_who_asks_to_see_what_is_remembered_tells_and_changes_nothing(text: str):
    assert find_request(text) is None
    assert not any(each.is_memorable for each in read_statements(text))


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("What do I like?", True),
        ("What food do I hate?", True),
        ("Do I like tea?", True),
        ("What are my favourite films?", True),
        ("我喜欢什么？", True),
        ("我最爱吃什么", True),
        ("我的爱好是什么", True),
        ("What does my sister like?", False),
        ("Do I like my sister's cooking?", False),
        ("Do I like Tom?", False),
        ("Where do I live?", False),
        ("我妹妹喜欢什么？", False),
        ("我喜欢我妹妹吗？", False),
        ("我住在哪？", False),
    ],
)
def test_a_question_may_be_what_the_one_who_asks_likes(text: str, own: bool):
    assert asks_for_own_taste(text) == own
