"""Which models a configuration gives, and what is left behind when they are closed."""

import subprocess
import sys

import pytest
from langchain_core.messages import HumanMessage
from pydantic import SecretStr

from brain.models.errors import ModelUnavailable
from brain.models.openai import DEFAULT_BASE_URL, OpenAIModel, connect
from brain.models.retry import Retry
from brain.models.roles import Models, ModelSettings
from brain.wiring import build_models


def settled(model: object) -> OpenAIModel:
    assert isinstance(model, OpenAIModel)
    return model


async def test_without_a_key_and_an_address_there_are_no_models() -> None:
    models = build_models(ModelSettings())
    assert models == Models(chat=None, fast=None)
    await models.aclose()


def test_a_run_on_rules_does_not_load_the_providers_client() -> None:
    program = (
        "import sys; from brain.wiring import build_models; from brain.models.roles import ModelSettings;"
        " build_models(ModelSettings()); assert 'openai' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)


async def test_a_key_alone_means_the_default_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.test/v1")
    monkeypatch.setenv("LANGSMITH_GATEWAY", "true")
    models = build_models(ModelSettings(api_key=SecretStr("sk-test")))
    client = settled(models.chat).chat.root_async_client
    assert str(client.base_url).rstrip("/") == DEFAULT_BASE_URL
    assert (client.api_key, client.max_retries) == ("sk-test", 0)
    await models.aclose()
    assert client.is_closed()


async def test_an_address_alone_is_a_local_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    models = build_models(ModelSettings(base_url="http://127.0.0.1:9/v1"))
    assert settled(models.chat).chat.root_async_client.api_key == "none"
    await models.aclose()


async def test_each_role_has_its_model_and_its_deadline_over_one_client() -> None:
    models = build_models(ModelSettings(base_url="http://127.0.0.1:9/v1", chat_model="big", fast_model="small"))
    chat, fast = settled(models.chat), settled(models.fast)
    assert (chat.name, chat.seconds, fast.name, fast.seconds) == ("big", 60.0, "small", 120.0)
    assert chat.chat.root_async_client is fast.chat.root_async_client
    assert (chat.chat.root_client, fast.chat.root_client) == (None, None)
    await models.aclose()


async def test_two_sets_of_models_share_nothing() -> None:
    one, other = (build_models(ModelSettings(base_url="http://127.0.0.1:9/v1")) for _ in range(2))
    assert settled(one.chat).chat.root_async_client._client is not settled(other.chat).chat.root_async_client._client
    await one.aclose()
    assert not settled(other.chat).chat.root_async_client.is_closed()
    await other.aclose()


def test_the_key_is_in_no_representation() -> None:
    settings = ModelSettings(api_key=SecretStr("sk-secret"))
    assert "sk-secret" not in repr(settings) + repr(build_models(settings))


async def test_nobody_at_the_address_is_unreachable() -> None:
    models = connect(ModelSettings(base_url="http://127.0.0.1:9/v1"), Retry(attempts=1))
    assert models.chat is not None
    with pytest.raises(ModelUnavailable, match="model_unreachable"):
        await models.chat.stream([HumanMessage("Hello")])
    await models.aclose()
