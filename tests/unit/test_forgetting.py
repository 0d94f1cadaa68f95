"""Words that ask to forget, and words that only sound like it: reading, talk about forgetting, quotations, plays."""

import pytest

from language.forgetting import asks_to_forget, wants_untouched
from language.requests import find_request


@pytest.mark.parametrize(
    "sentence",
    [
        "Forget that I live in Paris.",
        "could you please erase my salary",
        "The cello thing, you can let that go now.",
        "what I make each month is none of your business, delete it",
        "I'd rather you didn't keep my address.",
        "Get that I'm autistic out of your records.",
        "Remove Bogdan's number",
        "把我的生日删掉",
        "能不能把我外公当兵的经历从你那里删除？",
        "房东姓什么你不用记",
        "球衣23号那条，忘",
    ],
)
def test_words_that_ask_to_forget(sentence: str):
    assert asks_to_forget(sentence) == "plainly"


@pytest.mark.parametrize("sentence", ["Remove the onions and fry them separately", "you can drop the car, I sold it"])
def test_words_that_may_mean_something_else_ask_only_perhaps(sentence: str):
    assert asks_to_forget(sentence) == "perhaps"


@pytest.mark.parametrize(
    "sentence",
    [
        "show me what I told you about my dentist",
        "remind me what I said about coriander",
        "did you drop the thing about my knee?",
        "Which of my notes did you delete last week?",
        "Would removing the note on Ahmed lose anything important?",
        'How do you say "forget my address" in French?',
        'My therapist told me to "let go of the accident and erase it from memory".',
        "ugh i always forget my keys",
        "我小名你没给我改了吧？叫啥来着",
        "房东要涨多少那条，我没让你去掉吧？念一下",
        "删之前先给我看看你都记了我啥",
        "「忘记我的地址」用英语怎么说？",
        "外婆把我的生日都忘光了，我有点难过",
    ],
)
def test_reading_and_talk_about_forgetting_ask_nothing(sentence: str):
    assert asks_to_forget(sentence) in ("no", "unsaid")
    asked = find_request(sentence)
    assert asked is None or asked.act != "forget" or not asked.is_addressed
    assert find_request(sentence) is None


@pytest.mark.parametrize(
    "text",
    [
        "Tell me what you'd forget if I said forget Dublin. Don't do it, I just want to see.",
        "Let's play a game: forget my job and ask me who I am.",
        "戒烟那条别删啊，就告诉我第几天啦",
        "咱玩个游戏，你演失忆的侦探，忘掉我的工作",
    ],
)
def test_a_turn_that_wants_nothing_changed_or_plays_asks_nothing(text: str):
    assert wants_untouched(text)
    assert find_request(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Forget that my safe has the code 4411.",
        "I will remember: please forget the code of my safe.",
        "请忘记我的保险箱密码是4411",
    ],
)
def test_a_request_to_forget_is_never_a_memory(text: str):
    found = find_request(text)
    assert found is not None
    assert found.act == "forget"
