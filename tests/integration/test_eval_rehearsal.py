"""What a fast model leaves of twenty conversations, told by the doctor."""

import pytest

from brain.settings import Settings
from evals.evaluation.rehearsal import rehearsal_finding
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

NOTHING = Step(when=When(form="Notes"), text='{"memories": []}', times=None)
ALL_JOKES = Step(
    when=When(form="Notes"),
    text='{"memories": [], "dismissed": [' + ", ".join(
        f'{{"statement": "s{number}", "reason": "joke"}}' for number in range(1, 40)
    ) + "]}",
    times=None,
)  # fmt: skip


async def examined(*steps: Step):
    with ScriptedOpenAI([*steps, Step(status=400, times=None)]) as provider:
        return await rehearsal_finding(Settings(openai_api_key="sk-test", base_url=provider.base_url))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("step", "state", "told"),
    [
        pytest.param(NOTHING, "ok", "asked by json_schema", marks=pytest.mark.exhaustive, id="lazy"),
        pytest.param(ALL_JOKES, "degraded", "stronger BRAIN_FAST_MODEL", id="dismisses everything"),
    ],
)
async def test_the_doctor_says_what_stays_with_a_model(step: Step, state: str, told: str):
    finding = await examined(step)
    assert finding.state == state
    assert told in f"{finding.what} {finding.advice}"
    assert "over 20 conversations: recall" in finding.what


async def test_without_a_model_there_is_nothing_to_examine():
    assert (await rehearsal_finding(Settings())).state == "ok"
