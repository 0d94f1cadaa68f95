"""Names for pronouns, dates for relative times: by rules, by a model where rules do not know, at last with an alarm."""

from typing import Any

import pytest
from structlog.testing import capture_logs

from brain.models.errors import ModelUnavailable
from evolution.absolutization.absolutize import Reworded, Rewordings, absolutize, keeps_meaning, needs_another_round
from evolution.absolutization.coreference import Transcript
from evolution.absolutization.rules import absolutize_by_rules
from evolution.state import EvolutionState, ExtractionCandidate, TurnRecord
from tests.fakes import FakeModel, Leanings
from tests.unit.analysis_builders import a_candidate, a_said, an_evolving, turns


def cleared(said: list[TurnRecord], content: str, **values: Any) -> Any:
    """The content as rules leave it, proven by the whole of the last turn."""
    last = said[-1]
    candidate = a_candidate(content, event_id=last["event_id"], start=len(last["text"]), **values)
    return absolutize_by_rules([candidate], Transcript(turns=said))[0]


@pytest.mark.parametrize(
    ("said", "content", "clear"),
    [
        (["I like tea."], "I like tea.", "The user likes tea."),
        (["I don't eat meat"], "I don't eat meat.", "The user doesn't eat meat."),
        (["I've been ill"], "I've seen Lyon with my wife.", "The user has seen Lyon with the user's wife."),
        (["Last week I moved."], "The user moved last week.", "The user moved in the week of 2024-04-29."),
        (["I moved."], "Last year the user moved.", "In 2023 the user moved."),
        (["I moved."], "The user moved yesterday.", "The user moved on 2024-05-07."),
        (["I run."], "The user recently started running.", "The user around 2024-05 started running."),
        (["My sister Emma called.", "She lives in Lyon."], "She lives in Lyon.", "Emma lives in Lyon."),
        (["My boss Carla left.", "I see her."], "Emma met her on Friday.", "Emma met Carla on 2024-05-03."),
        (["My dad is ill.", "He is 80."], "He is 80.", "The user's dad is 80."),
        (["We went to Lyon. My aunt works there."], "The user's aunt works there.", "The user's aunt works in Lyon."),
        (["我昨天买了一辆车"], "用户昨天买了一辆车", "用户2024年5月7日买了一辆车"),
        (["下个月我去东京出差"], "用户下个月去东京出差", "用户2024年6月去东京出差"),
        (["我最近开始跑步"], "用户最近开始跑步", "用户2024年5月前后开始跑步"),
        (["我妈妈来了", "她喜欢喝茶"], "她喜欢喝茶", "用户的妈妈喜欢喝茶"),
        (["我妹妹小雨来了", "她住在里昂"], "她住在里昂", "小雨住在里昂"),
        (["我在巴黎读过书，我喜欢那里"], "我喜欢那里", "用户喜欢巴黎"),
    ],
)  # fmt: skip
def test_rules_put_in_what_can_only_be_meant(said: list[str], content: str, clear: str) -> None:
    candidate = cleared(turns(*said), content)
    assert (candidate["content"], candidate["unresolved"]) == (clear, [])


@pytest.mark.parametrize(
    ("said", "content", "words"),
    [
        (["She lives in Lyon."], "She lives in Lyon.", ["She"]),
        (["My sister Emma met Bob Miller.", "She lives in Lyon."], "She lives in Lyon.", ["She"]),
        (["My aunt called, and my mom too.", "She is ill."], "She is ill.", ["She"]),
        (["My brother Tom called.", "She is ill."], "She is ill.", ["She"]),
        (["I went from Lyon to Paris. I love it there."], "The user has friends there.", ["there"]),
        (["We love it"], "We love tea.", ["We"]),
        (["我妈妈和我妹妹来了", "她喜欢喝茶"], "她喜欢喝茶", ["她"]),
        (["我住在这里"], "用户住在这里", ["这里"]),
    ],
)
def test_rules_do_not_guess(said: list[str], content: str, words: list[str]) -> None:
    candidate = cleared(turns(*said), content)
    assert (candidate["content"], candidate["unresolved"]) == (content, words)


def test_times_are_counted_from_the_turn_that_was_said_in_its_own_zone() -> None:
    late = a_said("I moved.", at="2024-05-08T23:30:00+00:00", time_zone="Asia/Shanghai")
    assert cleared([late], "The user moved yesterday.")["content"] == "The user moved on 2024-05-08."


def test_subject_and_object_are_put_in_names_as_well() -> None:
    said = turns("My sister Emma called.", "She starts next month.")
    candidate = cleared(said, "She starts next month.", subject="she", object="next month")
    assert (candidate["subject"], candidate["object"], candidate["unresolved"]) == ("Emma", "in 2024-06", [])


