"""Chat clients of OpenAI's API against a real ``brain serve`` with a scripted model behind it."""

from collections.abc import Iterator

import pytest

from tests.conftest import a_database
from tests.integration.serving import Serving, a_serving
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

MODEL = [
    Step(when=When(form="", contains="Where do I live?"), text="You live in Ghent.", times=None),
    Step(when=When(form=""), text="As you say.", times=None),
    Step(status=400, times=None),
]


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI(MODEL) as scripted:
        yield scripted


@pytest.fixture(scope="module")
def serving(server_url: str, model: ScriptedOpenAI, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    keys = {"openai_api_key": "sk-test", "base_url": model.base_url, "auth_api_keys": "true"}
    with a_database(server_url) as where, a_serving(tmp_path_factory.mktemp("serve"), where, **keys) as served:
        yield served


def test_a_conversation_is_answered_and_logged_once(serving: Serving):
    ann = serving.person()
    chat = serving.client(ann).chat.completions
    said: list[dict[str, str]] = [{"role": "user", "content": "I live in Ghent."}]
    first = chat.create(model="brain", messages=said)
    said += [{"role": "assistant", "content": first.choices[0].message.content or ""}]
    said += [{"role": "user", "content": "Where do I live?"}]
    second = chat.create(model="brain", messages=said)

    assert second.choices[0].message.content == "You live in Ghent."
    assert second.choices[0].finish_reason == "stop"
    assert second.usage is not None
    assert second.usage.total_tokens > 0
    assert serving.log(ann.scope) == [
        ("user", "I live in Ghent."),
        ("assistant", "As you say."),
        ("user", "Where do I live?"),
        ("assistant", "You live in Ghent."),
    ]
    assert len(serving.rows("sessions", ann.scope)) == 1
