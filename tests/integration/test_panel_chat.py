"""The chat of the panel on a real ``brain serve`` with a scripted model: streamed, sent twice, left, and refused."""

import re
import time
from base64 import b64decode
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import httpx
import pytest

from tests.conftest import a_database
from tests.integration import panel_browser
from tests.integration.brain_process import Brain, as_url
from tests.integration.panel_browser import SCOPES, PanelBrowser, at_panel, hidden_fields, talk, visible
from tests.integration.serving import Person, Serving, a_serving
from tests.openai_script import Step, When
from tests.pictures import a_png, image_url
from tests.scripted_openai import ScriptedOpenAI

ann, panel = panel_browser.ann, panel_browser.panel

LONG = "Lyon is a <b>lovely</b> city to live in, and so is Ghent."
MODEL = [
    Step(when=When(form="", contains="Where do I live?"), text="You live in Lyon.", times=None),
    Step(when=When(form="", contains="moved to Lyon"), text=LONG, stall_after=4, times=None),
    Step(when=When(form="", contains="wait a little"), text="I waited.", delay=1.0, times=None),
    Step(when=When(form=""), text="As you <i>say</i>.", times=None),
    Step(status=400, times=None),
]


@pytest.fixture(scope="module")
def serving(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with ScriptedOpenAI(MODEL) as model, a_database(server_url) as where:
        chosen = {**model.settings, "auth_api_keys": "true"}
        with a_serving(tmp_path_factory.mktemp("panel"), where, **chosen) as up:
            yield up


@pytest.fixture
def http(serving: Serving, ann: Person) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {ann.key}"}
    with httpx.Client(base_url=serving.server.url, headers=headers, timeout=60) as client:
        yield client


def begin_chat(panel: PanelBrowser) -> dict[str, str]:
    """The hidden fields of a new conversation."""
    page = panel.get("/panel/chat").text
    found = re.search(r'name="session" value="([^"]+)"', page)
    assert found
    return hidden_fields(page) | {"session": found[1]}


def stream(panel: PanelBrowser, fields: dict[str, str], most: int = 10_000) -> str:
    """The answer as the script reads it; after so many characters the page is closed."""
    heard, headers = "", {"Accept": "text/plain", "Origin": panel.url}
    with panel.http.stream("POST", "/panel/chat", data=fields, headers=headers) as streamed:
        assert (streamed.status_code, streamed.headers["content-type"]) == (200, "text/plain; charset=utf-8")
        assert streamed.headers["x-content-type-options"] == "nosniff"
        for piece in streamed.iter_text():
            heard += piece
            if len(heard) >= most:
                break
    return heard


def wait_until(happened: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert happened()


def test_an_answer_is_streamed_or_shown_as_a_page(serving: Serving, ann: Person, panel: PanelBrowser):
    fields = begin_chat(panel)
    assert stream(panel, fields | {"words": "Hello."}) == "As you <i>say</i>."
    done = panel.post("/panel/chat", fields | {"once": "2", "words": "I like <i>plums</i>."})
    assert done.status_code == 303
    place, _, target = done.headers["location"].partition("#")
    page = panel.get(place).text
    assert page.count(f'id="{target}"') == 1
    assert page.count("<i>") == 0
    assert visible(page).count("I like <i>plums</i>.") == 1
    assert visible(page).count("As you <i>say</i>.") == 2
    assert len(panel.links(place, "/panel/answers/")) == 2
    (session,) = serving.rows("sessions", ann.scope)
    assert session["session_id"] == UUID(place.rpartition("/")[2])


def test_a_message_that_is_sent_again_is_one_turn(serving: Serving, ann: Person, panel: PanelBrowser):
    first = begin_chat(panel) | {"words": "Hello."}
    second = first | {"once": "2", "words": "Hello."}
    answers = [panel.post("/panel/chat", each) for each in (first, second, second, first)]
    assert {(each.status_code, each.headers["location"]) for each in answers} == {(303, answers[0].headers["location"])}
    assert [role for role, _ in serving.log(ann.scope)] == ["user", "assistant"] * 2


def test_a_message_that_is_sent_twice_at_once_is_one_turn(serving: Serving, ann: Person, panel: PanelBrowser):
    fields = begin_chat(panel) | {"words": "Please wait a little."}
    with ThreadPoolExecutor(2) as pool:
        sent = [pool.submit(panel.post, "/panel/chat", fields) for _ in range(2)]
        assert [each.result().status_code for each in sent] == [303, 303]
    assert serving.log(ann.scope) == [("user", "Please wait a little."), ("assistant", "I waited.")]


def test_who_closes_the_page_keeps_what_was_shown(serving: Serving, ann: Person, panel: PanelBrowser):
    fields = begin_chat(panel)
    assert LONG.startswith(stream(panel, fields | {"words": "I moved to Lyon."}, most=1))
    wait_until(lambda: serving.rows("chat_exchanges", ann.scope) and len(serving.log(ann.scope)) > 1)
    (_, (_, shown)) = serving.log(ann.scope)
    assert shown
    assert LONG.startswith(shown)
    assert shown != LONG
    panel.post("/panel/chat", fields | {"words": "I moved to Lyon."})
    panel.post("/panel/chat", fields | {"once": "2", "words": "Where do I live?"})
    assert [words for _, words in serving.log(ann.scope)] == [
        "I moved to Lyon.",
        shown,
        "Where do I live?",
        "You live in Lyon.",
    ]


@pytest.mark.parametrize(
    "wrong", [{"words": " "}, {"words": "x" * 20_001}, {"session": "chat:kitchen"}, {"session": "panel \x00"}]
)
def test_a_message_that_cannot_be_answered_is_refused(panel: PanelBrowser, wrong: dict[str, str]):
    fields = begin_chat(panel) | {"words": "Hello."} | wrong
    assert panel.post("/panel/chat", fields).status_code == 400


@pytest.mark.parametrize("origin", ["https://evil.example", "null", None])
def test_a_message_of_a_foreign_page_is_not_answered(
    serving: Serving, ann: Person, panel: PanelBrowser, origin: str | None
):
    fields = begin_chat(panel) | {"words": "Hello."}
    assert panel.post("/panel/chat", fields, origin).status_code == 403
    assert panel.post("/panel/chat", fields | {"form_token": "nonsense"}).status_code == 403
    assert serving.log(ann.scope) == []


def test_a_conversation_of_somebody_else_or_another_client_is_not_carried_on(
    serving: Serving, ann: Person, panel: PanelBrowser
):
    fields = begin_chat(panel) | {"words": "Hello."}
    place = panel.post("/panel/chat", fields).headers["location"].partition("#")[0]
    others = (serving.person(ann.tenant, "bob", SCOPES), serving.person(scopes=SCOPES))  # type: ignore[arg-type]
    for other in others:
        with at_panel(serving, other) as browser:
            theirs = begin_chat(browser) | {"session": fields["session"], "words": "What was said here?"}
            assert browser.get(place).status_code == 404
            assert browser.post("/panel/chat", theirs).headers["location"] != f"{place}#newest"
            assert [words for role, words in serving.log(other.scope) if role == "user"] == ["What was said here?"]
    talk(serving, ann, "kitchen", "Hello.")
    forms = {each: panel.get(each).text for each in panel.links("/panel/conversations", "/panel/conversations/")}
    assert [each for each, page in forms.items() if 'action="/panel/chat"' in page] == [place]
    assert len(serving.log(ann.scope)) == 4


def test_who_may_not_chat_finds_no_form(serving: Serving, ann: Person, panel: PanelBrowser):
    place = panel.post("/panel/chat", begin_chat(panel) | {"words": "Hello."}).headers["location"].partition("#")[0]
    reader = serving.person(ann.tenant, "ann", ("memory:read",))
    with at_panel(serving, reader) as browser:
        assert '"/panel/chat"' not in browser.get(place).text
        assert browser.get("/panel/chat").status_code == 403
        fields = hidden_fields(browser.get(place).text) | {"session": "panel 1", "words": "Hello.", "once": "1"}
        assert browser.post("/panel/chat", fields).status_code == 403


def test_a_picture_that_a_client_sent_is_shown_in_its_conversation_and_forgotten_there(
    serving: Serving, ann: Person, panel: PanelBrowser, http: httpx.Client
):
    refused = http.post("/v1/chat/completions", json={"messages": [says(image_url(b"<svg/>"))]})
    assert refused.status_code == 400
    assert "Block 1 ('image_url')" in refused.json()["error"]["message"]
    sent = http.post("/v1/chat/completions", json={"messages": [says(image_url(a_png(), caption="<b>a cat</b>"))]})
    assert "I have not looked at what you attached — image." in sent.json()["choices"][0]["message"]["content"]

    (kept,) = http.get("/v1/memory/media").json()["data"]["items"]
    page = f"/panel/conversations/{kept['session']}"
    shown = panel.get(page).text
    assert f'<img src="/panel/media/{kept["sha256"]}" alt="&lt;b&gt;a cat&lt;/b&gt;"' in shown
    picture = panel.get(f"/panel/media/{kept['sha256']}")
    assert (picture.content, picture.headers["content-type"]) == (a_png(), "image/png")
    told = ("content-disposition", "x-content-type-options", "content-security-policy", "cache-control")
    expected = ["attachment", "nosniff", "default-src 'none'; sandbox", "private, no-store"]
    assert [picture.headers[name] for name in told] == expected
    with at_panel(serving, serving.person(scopes=SCOPES)) as stranger:  # type: ignore[arg-type]
        assert stranger.get(f"/panel/media/{kept['sha256']}").status_code == 404
    assert panel.post(f"/panel/media/{kept['sha256']}/forget", {}).status_code == 403

    gone = panel.send(page, f"/panel/media/{kept['sha256']}/forget", conversation=kept["session"])
    assert (gone.status_code, gone.headers["location"]) == (303, f"{page}?done=media_forgotten")
    assert panel.get(f"/panel/media/{kept['sha256']}").status_code == 404
    assert http.get(f"/v1/memory/media/{kept['sha256']}").status_code == 404


def test_a_picture_is_sent_in_the_chat_and_what_is_no_picture_is_refused(
    serving: Serving, ann: Person, panel: PanelBrowser, http: httpx.Client
):
    fields = begin_chat(panel) | {"words": ""}
    refused = send_file(panel, fields, "cat.png", b"<svg/>")
    assert (refused.status_code, serving.log(ann.scope)) == (400, [])
    sent = [send_file(panel, fields, "cat.png", a_png()) for _ in range(2)]
    assert [each.status_code for each in sent] == [303, 303]
    assert [role for role, _ in serving.log(ann.scope)] == ["user", "assistant"]
    (kept,) = http.get("/v1/memory/media").json()["data"]["items"]
    page = panel.get(sent[0].headers["location"].partition("#")[0]).text
    assert f'<img src="/panel/media/{kept["sha256"]}"' in page
    large = send_file(panel, begin_chat(panel) | {"words": "Look."}, "big.png", a_png() + b"x" * 8_000_001)
    assert large.status_code == 413


def send_file(panel: PanelBrowser, fields: dict[str, str], name: str, data: bytes) -> httpx.Response:
    """The message with a file, as a browser sends it."""
    return panel.http.post("/panel/chat", data=fields, files={"files": (name, data)}, headers={"Origin": panel.url})


def test_a_conversation_of_the_terminal_goes_on_in_the_panel_behind_its_last_words(
    serving: Serving, ann: Person, panel: PanelBrowser
):
    say_in_terminal(serving, ann, "monday", "Hello there.")
    (place,) = panel.links("/panel/conversations", "/panel/conversations/")
    fields = hidden_fields(panel.get(place).text) | {"session": "monday", "words": "Where do I live?"}
    assert panel.post("/panel/chat", fields).headers["location"] == f"{place}#newest"
    say_in_terminal(serving, ann, "monday", "And goodbye.")
    said = [words for role, words in serving.log(ann.scope) if role == "user"]
    assert said == ["Hello there.", "Where do I live?", "And goodbye."]
    page = visible(panel.get(place).text)
    assert "left behind" not in page
    assert page.count("You live in Lyon.") == 1


def say_in_terminal(serving: Serving, who: Person, session: str, words: str) -> None:
    """One message with ``brain chat``, which ends with its answer."""
    environment, names = serving.server.environment, ("BRAIN_OPENAI_API_KEY", "BRAIN_BASE_URL", "BRAIN_EMBEDDINGS")
    chosen = {name: environment[name] for name in names if name in environment}
    brain = Brain(as_url(serving.where.owner), serving.server.folder, who.tenant, chosen)
    brain.says(words, user=who.user, session=session)


def test_an_agent_hands_over_a_picture_without_words(serving: Serving, ann: Person, http: httpx.Client):
    turn = {"blocks": [image_url(a_png())], "assistant_message": "A cat.", "trace_id": "t1"}
    for _ in range(2):
        assert http.post("/v1/memory/after_llm", json=turn).status_code == 202
    other = {**turn, "blocks": [image_url(a_png(3, 3))]}
    assert http.post("/v1/memory/after_llm", json=other).status_code == 409
    assert http.post("/v1/memory/after_llm", json={"assistant_message": "Hm?"}).status_code == 400
    (kept,) = http.get("/v1/memory/media").json()["data"]["items"]
    found = http.get(f"/v1/memory/media/{kept['sha256']}").json()["data"]
    assert b64decode(found["base64"]) == a_png()
    assert http.delete(f"/v1/memory/media/{kept['sha256']}").json()["data"] == {"turns": 1}
    assert serving.log(ann.scope) == [("user", ""), ("assistant", "A cat.")]


def says(*blocks: dict[str, object]) -> dict[str, object]:
    """A message of these blocks alone."""
    return {"role": "user", "content": list(blocks)}