def test_in_a_group_the_first_person_is_its_speaker() -> None:
    assert cleared(turns("I like tea.", speaker="Ann"), "I like tea.")["content"] == "Ann likes tea."
    assert cleared(turns("我喜欢茶", speaker="小王"), "我喜欢茶")["content"] == "小王喜欢茶"


ASKED = turns("My friend Emma and my aunt came. She lives in Lyon.")
UNCLEAR = a_candidate("She lives in Lyon.", subject="Emma", start=33, end=50, unresolved=["She"])
CLEAR: ExtractionCandidate = {**UNCLEAR, "content": "Emma lives in Lyon.", "unresolved": []}


def a_state(rounds: int = 0, **values: Any) -> EvolutionState:
    given: dict[str, Any] = {"session_id": "session", "said": ASKED, "candidates": [UNCLEAR], "rounds": rounds}
    return EvolutionState(**(given | values))


def told(content: str, thing: str = "Lyon", number: int = 1) -> Rewordings:
    return Rewordings(memories=[Reworded(reasoning="Turn 1.", number=number, content=content, object=thing)])


async def test_clear_candidates_pass_without_a_model() -> None:
    model = FakeModel()
    clear = a_candidate()
    update = await absolutize(a_state(candidates=[clear]), an_evolving(Leanings(fast=model)))
    assert update == {"candidates": [clear], "rounds": 2, "degraded": []}
    assert model.asked == []


async def test_what_rules_leave_unclear_is_put_to_the_model() -> None:
    model = FakeModel(forms=[told("Emma lives in Lyon.")])
    update = await absolutize(a_state(), an_evolving(Leanings(fast=model)))
    assert update == {"candidates": [CLEAR], "rounds": 2, "degraded": []}


async def test_an_answer_that_is_still_unclear_earns_one_more_round_and_no_alarm_yet() -> None:
    model = FakeModel(forms=[told("She lives there.")])
    with capture_logs() as logs:
        update = await absolutize(a_state(), an_evolving(Leanings(fast=model)))
    assert update == {"candidates": [UNCLEAR], "rounds": 1}
    assert logs == []
    assert needs_another_round(a_state(1)) == "absolutize"


async def test_after_the_second_round_it_is_written_as_it_is_with_an_alarm() -> None:
    model = FakeModel(forms=[told("She lives there.")])
    with capture_logs() as logs:
        update = await absolutize(a_state(1), an_evolving(Leanings(fast=model)))
    assert update == {"candidates": [UNCLEAR], "rounds": 2, "degraded": ["absolutization_degraded"]}
    assert logs == [{"event": "absolutization_degraded", "log_level": "warning", "memories": 1, "words": 1}]
    assert needs_another_round(a_state(2)) == "normalize"


async def test_without_a_model_the_alarm_comes_at_once() -> None:
    with capture_logs() as logs:
        update = await absolutize(a_state(), an_evolving())
    assert update == {"candidates": [UNCLEAR], "rounds": 2, "degraded": ["absolutization_degraded"]}
    assert [each["event"] for each in logs] == ["absolutization_degraded"]


async def test_a_model_that_fails_is_named_beside_the_alarm() -> None:
    model = FakeModel(forms=[ModelUnavailable("model_timeout")])
    update = await absolutize(a_state(), an_evolving(Leanings(fast=model)))
    assert update["degraded"] == ["absolutization_model_timeout", "absolutization_degraded"]
    assert update["candidates"] == [UNCLEAR]


async def test_an_entry_for_a_number_that_nobody_asked_about_changes_nothing() -> None:
    model = FakeModel(forms=[told("Emma lives in Lyon.", number=5)])
    update = await absolutize(a_state(1), an_evolving(Leanings(fast=model)))
    assert update["candidates"] == [UNCLEAR]


HEARD = "user: My friend Emma has 2 cats in Lyon since last week\nBob: ok"


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        ("She has 2 cats.", "Emma has 2 cats.", True),
        ("She has 2 cats.", "Emma has cats.", False),
        ("She has 2 cats.", "Emma has 3 cats.", False),
        ("She has cats in Lyon.", "Emma has cats.", False),
        ("She has cats.", "My friend has cats.", False),
        ("She has cats.", "The teacher Xaver has cats.", False),
        ("She has no cats.", "Emma has cats.", False),
        ("She moved last week.", "Emma moved in the week of 2024-04-29.", True),
        ("She moved 3 weeks ago.", "Emma moved in the week of 2024-04-15.", True),
        ("She has cats.", "艾玛有猫。", False),
        ("她有2只猫", "小雨有2只猫", True),
        ("她没有猫", "小雨有猫", False),
        ("她上周搬家了", "小雨2024年4月29日那周搬家了", True),
        ("She has cats.", "", False),
    ],
)
def test_new_words_must_stand_alone_and_keep_numbers_names_and_denials(old: str, new: str, kept: bool) -> None:
    assert keeps_meaning(old, new, HEARD) is kept
