"""Words that look like a request to memory and are said of something else: what stands in memory stays as it is."""

import pytest

from language.requests import find_request
from tests.unit.test_change_memory import Talk


@pytest.mark.parametrize(
    "text",
    [
        "Let's drop the subject.",
        "Can we drop this topic?",
        "Let's change the subject.",
        "Lose the attitude.",
        "Cut that out!",
        "Cut it out.",
        "Drop it.",
        "Oh just drop it already.",
        "Let it go.",
        "Leave it at that.",
        "Give it a rest.",
        "Kill it.",
        "Toss it.",
        "Dump him.",
        "别提了。",
        "不说这个了。",
        "换个话题吧。",
        "算了，不要了。",
        "扔了吧。",
        "拿走吧。",
    ],
)
def test_an_idiom_about_the_talk_takes_nothing_away(text: str):
    found = find_request(text)
    assert found is None


@pytest.mark.parametrize(
    "text", ["Remove it.", "Delete that.", "Scrap that.", "Erase it, please.", "Get rid of it.", "删了吧", "忘了它。"]
)
def test_words_that_mean_nothing_but_memory_may_point(text: str):
    found = find_request(text)
    assert found is not None
    assert (found.act, found.points, found.is_addressed) == ("forget", True, True)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("text", ["Let's drop the subject.", "Cut that out!", "Drop it.", "不要了。"])
async def test_what_was_said_before_an_idiom_stays(text: str):
    talk = Talk()
    await talk.say("My boss is called Erik.", text)
    assert "My boss is called Erik." in await talk.indexed()


@pytest.mark.usefixtures("memory")
async def test_what_may_be_meant_of_memory_is_asked_about():
    talk = Talk()
    asked = await talk.say("My boss is called Erik.", "Drop that, please.")
    assert asked == "Which one shall I forget?\n1. “My boss is called Erik”"
    assert "My boss is called Erik." in await talk.indexed()
    assert "I have forgotten" in await talk.say("yes")


@pytest.mark.parametrize(
    "text",
    [
        "Undo.",
        "undo, please",
        "Undo the last change, please.",
        "Undo that, I didn't mean it.",
        "Please undo what you just did.",
        "I want you to undo that.",
        "No wait, undo!",
        "Revert that.",
        "Could you bring that back?",
        "Oh no, give it back!",
        "Can you restore that?",
        "I didn't mean to delete that, restore it please.",
        "撤销刚才的删除",
        "恢复刚才删的",
        "请恢复一下",
        "把它找回来",
        "删错了，恢复一下",
        "不对，撤回刚才的删除",
    ],
)
def test_an_order_to_undo_is_one(text: str):
    found = find_request(text)
    assert found is not None
    assert (found.act, found.about) == ("undo", "")


@pytest.mark.parametrize(
    "text",
    [
        "Undo button would be nice.",
        "Undo your seatbelt, the pilot said.",
        "Undo buttons are useful",
        "Undo your belt.",
        "Undo means ctrl+z.",
        "Revert commits are annoying.",
        "I borrowed a drill and have to give it back.",
        "I need to put it back.",
        "She wants to get it back.",
        "We bought an old boat to restore it.",
        "I restore this kind of furniture.",
        "I deleted the wrong file.",
        "钱包找回来了。",
        "我把伞拿回来了",
        "我把文件删错了",
        "订单取消删除不了",
        "我要把书拿回来",
        "恢复训练了",
        "我已经恢复了",
        "判决被撤销了",
    ],
)
def test_talk_of_undoing_and_bringing_back_is_no_order(text: str):
    found = find_request(text)
    assert found is None or (found.act == "undo" and found.about)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("said", "asked", "talk_of_it"),
    [
        ("I like jazz.", "Forget that I like jazz.", "Undo button would be nice."),
        ("I like jazz.", "Forget that I like jazz.", "I borrowed a record and have to give it back."),
        ("我喜欢爵士乐。", "忘掉我喜欢爵士乐。", "钱包找回来了。"),
    ],
)
async def test_what_was_forgotten_stays_forgotten(said: str, asked: str, talk_of_it: str):
    talk = Talk()
    await talk.say(said, asked, talk_of_it)
    assert said not in await talk.indexed()


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("said", "asked", "taken_back", "reply"),
    [
        (
            ("I like tea.", "My sister Nora is a nurse.", "My sister Orla paints.", "Forget that I like tea."),
            "forget my sister",
            "Put it back.",
            "nothing was forgotten",
        ),
        (
            ("我喜欢喝茶。", "我有一辆红色的自行车。", "我有一辆山地自行车。", "忘掉我喜欢喝茶。"),
            "忘掉我的自行车。",
            "撤销。",
            "什么都没有忘掉",
        ),
    ],
)
async def test_taking_back_a_request_that_is_not_carried_out_yet_changes_nothing(
    said: tuple[str, ...], asked: str, taken_back: str, reply: str
):
    talk = Talk()
    await talk.say(*said, asked)
    before = await talk.indexed()
    assert reply in await talk.say(taken_back)
    assert [each for each in await talk.indexed() if each != taken_back] == before
    assert said[0].rstrip(".。") in await talk.say(taken_back)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("said", "correction", "right"),
    [
        ("My car is red.", "Scratch that, it's blue.", "My car is blue."),
        ("My car is red.", "Scratch that. It's blue.", "My car is blue."),
        ("The choir meets on Monday.", "No wait, forget that, it's on Tuesday.", "The choir meets on Tuesday."),
        ("My locker is number 44.", "Delete that, I meant 45.", "My locker is number 45."),
        ("我的车是红色的。", "删掉，是蓝色的。", "我的车是蓝色的。"),
        ("合唱团周一排练。", "忘了吧，是周二。", "合唱团周二排练。"),
    ],
)
async def test_what_is_taken_back_and_said_anew_is_corrected(said: str, correction: str, right: str):
    talk = Talk()
    assert right.rstrip(".。") in await talk.say(said, correction)
    assert [each.content for each in await talk.living()] == [right]


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("said", "correction"),
    [
        ("I have a cat called Rex.", "Delete that, I meant a dog."),
        ("My car is old.", "Scratch that, it's blue."),
        ("My boss is called Erik.", "Scratch that, he's Belgian."),
        ("My car is red. My bike is green.", "Scratch that, it's blue."),
        ("I like jazz.", "Forget that, my sister lives in York."),
        ("My flat is on the third floor.", "Delete that, it's wrong, it's a house."),
        ("我养了一只猫。", "把刚才那句删了，我说的是狗。"),
    ],
)
async def test_what_cannot_be_corrected_for_certain_stays_beside_what_is_said_now(said: str, correction: str):
    talk = Talk()
    await talk.say(said, correction)
    assert await talk.indexed() == [said, correction]


@pytest.mark.usefixtures("memory")
async def test_what_may_be_a_reason_or_a_correction_is_asked_about():
    talk = Talk()
    assert (await talk.say("I am engaged to Piet.", "Forget that, we broke up.")).startswith(
        "Which one shall I forget?"
    )
    assert "I am engaged to Piet." in await talk.indexed()


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("asked", ["Delete that, it's private.", "Erase that, I was joking.", "删掉吧，这是隐私。"])
async def test_a_reason_to_forget_is_no_correction(asked: str):
    talk = Talk()
    await talk.say("I like tea.", "I owe my brother 200 euros.", asked)
    assert await talk.indexed() == ["I like tea."]


@pytest.mark.parametrize("text", ["Forget it, I was wrong.", "Forget it, it's blue."])
def test_an_idiom_before_a_clause_takes_nothing_back(text: str):
    assert find_request(text) is None
