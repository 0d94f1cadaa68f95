"""Erasing over HTTP and in the panel, on a server with its worker: each door shows the sentence and takes no other."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from evolution.erasure.request import sentence_for
from memory.api_keys import KeyScope
from tests.conftest import a_database
from tests.integration.memory_client import MemoryClient
from tests.integration.panel_browser import SCOPES, at_panel
from tests.integration.serving import Serving, a_serving

PATIENCE = 60.0
BOTH: tuple[KeyScope, ...] = ("memory:read", "memory:write")
SETTINGS = {"auth_api_keys": "true", "auth_jwt_secret": "s" * 32, "tenant_requests": "0", "worker": "true"}


@pytest.fixture(scope="module")
def serving(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("erasing")
    chosen = {**SETTINGS, "erasures_folder": str(folder)}
    with a_database(server_url) as where, a_serving(folder, where, **chosen) as up:
        yield up


@pytest.fixture(scope="module")
def http(serving: Serving) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=serving.server.url, timeout=60) as client:
        yield client


def wait_for_end(admin: MemoryClient, erasure_id: str) -> dict[str, Any]:
    """The erasure once the worker has done it."""
    deadline = time.monotonic() + PATIENCE
    found = admin.ask("GET", f"erasures/{erasure_id}")
    while found["state"] != "completed" and time.monotonic() < deadline:
        time.sleep(0.1)
        found = admin.ask("GET", f"erasures/{erasure_id}")
    assert found["state"] == "completed"
    return found


def test_the_api_shows_the_sentence_and_erases_by_it(serving: Serving, http: httpx.Client):
    ann = serving.person(scopes=BOTH)
    admin = MemoryClient(http, serving.person(ann.tenant, "boss", (*BOTH, "admin")))
    asking = MemoryClient(http, ann)
    asking.say("My sister Maud lives in Ghent.")
    refused = asking.send("POST", "erasures", {"confirm": "yes"})
    assert refused.status_code == 400
    assert sentence_for("ann") in refused.json()["error"]["message"]
    begun = asking.send("POST", "erasures", {"confirm": sentence_for("ann")})
    assert begun.status_code == 202
    done = wait_for_end(admin, begun.json()["data"]["id"])
    assert [step["state"] for step in done["steps"]][-1] == "completed"
    assert done["certificate"]["erased"]["conversation_events"] >= 1
    assert asking.send("GET", "memories").status_code == 401  # the key went with its owner


def test_while_it_is_under_way_every_route_answers_410(serving: Serving, http: httpx.Client):
    ann = serving.person(scopes=BOTH)
    asking = MemoryClient(http, ann)
    asking.say("I live in Ghent.")
    asking.send("POST", "erasures", {"confirm": sentence_for("ann")})
    seen = {asking.send("GET", route).status_code for route in ("memories", "documents", "sessions", "recent")}
    assert seen <= {410, 401}


def test_only_an_administrator_erases_somebody_else(serving: Serving, http: httpx.Client):
    ann = serving.person(scopes=BOTH)
    boss = serving.person(ann.tenant, "boss", (*BOTH, "admin"))
    peer = serving.person(ann.tenant, "peer", BOTH)
    MemoryClient(http, ann).say("I live in Ghent.")
    wanted = {"confirm": sentence_for("ann"), "person": "ann"}
    assert MemoryClient(http, peer).send("POST", "erasures", wanted).status_code == 403
    assert MemoryClient(http, peer).send("POST", "legal-holds", {"person": "ann", "reason": "x"}).status_code == 403
    held = MemoryClient(http, boss).ask("POST", "legal-holds", {"person": "ann", "reason": "a court order"})
    assert MemoryClient(http, boss).send("POST", "erasures", wanted).status_code == 409
    assert MemoryClient(http, ann).send("POST", "erasures", {"confirm": sentence_for("ann")}).status_code == 409
    MemoryClient(http, boss).ask("POST", f"legal-holds/{held['id']}/lift", {})
    begun = MemoryClient(http, boss).send("POST", "erasures", wanted).json()["data"]
    assert wait_for_end(MemoryClient(http, boss), begun["id"])["requested_by"] == "tenant_admin"
    assert MemoryClient(http, peer).send("GET", f"erasures/{begun['id']}").status_code == 404


def test_the_panel_shows_the_sentence_and_erases_by_it(serving: Serving, http: httpx.Client):
    ann = serving.person(scopes=SCOPES)
    MemoryClient(http, ann).say("I live in Ghent.")
    with at_panel(serving, ann) as browser:
        assert sentence_for(ann.user) in browser.text("/panel/erasures")
        assert browser.send("/panel/erasures", "/panel/erasures", confirm="yes").status_code == 400
        sent = browser.send("/panel/erasures", "/panel/erasures", confirm=sentence_for(ann.user))
        assert (sent.status_code, sent.headers["location"]) == (303, "/panel/erasures?done=erasing")
        assert browser.get("/panel/memories").status_code in (410, 303)


def test_an_administrator_reads_with_a_reason_that_the_person_sees(serving: Serving, http: httpx.Client):
    ann = serving.person(scopes=BOTH)
    boss = MemoryClient(http, serving.person(ann.tenant, "boss", (*BOTH, "admin")))
    peer = MemoryClient(http, serving.person(ann.tenant, "peer", BOTH))
    MemoryClient(http, ann).say("My boat is called Marigold.")
    of_ann = {"X_Brain_User": ann.user}
    assert boss.refusal("GET", "sessions", **of_ann) == (400, "E_BAD_REQUEST")
    assert MemoryClient(http, ann).ask("GET", "accesses") == {"accesses": []}
    read = boss.ask("GET", "sessions", **of_ann, X_Brain_Reason="a complaint of hers")
    assert len(read["items"]) == 1
    assert boss.refusal("POST", "memories", {"text": "x"}, **of_ann, X_Brain_Reason="x") == (403, "E_TENANT_FORBIDDEN")
    assert peer.refusal("GET", "sessions", **of_ann, X_Brain_Reason="x") == (403, "E_TENANT_FORBIDDEN")
    (seen,) = MemoryClient(http, ann).ask("GET", "accesses")["accesses"]
    assert (seen["operator"], seen["reason"]) == ("boss", "a complaint of hers")
