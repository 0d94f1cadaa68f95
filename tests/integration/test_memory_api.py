"""The memory API against a real ``brain serve``."""

from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import pytest

from tests.conftest import a_database
from tests.integration.serving import Person, Serving, a_serving

BOTH = ("memory:read", "memory:write")


@pytest.fixture(scope="module")
def serving(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    chosen = {"auth_api_keys": "true", "request_bytes": "100000", "worker": "true", "tenant_requests": "0"}
    with a_database(server_url) as where, a_serving(tmp_path_factory.mktemp("api"), where, **chosen) as up:
        yield up


def send(serving: Serving, who: Person, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
    """A request as a client makes it; header names with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    url, named["Authorization"] = f"{serving.server.url}/v1/memory/{path}", f"Bearer {who.key}"
    return httpx.request(method, url, json=body, headers=named, timeout=60)


def data(answer: httpx.Response) -> Any:
    """What an answer that succeeded holds."""
    assert answer.status_code < 300, answer.text
    told: Mapping[str, Any] = answer.json()
    assert told.keys() == {
        "data",
        "trace_id",
        "request_id",
        "tenant_id",
        "latency_ms",
        "degrade_mode",
        "retrieval_trace",
    }
    return told["data"]


def code(answer: httpx.Response) -> tuple[int, str]:
    """How a request was refused."""
    return answer.status_code, answer.json()["error"]["code"]


def say(serving: Serving, who: Person, text: str, reply: str = "I see.", **more: str) -> Any:
    """A turn of an agent's."""
    return data(send(serving, who, "POST", "after_llm", {"user_message": text, "assistant_message": reply}, **more))


def test_what_was_said_stands_before_the_next_prompt(serving: Serving):
    ann = serving.person(scopes=BOTH)
    say(serving, ann, "My sister Maud lives in Ghent.")

    answer = send(serving, ann, "POST", "before_llm", {"message": "Where does my sister live?"})
    found = data(answer)
    assert "My sister Maud lives in Ghent." in found["context"]
    assert found["memories"][0]["text"] == "My sister Maud lives in Ghent."
    assert answer.json()["retrieval_trace"]["candidates"]
    again = data(send(serving, ann, "POST", "before_llm", {"message": "Where does my sister live?"}))
    assert again["context"] == found["context"]
    assert data(send(serving, ann, "POST", "before_llm", {"message": "What is 2 + 2?"}))["context"] == ""


def test_a_turn_with_a_key_is_captured_once(serving: Serving):
    ann = serving.person(scopes=BOTH)
    first = say(serving, ann, "I like green tea.", Idempotency_Key="one")
    assert say(serving, ann, "I like green tea.", Idempotency_Key="one") == first
    assert serving.log(ann.scope) == [("user", "I like green tea."), ("assistant", "I see.")]
    other = {"user_message": "I like coffee.", "assistant_message": "I see."}
    assert code(send(serving, ann, "POST", "after_llm", other, Idempotency_Key="one")) == (409, "E_CONFLICT")


def test_recall_tells_how_it_found(serving: Serving):
    ann = serving.person(scopes=BOTH)
    say(serving, ann, "I live in Ghent.")
    answer = send(serving, ann, "POST", "recall", {"question": "Where do I live?"})
    assert [each["text"] for each in data(answer)["memories"]] == ["I live in Ghent."]
    assert answer.json()["retrieval_trace"]["policy"]
    assert data(send(serving, ann, "POST", "recall", {"question": "quantum chromodynamics"}))["memories"] == []


def test_the_store_of_a_graph_elsewhere(serving: Serving):
    ann = serving.person(scopes=BOTH)
    place = {"namespace": ["notes", "a.b@c"], "key": "tea"}
    put = {"op": "put", **place, "value": {"text": "Ann likes green tea."}}

    def run(*ops: Mapping[str, Any]) -> Any:
        return data(send(serving, ann, "POST", "store/batch", {"operations": list(ops)}))["results"]

    assert run(put) == [None]
    got, found, spaces = run(
        {"op": "get", **place},
        {"op": "search", "namespace_prefix": ["notes"], "query": "green tea"},
        {"op": "list_namespaces", "match_conditions": [{"match_type": "prefix", "path": ["notes"]}]},
    )
    assert got["value"] == found[0]["value"] == {"text": "Ann likes green tea."}
    assert found[0]["score"] > 0
    assert spaces == [["notes", "a.b@c"]]
    assert run({"op": "delete", **place}) == [None]
    assert run({"op": "get", **place}) == [None]
    reader = serving.person(ann.tenant, scopes=("memory:read",))
    answer = send(serving, reader, "POST", "store/batch", {"operations": [put]})
    assert code(answer) == (403, "E_TENANT_FORBIDDEN")


def test_an_answer_leads_to_its_receipts_and_quotes(serving: Serving):
    ann = serving.person(scopes=(*BOTH, "admin"))
    say(serving, ann, "My sister Maud lives in Ghent.")
    before = send(serving, ann, "POST", "before_llm", {"message": "Where does Maud live?"}).json()
    turn = {"user_message": "Where does Maud live?", "assistant_message": "In Ghent.", "trace_id": before["trace_id"]}
    operation = data(send(serving, ann, "POST", "after_llm", turn))["operation_id"]
    assert data(send(serving, ann, "POST", "after_llm", turn))["operation_id"] == operation

    (listed,) = data(send(serving, ann, "GET", "receipts"))["items"]
    assert listed["id"] == operation
    looked, used, *_ = data(send(serving, ann, "GET", f"receipts/{operation}"))["receipts"]
    assert looked["exposed"]["queries"] == ["Where does Maud live?"]
    assert (used["exposed"]["decision_reason"], used["exposed"]["context_position"]) == ("relevance", 0)
    assert used["internal"]["candidate_score"] > 0
    reader = serving.person(ann.tenant, scopes=BOTH)
    told = data(send(serving, reader, "GET", f"receipts/{operation}"))["receipts"]
    assert [each["internal"] for each in told] == [None] * len(told)
    assert "candidate_score" not in str(told)
    assert "score" not in str(data(send(serving, reader, "GET", "receipts")))


def test_a_memory_lives(serving: Serving):
    ann = serving.person(scopes=BOTH)
    new = {"content": "I live in Ghent.", "confirmed": True}
    made = send(serving, ann, "POST", "memories", new, Idempotency_Key="k")
    memory = data(made)["memory"]
    assert made.status_code == 201
    assert data(send(serving, ann, "POST", "memories", new, Idempotency_Key="k"))["memory"]["version"] == 1
    one = f"memories/{memory['id']}"
    changed = data(send(serving, ann, "PATCH", one, {"content": "I live in Lyon."}))["memory"]
    assert (changed["content"], changed["version"], changed["provenance"]) == (
        "I live in Lyon.",
        2,
        "confirmed_by_user",
    )
    assert (
        data(send(serving, ann, "POST", "recall", {"question": "Where do I live?"}))["memories"][0]["id"]
        == memory["id"]
    )

    assert data(send(serving, ann, "DELETE", one))["memory"]["status"] == "deleted"
    assert data(send(serving, ann, "GET", "memories"))["items"] == []
    assert data(send(serving, ann, "POST", "recall", {"question": "Where do I live?", "all": True}))["memories"] == []
    assert data(send(serving, ann, "POST", f"{one}/restore", {}))["memory"]["content"] == "I live in Lyon."
    assert data(send(serving, ann, "POST", f"{one}/restore", {"version": 1}))["memory"]["content"] == "I live in Ghent."
    assert data(send(serving, ann, "POST", f"{one}/confirm", {}))["memory"]["confirmed_at"]

    versions = data(send(serving, ann, "GET", f"{one}/history"))["versions"]
    assert [each["change"] for each in versions] == ["create", "correct", "forget", "restore", "restore", "confirm"]
    compared = data(send(serving, ann, "GET", f"{one}/compare?a=1&b=2"))["differences"]
    assert compared["content"] == {"a": "I live in Ghent.", "b": "I live in Lyon."}
    assert data(send(serving, ann, "GET", f"{one}/evidence")) == {"evidence": []}


def test_the_memory_of_a_key_is_written_over(serving: Serving):
    ann = serving.person(scopes=BOTH)
    put = lambda text: data(send(serving, ann, "PUT", "memories", {"key": "home", "content": text}))["memory"]  # noqa: E731
    first = put("I live in Ghent.")
    assert put("I live in Ghent.") == first
    second = put("I live in Lyon.")
    assert (second["id"], second["version"]) == (first["id"], 2)
    data(send(serving, ann, "DELETE", f"memories/{first['id']}"))
    third = put("I live in Paris.")
    assert third["id"] != first["id"]
    assert [each["content"] for each in data(send(serving, ann, "GET", "memories"))["items"]] == ["I live in Paris."]
