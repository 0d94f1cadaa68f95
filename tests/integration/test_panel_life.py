"""The panel as a place to live: several memories at once, one added by hand, remembering stopped, a past in and out."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from uuid import UUID

import pytest

from tests.conftest import a_database
from tests.integration import panel_browser
from tests.integration.panel_browser import (
    SCOPES,
    PanelBrowser,
    at_panel,
    hidden_fields,
    in_memory_of,
    remember,
    talk,
    visible,
)
from tests.integration.serving import Person, Serving, a_serving

ann, panel = panel_browser.ann, panel_browser.panel

PAST = json.dumps([{"id": "1", "memory": "Plays the cello.", "created_at": "2024-03-01T10:00:00Z"}]).encode()


@pytest.fixture(scope="module")
def serving(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    chosen = {"auth_api_keys": "true", "past_upload_bytes": "100000"}
    with a_database(server_url) as where, a_serving(tmp_path_factory.mktemp("panel"), where, **chosen) as up:
        yield up


def ticked(panel: PanelBrowser, path: str = "/panel/memories") -> dict[str, str]:
    """What a page sends when all of its boxes are ticked."""
    found = re.findall(r'name="(memory\.[0-9a-f-]+)" value="(\d+)"', panel.get(path).text)
    return {**hidden_fields(panel.get(path).text), **dict(found)}


def test_several_are_forgotten_in_one_act_that_is_taken_back_as_one(serving: Serving, ann: Person, panel: PanelBrowser):
    for number, text in enumerate(("My bike is red.", "My car is blue.", "My boat is green.")):
        remember(serving, ann, text, number)
    assert panel.get("/panel/memories?all=1").text.count(" checked>") == 3
    fields = ticked(panel)
    kept = next(name for name in fields if name.startswith("memory."))
    del fields[kept]
    asked = panel.post("/panel/chosen", fields)
    assert "2 memories are forgotten together" in visible(asked.text)
    assert "3 memories" in panel.text("/panel/memories")
    done = [panel.post("/panel/chosen/forget", fields) for _ in range(2)]
    assert [each.headers["location"] for each in done] == [
        "/panel/changes?done=forgotten_chosen",
        "/panel/changes?done=unchanged",
    ]
    assert "1 memories" in panel.text("/panel/memories")
    (act,) = set(re.findall(r"/panel/changes/[0-9a-f-]+/undo", panel.get("/panel/changes").text))
    assert panel.send("/panel/changes", act).status_code == 303
    assert "3 memories" in panel.text("/panel/memories")


def test_one_that_changed_or_is_not_theirs_leaves_all_of_them_alone(serving: Serving, ann: Person, panel: PanelBrowser):
    for number, text in enumerate(("My bike is red.", "My car is blue.")):
        remember(serving, ann, text, number)
    stale = ticked(panel)
    changed = next(name for name in stale if name.startswith("memory.")).removeprefix("memory.")
    place = f"/panel/memories/{changed}"
    assert panel.send(place, f"{place}/correct", text="My bike is black now.").status_code == 303
    assert "changed since you chose it" in visible(panel.post("/panel/chosen", stale).text)
    assert panel.post("/panel/chosen/forget", stale).status_code == 409
    bob = serving.person(scopes=SCOPES)  # type: ignore[arg-type]
    foreign = f"memory.{remember(serving, bob, 'My safe opens with 4711.')}"
    assert panel.post("/panel/chosen/forget", {**ticked(panel), foreign: "1"}).status_code == 404
    assert panel.post("/panel/chosen/export", {**ticked(panel), foreign: "1"}).status_code == 404
    assert "4711" not in panel.post("/panel/chosen", {**ticked(panel), foreign: "1"}).text
    for wrong in ({}, {"memory.x": "1"}, {f"memory.{UUID(int=7)}": "x"}):
        assert panel.post("/panel/chosen/forget", {**hidden_fields(panel.get("/panel").text), **wrong}).status_code in (
            400,
            404,
            403,
        )
    assert panel.post("/panel/chosen/forget", {**ticked(panel), "form_token": "x"}).status_code == 403
    assert "2 memories" in panel.text("/panel/memories")


def test_what_is_chosen_is_downloaded_with_its_words(serving: Serving, ann: Person, panel: PanelBrowser):
    remember(serving, ann, "My bike is red.")
    sent = panel.post("/panel/chosen/export", ticked(panel))
    assert "attachment" in sent.headers["content-disposition"]
    (memory,) = sent.json()["memories"]
    assert (memory["text"], memory["quotes"][0]["text"], memory["quotes"][0]["verified"]) == (
        "My bike is red.",
        "My bike is red.",
        True,
    )


def test_a_memory_is_added_by_hand_once(ann: Person, panel: PanelBrowser):
    fields = {
        **hidden_fields(panel.get("/panel/add-memory").text),
        "text": "My locker is number seven.",
        "kind": "fact",
        "valid_from": "2026-01-31",
        "valid_until": "",
    }
    places = {panel.post("/panel/add-memory", fields).headers["location"].partition("?")[0] for _ in range(2)}
    assert "since 2026-01-31" in panel.text(places.pop())
    assert not places
    for wrong in ({"text": " "}, {"kind": "x"}, {"valid_from": "31.1."}, {"valid_until": "2020-01-01"}):
        token = hidden_fields(panel.get("/panel/add-memory").text)
        assert panel.post("/panel/add-memory", {**fields, **token, **wrong}).status_code == 400, wrong
    assert "1 memories" in panel.text("/panel/memories")


def test_remembering_is_stopped_everywhere_and_goes_on(serving: Serving, ann: Person, panel: PanelBrowser):
    page, banner = "/panel/remembering", "Nothing of what you say is being remembered"
    assert banner not in panel.text("/panel")
    assert panel.send(page, f"{page}/stop", minutes="60", conversation="").status_code == 303
    assert all(banner in panel.text(each) for each in ("/panel", "/panel/chat", "/panel/memories", page))
    (reply,) = talk(serving, ann, "kitchen", "I like tea.")
    assert "I note nothing of this" in reply
    assert panel.send(page, f"{page}/resume", minutes="", conversation="").status_code == 303
    assert banner not in panel.text("/panel")
    (place,) = panel.links("/panel/conversations", "/panel/conversations/")
    session = place.rpartition("/")[2]
    stopped = panel.send(f"{page}/{session}", f"{page}/stop", minutes="", conversation=session)
    stopped = panel.send(f"{page}/{session}", f"{page}/stop", minutes="", conversation=session)
    assert stopped.status_code == 303, visible(stopped.text)
    assert "nothing is remembered" in panel.text(f"{page}/{session}")
    assert banner not in panel.text("/panel")
    assert "I note nothing" in talk(serving, ann, "kitchen", "I like cocoa.")[0]
    assert panel.send(page, f"{page}/stop", minutes="x", conversation="").status_code == 400
    assert panel.send(page, f"{page}/stop", minutes="", conversation=str(UUID(int=7))).status_code == 404
    found = in_memory_of(serving, lambda memory: memory.index.rows_without_vector(ann.scope, "any", 100))
    assert [each.text for each in found if "like" in each.text] == []


def send_file(panel: PanelBrowser, data: bytes, name: str = "mem0.json", **fields: str):
    form = {**hidden_fields(panel.get("/panel/past").text), "time_zone": "Europe/Paris", **fields}
    return panel.http.post("/panel/past", data=form, files={"file": (name, data)}, headers={"Origin": panel.url})


def test_a_past_is_brought_along_once_listed_and_taken_back(panel: PanelBrowser):
    assert send_file(panel, PAST, "../../mem0.json").headers["location"] == "/panel/past?done=brought"
    assert send_file(panel, PAST).headers["location"] == "/panel/past?done=unchanged"
    page = panel.text("/panel/past")
    assert "mem0.json" in page
    assert "../" not in page
    (action,) = re.findall(r"/panel/past/[0-9a-f-]+/remove", panel.get("/panel/past").text)
    assert panel.send("/panel/past", action).headers["location"] == "/panel/past?done=past_removed"
    assert "Nothing was brought along yet" in panel.text("/panel/past")
    assert panel.send("/panel/past", action).status_code == 404


def test_a_file_that_must_not_be_read_leaves_nothing(panel: PanelBrowser):
    assert send_file(panel, b"\x00" * 200_000).status_code == 413
    assert send_file(panel, b"no json").status_code == 400
    assert send_file(panel, PAST, time_zone="Nowhere/Land").status_code == 400
    assert send_file(panel, PAST, form_token="x").status_code == 403
    assert panel.send("/panel/past", "/panel/past").status_code == 400
    fields = hidden_fields(panel.get("/panel/past").text)
    foreign = panel.http.post(
        "/panel/past", data=fields, files={"file": ("m.json", PAST)}, headers={"Origin": "http://x"}
    )
    assert foreign.status_code == 403
    assert "Nothing was brought along yet" in panel.text("/panel/past")


def test_everything_is_taken_away_as_one_archive_of_ones_own(serving: Serving, ann: Person, panel: PanelBrowser):
    remember(serving, ann, "My bike is red.")
    bob = serving.person(scopes=SCOPES)  # type: ignore[arg-type]
    remember(serving, bob, "My safe opens with 4711.")
    sent = panel.send("/panel/past", "/panel/past/export")
    with zipfile.ZipFile(io.BytesIO(sent.content)) as packed:
        assert packed.testzip() is None
        told = {name: packed.read(name).decode() for name in packed.namelist()}
    assert "My bike is red." in told["memories.md"]
    assert json.loads(told["manifest.json"])["kind"] == "brain-export"
    assert "4711" not in "".join(told.values())


def test_experiments_are_for_who_runs_the_server(serving: Serving, panel: PanelBrowser):
    assert panel.get("/panel/experiments").status_code == 403
    assert "/panel/experiments" not in panel.get("/panel").text
    with at_panel(serving, serving.person(scopes=("memory:read", "ops"))) as browser:
        assert "No experiment was started yet" in browser.text("/panel/experiments")


def test_service_levels_are_for_who_runs_the_server(serving: Serving, panel: PanelBrowser):
    assert panel.get("/panel/levels").status_code == 403
    assert "/panel/levels" not in panel.get("/panel").text
    with at_panel(serving, serving.person(scopes=("memory:read", "ops"))) as browser:
        shown = browser.text("/panel/levels")
        assert "Erasures past their deadline" in shown
        assert "too few cases to judge" in shown
