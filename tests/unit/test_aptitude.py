"""Is a model up to judging memories? Asked over the wire, of a server that follows a script."""

from collections.abc import Iterable, Mapping
from typing import Any

from apps.doctor.aptitude import aptitude_finding
from apps.doctor.aptitude_cases import TO_NOTE, TO_SETTLE
from apps.doctor.findings import Finding
from evolution.extraction.form import NotedMemory, Notes
from tests.fakes import a_settings
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI
from tests.unit.analysis_builders import a_note

BY_NAME: Mapping[str, list[NotedMemory]] = {
    "two facts": [
        a_note("I moved to Lisbon last year", object="Lisbon", content="The user moved to Lisbon last year."),
        a_note("I work as a nurse", predicate="works_as", object="nurse", content="The user works as a nurse."),
    ],
    "a recurring time": [
        a_note(
            "We play chess every Saturday at three",
            predicate="plays",
            object="chess every Saturday at three",
            content="The user plays chess every Saturday at three.",
        )
    ],
    "a slip (zh)": [a_note("是四楼", object="四楼", content="用户家在四楼。", replaces="三楼")],
    "an allergy (zh)": [a_note("我对花生过敏", predicate="allergic_to", object="花生", content="用户对花生过敏。")],
    "a denial": [
        a_note(
            "I have never owned a car", predicate="owns", object="car", content="The user has never owned a car.",
            negated=True,
        )
    ],
    "somebody else (zh)": [
        a_note("我姐姐在成都当老师", subject="姐姐", object="成都", content="用户的姐姐在成都当老师。")
    ],
}  # fmt: skip


def notes_of(name: str) -> Step:
    return Step(when=When(form="Notes"), form=Notes(memories=BY_NAME.get(name, [])).model_dump())


def ruling(finding: str) -> Step:
    return Step(when=When(form="Ruling"), form={"reason": "So it seems.", "finding": finding})


def a_good_model() -> list[Step]:
    return [*(notes_of(each.name) for each in TO_NOTE), *(ruling(each.finding) for each in TO_SETTLE)]


async def found(steps: Iterable[Step], **settings: Any) -> tuple[Finding, int]:
    """What is told of a model that answers so, and how often it was asked."""
    with ScriptedOpenAI(list(steps)) as server:
        asked = {"base_url": server.base_url, "openai_api_key": "sk-test", "embeddings": "none", "fast_timeout": 2.0}
        finding = await aptitude_finding(a_settings(**(asked | settings)))
        return finding, len(server.requests)


async def test_a_model_that_judges_rightly_is_up_to_it():
    finding, asked = await found(a_good_model())
    assert (finding.state, finding.what) == ("ok", "gpt-4.1-mini: 16 of 16 judgements about memories are right")
    assert asked == len(TO_NOTE) + len(TO_SETTLE) == 16


async def test_a_model_that_cannot_settle_is_told_with_the_cases_that_it_got_wrong():
    finding, _ = await found(
        [*(notes_of(each.name) for each in TO_NOTE), *(ruling("both") for _ in TO_SETTLE)], fast_model="tiny"
    )
    assert finding.state == "degraded"
    assert finding.what == (
        "tiny: 12 of 16 judgements about memories are right; "
        "wrong: a move, nobody can tell, the same (zh), another job (zh)"
    )
    assert "BRAIN_FAST_MODEL" in finding.advice


async def test_a_model_that_notes_nothing_or_too_much_is_found_out():
    silent = [Step(when=When(form="Notes"), form={"memories": []}) for _ in TO_NOTE]
    finding, _ = await found([*silent, *(ruling(each.finding) for each in TO_SETTLE)])
    assert finding.what.endswith(
        "wrong: two facts, an allergy (zh), a denial, somebody else (zh), a recurring time, a slip (zh)"
    )


async def test_one_slip_is_forgiven():
    steps = a_good_model()
    steps[-1] = ruling("unclear")
    finding, _ = await found(steps)
    assert (finding.state, finding.what.endswith("wrong: two people (zh)")) == ("ok", True)


async def test_an_answer_that_is_no_form_is_a_wrong_one():
    steps = a_good_model()
    steps[-1:] = [Step(when=When(form="Ruling"), text="Both, I think.", times=2)]
    finding, _ = await found(steps)
    assert finding.what.endswith("15 of 16 judgements about memories are right; wrong: two people (zh)")


async def test_a_provider_that_is_away_is_no_verdict_on_its_model():
    finding, asked = await found([Step(status=401, times=None)])
    assert finding.state == "degraded"
    assert "could not be examined: model_auth_failed" in finding.what
    assert asked == 1


async def test_without_a_model_there_is_nothing_to_examine():
    finding = await aptitude_finding(a_settings(openai_api_key=None, base_url=None))
    assert (finding.state, finding.what) == ("ok", "nothing to examine: no model is configured")
