"""The panel of a real ``brain serve``: every page, every change, and whom it lets do what."""

import html
import re
from collections.abc import Iterator
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import httpx
import jwt
import psycopg
import pytest

from apps.access.key_text import PREFIX
from apps.panel.session_cookie import COOKIE
from memory.memory_item import Author
from memory.ports import MemoryCore
from memory.scope import name_id
from tests.conftest import a_database
from tests.contract.builders import at
from tests.integration import panel_browser
from tests.integration.memory_client import MemoryClient
from tests.integration.panel_browser import (
    SCOPES,
    PanelBrowser,
    at_panel,
    hidden_fields,
    in_memory_of,
    remember,
    talk,
    visible,
    write_memory,
)
from tests.integration.serving import SECRET, Person, Serving, a_serving
from tests.internal_words import find_internal_words

ann, panel = panel_browser.ann, panel_browser.panel

HOSTILE = """<script>alert("1")</script> I like <img src=x onerror=alert(2)> 'tea' & {{ 7 * 7 }}."""
SETTINGS = {"auth_api_keys": "true", "auth_jwt_secret": SECRET, "panel_secret": SECRET}
PAGES = (
    "/panel",
    "/panel/memories",
    "/panel/chat",
    "/panel/conversations",
    "/panel/conflicts",
    "/panel/approvals",
    "/panel/documents",
    "/panel/knowledge",
    "/panel/jobs",
    "/panel/usage",
    "/panel/health",
    "/panel/erasures",
    "/panel/contract",
    "/panel/promotions",
    "/panel/accesses",
    "/panel/soul",
    "/panel/remembering",
    "/panel/past",
    "/panel/add-memory",
)

PROSE = ("/panel/contract", "/panel/soul")
"""Documents that are written for people, in which "own" and "voice" are plain English."""


@pytest.fixture(scope="module")
def serving(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    chosen = {**SETTINGS, "approval_bulk": "2", "request_bytes": "200000"}
    with a_database(server_url) as where, a_serving(tmp_path_factory.mktemp("panel"), where, **chosen) as up:
        yield up


def place_of(memory_id: UUID) -> str:
    return f"/panel/memories/{memory_id}"


def test_whoever_is_not_signed_in_is_asked_to_and_comes_where_they_wanted_to(serving: Serving, ann: Person):
    with at_panel(serving) as browser:
        sent = browser.get("/panel/documents")
        assert (sent.status_code, sent.headers["location"]) == (303, "/panel/sign-in?next=/panel/documents")
        assert 'value="/panel/documents"' in browser.get(sent.headers["location"]).text
        arrived = browser.sign_in(ann.key, "/panel/documents")
        assert (arrived.status_code, arrived.headers["location"]) == (303, "/panel/documents")
        assert browser.get("/panel/documents").status_code == 200


def test_a_session_does_not_hold_the_key_and_no_script_can_read_it(serving: Serving, ann: Person):
    with at_panel(serving) as browser:
        cookie = browser.sign_in(ann.key).headers["set-cookie"]
        assert {"HttpOnly", "SameSite=strict", "Path=/panel"} <= set(cookie.split("; "))
        secret = ann.key.removeprefix(PREFIX)
        assert secret not in cookie
        assert all(secret not in browser.get(path).text for path in PAGES)


@pytest.mark.parametrize("shown", ["", "nonsense", f"{PREFIX}nonsense", "a.b.c"])
def test_a_wrong_key_opens_nothing_and_is_not_shown_again(serving: Serving, shown: str):
    with at_panel(serving) as browser:
        refused = browser.sign_in(shown)
        assert refused.status_code == 401
        assert "unknown, expired or revoked" in visible(refused.text)
        assert not shown or shown not in refused.text
        assert browser.get("/panel/memories").status_code == 303


def test_a_form_of_somebody_unknown_is_short(serving: Serving):
    with at_panel(serving) as browser:
        assert browser.sign_in("x" * 20_000).status_code == 413
        assert browser.post("/panel/sign-in", {"key": "%" * 25_000}).status_code == 413
        assert browser.post("/panel/sign-out", {"key": "%" * 25_000}).status_code == 413


def test_a_token_signs_in_as_well(serving: Serving):
    tenant = f"tenant {uuid4()}"
    who = {"sub": "ann", "tenant": tenant, "exp": 4_000_000_000}
    with at_panel(serving) as browser:
        assert browser.sign_in(jwt.encode(who, SECRET, "HS256")).status_code == 303
        assert tenant in browser.text("/panel")


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/panel",
        "//evil.example",
        "/\\evil.example",
        "/v1/models",
        "/panel/../mcp",
        "/panel/%2e%2E/",
    ],
)
def test_signing_in_leads_to_no_other_place_than_the_panel(serving: Serving, ann: Person, wanted: str):
    with at_panel(serving) as browser:
        assert browser.sign_in(ann.key, wanted).headers["location"] == "/panel"


def test_who_signs_out_ends_the_session_in_every_process_wherever_its_cookie_was_copied_to(
    serving: Serving, ann: Person, tmp_path: Path
):
    token = jwt.encode({"sub": "ann", "tenant": ann.tenant, "exp": 4_000_000_000}, SECRET, "HS256")

    def opens(copied: dict[str, str]) -> set[int]:
        return {
            httpx.get(f"{each.server.url}/panel", headers=copied, timeout=60).status_code for each in (serving, other)
        }

    with a_serving(tmp_path, serving.where, **SETTINGS) as other:
        for shown in (ann.key, token):
            with at_panel(serving) as browser, at_panel(serving) as elsewhere:
                browser.sign_in(shown)
                elsewhere.sign_in(shown)
                copied = {"Cookie": f"{COOKIE}={browser.http.cookies[COOKIE]}"}
                assert opens(copied) == {200}
                assert browser.send("/panel", "/panel/sign-out").headers["location"] == "/panel/sign-in?done=signed_out"
                assert opens(copied) == {303}
                assert elsewhere.get("/panel").status_code == 200


def test_a_revoked_key_ends_its_sessions_at_the_next_request(serving: Serving, ann: Person, panel: PanelBrowser):
    assert panel.get("/panel").status_code == 200
    tenant, key = name_id("tenant", ann.tenant), UUID(ann.key_id)
    in_memory_of(serving, lambda memory: memory.api_keys.revoke(tenant, key, at()))
    sent = panel.get("/panel/memories")
    assert sent.status_code == 303
    assert "Your session has ended" in panel.text(sent.headers["location"])


def test_who_signs_out_is_out(panel: PanelBrowser):
    assert panel.send("/panel", "/panel/sign-out").status_code == 303
    assert panel.get("/panel").status_code == 303


def test_hostile_text_is_shown_as_text_on_every_page(serving: Serving, ann: Person, panel: PanelBrowser):
    memory_id = remember(serving, ann, HOSTILE)
    talk(serving, ann, "<b>chat</b>", HOSTILE, "What do I like?")
    seen = crawl(panel)
    assert any(HOSTILE.split(" I ")[0] in visible(page) for page in seen.values())
    assert HOSTILE in visible(seen[place_of(memory_id)])
    for path, page in seen.items():
        assert dangers_in(page) == [], path
        assert "49" not in visible(page).replace(ann.tenant, "").partition("I like")[2][:80], path


class _Dangers(HTMLParser):
    """Collects what would run or load something that is not the panel's."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = [("src", value) for name, value in attrs if name == "src" and (value or "").startswith("/panel/static/")]
        if tag == "script" and not own:
            self.found.append(tag)
        if tag in {"style", "iframe", "object", "embed", "base"}:
            self.found.append(tag)
        for name, value in attrs:
            leads = name in {"src", "href", "action"} and not (value or "").startswith(("/panel", "#", "?"))
            if leads or name == "style" or name.startswith("on"):
                self.found.append(f"{tag} {name}={value}")


def dangers_in(page: str) -> list[str]:
    """Elements and attributes of a page that no page of the panel has."""
    parser = _Dangers()
    parser.feed(page)
    return parser.found


def crawl(browser: PanelBrowser, most: int = 60) -> dict[str, str]:
    """Every page that links lead to."""
    seen, waiting = dict[str, str](), ["/panel"]
    while waiting and len(seen) < most:
        path = waiting.pop(0)
        response = browser.get(path)
        assert response.status_code == 200, (path, visible(response.text))
        seen[path] = response.text
        known = {*seen, *waiting}
        waiting += [each for each in browser.links(path, "/panel") if each not in known and not is_aside(each)]
    return seen


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_page_says_what_only_those_understand_who_built_brain(
    serving: Serving, ann: Person, panel: PanelBrowser, language: str
):
    """A person's own words may say anything, so those of the test are plain."""
    for minutes, each in enumerate(("My job is nursing.", "My boss at work is called Carl.", "My job starts at six.")):
        remember(serving, ann, each, minutes)
    talk(serving, ann, "kitchen", "What is my job?", "I like green tea.")
    talk(serving, ann, "work", "Forget everything about my job.")
    panel.get(f"/panel/language/{language}")
    pages = crawl(panel, 80)
    found = {path: find_internal_words(visible(page)) for path, page in pages.items() if path not in PROSE}
    assert any("/answers/" in path for path in found)
    assert {path: words for path, words in found.items() if words} == {}


def test_the_servers_own_address_leads_to_the_panel(serving: Serving):
    with at_panel(serving) as browser:
        led = browser.get("/")
        assert (led.status_code, led.headers["location"]) == (307, "/panel")


def test_times_are_in_the_zone_that_the_browser_names_and_each_page_names_it(
    serving: Serving, ann: Person, panel: PanelBrowser
):
    place = place_of(remember(serving, ann, "I like green tea."))
    assert "Times are in UTC." in panel.text(place)
    panel.http.cookies.set("brain_panel_zone", "Asia%2FShanghai", path="/panel")
    moments = re.findall(r'<time datetime="([^"]+)">([^<]+)</time>', panel.get(place).text)
    assert moments
    assert {shown for _, shown in moments} <= {
        form.format(datetime.fromisoformat(at).astimezone(ZoneInfo("Asia/Shanghai")))
        for at, _ in moments
        for form in ("{:%Y-%m-%d %H:%M}", "{:%Y-%m-%d}")
    }
    for path in PAGES:
        assert "Times are in Asia/Shanghai." in panel.text(path)


def test_the_overview_begins_with_what_waits(serving: Serving, ann: Person, panel: PanelBrowser):
    assert "Nothing waits for you." in panel.text("/panel")
    for minutes, each in enumerate(JOB):
        remember(serving, ann, each, minutes)
    talk(serving, ann, "work", "Forget everything about my job.")
    page = panel.text("/panel")
    order = ("What waits for you", "Forget memories", "Learned lately", "a turn would work now", "Memories over time")
    places = [page.index(each) for each in order]
    assert places == sorted(places)
    (waits,) = [each for each in panel.links("/panel", "/panel/conversations/") if "needs" not in each][:1]
    assert 'action="/panel/approvals/' in panel.get(waits).text


def is_aside(path: str) -> bool:
    return path.startswith(("/panel/language", "/panel/static"))


def test_memories_are_searched_filtered_and_shown_by_day(serving: Serving, ann: Person, panel: PanelBrowser):
    tea, nurse = remember(serving, ann, "I like green tea."), remember(serving, ann, "My sister is a nurse.", 1)
    assert set(panel.links("/panel/memories", "/panel/memories/")) == {place_of(tea), place_of(nurse)}
    assert panel.links("/panel/memories?q=green+tea", "/panel/memories/")[0] == place_of(tea)
    assert panel.links("/panel/memories?type=fact", "/panel/memories/") == []
    assert place_of(tea) in panel.links("/panel/memories?type=preference", "/panel/memories/")
    assert panel.links("/panel/memories?status=deleted", "/panel/memories/") == []
    assert panel.get("/panel/memories?type=nonsense").status_code == 400
    assert panel.get("/panel/memories?page=99999999999").status_code == 400
    assert panel.get("/panel/memories?page=999").status_code == 200


def test_many_memories_come_in_pages(serving: Serving, ann: Person, panel: PanelBrowser):
    async def write(memory: MemoryCore) -> None:
        for number in range(51):
            await write_memory(memory, ann, f"Fact number {number}.")

    in_memory_of(serving, write)
    first = panel.links("/panel/memories", "/panel/memories/")
    (onward,) = panel.links("/panel/memories", "?")
    second = panel.links(f"/panel/memories{onward}", "/panel/memories/")
    assert (len(first), len(second), len({*first, *second})) == (50, 1, 51)


def test_a_memory_shows_its_verified_quote_and_one_that_was_tampered_with(
    serving: Serving, ann: Person, panel: PanelBrowser
):
    memory_id = remember(serving, ann, "I like green tea.")
    assert "“" not in panel.text(place_of(memory_id))
    assert "I like green tea. ✓ verified" in panel.text(place_of(memory_id))
    with psycopg.connect(serving.where.owner) as owner:
        owner.execute("alter table brain.conversation_events disable trigger user")
        owner.execute(
            "update brain.conversation_events set text = 'I like gravel tea.' where tenant_id = %s",
            (ann.scope.tenant_id,),
        )
        owner.execute("alter table brain.conversation_events enable trigger user")
    assert "✗ does not match its hash" in panel.text(place_of(memory_id))


def test_a_correction_counts_in_the_next_turn_and_stands_in_the_history(
    serving: Serving, ann: Person, panel: PanelBrowser
):
    memory_id = remember(serving, ann, "My favourite drink is green tea.")
    done = panel.send(place_of(memory_id), f"{place_of(memory_id)}/correct", text="My favourite drink is cocoa.")
    assert (done.status_code, done.headers["location"]) == (303, f"{place_of(memory_id)}?done=corrected")
    page = panel.get(done.headers["location"]).text
    assert "Corrected." in visible(page)
    assert "<del>green tea</del><ins>cocoa</ins>" in page
    (reply,) = talk(serving, ann, "after", "What is my favourite drink?")
    assert "cocoa" in reply
    assert "green tea" not in reply


def test_a_form_that_is_sent_twice_changes_once(serving: Serving, ann: Person, panel: PanelBrowser):
    place = place_of(remember(serving, ann, "I like green tea."))
    fields = {**hidden_fields(panel.get(place).text), "text": "I like cocoa."}
    assert [panel.post(f"{place}/correct", fields).status_code for _ in range(2)] == [303, 303]
    assert "version 2" in panel.text(place)
    assert "version 3" not in panel.text(place)


def test_forgetting_takes_two_steps_and_can_be_taken_back(serving: Serving, ann: Person, panel: PanelBrowser):
    place = place_of(remember(serving, ann, "My locker is number seven."))
    assert panel.links(place, f"{place}/forget") == [f"{place}/forget"]
    assert "Forget this?" in panel.text(f"{place}/forget")
    assert "My locker" in panel.text("/panel/memories")
    assert panel.send(f"{place}/forget", f"{place}/forget").status_code == 303
    assert "My locker" not in panel.text("/panel/memories")
    assert "My locker" in panel.text("/panel/memories?status=deleted")
    assert "seven" not in "".join(talk(serving, ann, "after forgetting", "What is my locker number?"))
    assert panel.send(place, f"{place}/restore", version="1").status_code == 303
    assert "My locker" in panel.text("/panel/memories")


def test_of_a_long_history_the_last_fifty_versions_are_shown(serving: Serving, ann: Person, panel: PanelBrowser):
    memory_id = remember(serving, ann, "I like tea number 1.")

    async def correct(memory: MemoryCore) -> None:
        for number in range(2, 54):
            author = Author(operator="user", reason="said so", idempotency_key=f"{memory_id} {number}", at=at(number))
            await memory.items.correct(ann.scope, memory_id, f"I like tea number {number}.", author)

    assert "Older versions" not in panel.text(place_of(memory_id))
    in_memory_of(serving, correct)
    page = panel.get(place_of(memory_id)).text
    assert re.findall(r"<b>version (\d+)</b>", page) == [str(number) for number in range(53, 3, -1)]
    assert "Older versions that are not shown: 3." in visible(page)


def test_a_memory_is_pinned_excluded_and_used_as_normal_again(serving: Serving, ann: Person, panel: PanelBrowser):
    place = place_of(remember(serving, ann, "My favourite drink is plum wine."))
    offered = f'action="({place}/use/[a-z]+)"'
    assert re.findall(offered, panel.get(place).text) == [f"{place}/use/pinned", f"{place}/use/excluded"]
    for use, tag, others in (
        ("pinned", "pinned", ["excluded", "auto"]),
        ("excluded", "excluded from use", ["pinned", "auto"]),
        ("auto", "", ["pinned", "excluded"]),
    ):
        done = panel.send(place, f"{place}/use/{use}")
        assert (done.status_code, done.headers["location"]) == (303, f"{place}?done=use_{use}")
        assert 'role="status"' in panel.get(done.headers["location"]).text
        assert re.findall(offered, panel.get(place).text) == [f"{place}/use/{each}" for each in others]
        for path in ("/panel/memories", place):
            assert use_tags(panel.get(path).text) == ([tag] if tag else []), (path, use)
        assert ("plum" in "".join(talk(serving, ann, use, "What is my favourite drink?"))) == (use != "excluded")
    assert "use: where it bears on what is said → pinned" in panel.text(place)


def use_tags(page: str) -> list[str]:
    """The uses that the tags of a page name."""
    return re.findall(r'<span class="tag (?:good|over)">(pinned|excluded from use)</span>', page)


def test_the_use_of_a_memory_is_refused_in_words(serving: Serving, ann: Person, panel: PanelBrowser):
    place = place_of(remember(serving, ann, "I like green tea."))
    assert panel.send(place, f"{place}/use/nonsense").status_code == 400
    assert send_as_others(serving, ann, f"{place}/use/excluded") == [404, 404]
    assert panel.post(f"{place}/use/excluded", {"once": "1"}).status_code == 403
    fields = hidden_fields(panel.get(place).text)
    assert panel.post(f"{place}/use/excluded", fields, "https://evil.example").status_code == 403
    reader = serving.person(ann.tenant, "ann", ("memory:read",))
    with at_panel(serving, reader) as browser:
        assert browser.send(place, f"{place}/use/excluded").status_code == 403
    assert "version 1" in panel.text(place)
    panel.send(f"{place}/forget", f"{place}/forget")
    assert f"{place}/use" not in panel.get(place).text
    assert panel.post(f"{place}/use/pinned", fields).status_code == 400


def test_confirming_vouches_for_a_memory(serving: Serving, ann: Person, panel: PanelBrowser):
    place = place_of(remember(serving, ann, "I like green tea."))
    assert panel.send(place, f"{place}/confirm").status_code == 303
    assert "confidence 100 %" in panel.text(place)


@pytest.mark.parametrize(
    ("act", "fields"),
    [
        ("correct", {"text": ""}),
        ("correct", {"text": "x" * 2_001}),
        ("correct", {"text": "a\x00b"}),
        ("correct", {}),
        ("restore", {"version": "-1"}),
        ("restore", {"version": "seven"}),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(
    serving: Serving, ann: Person, panel: PanelBrowser, act: str, fields: dict[str, str]
):
    place = place_of(remember(serving, ann, "I like green tea."))
    refused = panel.send(place, f"{place}/{act}", **fields)
    assert refused.status_code == 400
    assert "E_BAD_REQUEST" in visible(refused.text)
    assert "version 1" in panel.text(place)


def test_an_answer_is_two_clicks_from_its_verified_quotes(serving: Serving, ann: Person, panel: PanelBrowser):
    memory_id = remember(serving, ann, "My favourite drink is green tea.")
    remember(serving, ann, "My sister lives in Lyon.", 1)
    talk(serving, ann, "kitchen", "What is my favourite drink?")
    (conversation,) = [
        each
        for each in panel.links("/panel/conversations", "/panel/conversations/")
        if "chat:kitchen" in panel.text(each)
    ]
    (answer,) = panel.links(conversation, "/panel/answers/")
    page = panel.text(answer)
    used, _, left_out = page.partition("Considered and left out")
    assert "My favourite drink is green tea." in used
    assert "✓ verified" in used
    assert re.search(r"score \d\.\d{3}", used)
    assert "My sister lives in Lyon." in left_out
    assert "By words and meaning" in left_out
    assert answer in panel.links(place_of(memory_id), "/panel/answers/")


def test_what_was_forgotten_is_in_no_conversation_and_no_receipt(serving: Serving, ann: Person, panel: PanelBrowser):
    memory_id = remember(serving, ann, "My favourite drink is plum wine.")
    talk(serving, ann, "secret", "What is my favourite drink?")
    answers = [
        link
        for each in panel.links("/panel/conversations", "/panel/conversations/")
        for link in panel.links(each, "/panel/answers/")
    ]
    assert any("plum" in panel.text(each) for each in answers)
    panel.send(f"{place_of(memory_id)}/forget", f"{place_of(memory_id)}/forget")
    pages = [*panel.links("/panel/conversations", "/panel/conversations/"), *answers]
    assert [each for each in pages if "plum" in panel.text(each)] == []
    assert any("Forgotten since" in panel.text(each) for each in answers)


def test_conflicts_are_settled(serving: Serving, ann: Person, panel: PanelBrowser):
    async def disagree(memory: MemoryCore) -> tuple[UUID, UUID]:
        more: dict[str, Any] = {"slot": "user|eats_meat", "single_valued": True, "item_type": "constraint"}
        held = await write_memory(memory, ann, "I never eat meat.", provenance="confirmed_by_user", **more)
        new = await write_memory(memory, ann, "I eat meat.", provenance="analysis", observed_at=at(5), **more)
        return held, new

    held, new = in_memory_of(serving, disagree)
    (conflict,) = in_memory_of(serving, lambda memory: memory.conflicts.list_conflicts(ann.scope))
    assert "I never eat meat." in panel.text("/panel/conflicts")
    action = f"/panel/conflicts/{conflict.conflict_id}"
    fields = hidden_fields(panel.get("/panel/conflicts").text)
    assert panel.send("/panel/conflicts", action, resolution="nonsense").status_code == 400
    assert panel.send("/panel/conflicts", action, resolution="discard:nobody").status_code == 400
    assert send_as_others(serving, ann, action, resolution="keep") == [404, 404]
    assert panel.send("/panel/conflicts", action, resolution=f"discard:{held}").status_code == 303
    assert "No memories contradict each other." in panel.text("/panel/conflicts")
    assert "superseded" in panel.text(place_of(new))
    assert panel.post(action, fields | {"once": "again", "resolution": "keep"}).status_code == 404


def send_as_others(serving: Serving, who: Person, action: str, **fields: str) -> list[int]:
    """What somebody else of the same tenant and of another one get for a form of this person's."""
    statuses = list[int]()
    for other in (serving.person(who.tenant, "bob", SCOPES), serving.person(scopes=SCOPES)):
        with at_panel(serving, other) as browser:
            statuses.append(browser.send("/panel/chat", action, **fields).status_code)
    return statuses


JOB = ("My job is nursing.", "My boss at work is called Carl.", "My job starts at six.")


@pytest.mark.parametrize(("decision", "kept"), [("approve", 0), ("reject", 3), ("edit", 2)])
def test_an_approval_is_decided(serving: Serving, ann: Person, panel: PanelBrowser, decision: str, kept: int):
    for minutes, each in enumerate(JOB):
        remember(serving, ann, each, minutes)
    (asked,) = talk(serving, ann, "work", "Forget everything about my job.")
    assert "needs your approval" in asked
    page = panel.get("/panel/approvals").text
    assert all(each in visible(page) for each in JOB)
    action = re.findall(r'action="(/panel/approvals/[^"]+)"', page)[0]
    conversation = action.replace("approvals", "conversations")
    assert "waits for your decision" in panel.text(conversation)
    interrupt = re.findall(r'name="interrupt" value="([^"]+)"', page)[0]
    fields = hidden_fields(page) | {"interrupt": interrupt, "edited0": JOB[0]}
    assert panel.post(action, fields).status_code == 400
    if decision == "approve":
        assert send_as_others(serving, ann, action, interrupt=interrupt, decision0="approve") == [404, 404]
    assert panel.post(action, fields | {"decision0": decision}).status_code == 303
    assert "Nothing waits for you." in panel.text("/panel/approvals")
    assert "waits for your decision" not in panel.text(conversation)
    assert sum(each in panel.text("/panel/memories") for each in JOB) == kept
    assert panel.post(action, fields | {"decision0": decision}).status_code == 409


def test_a_document_is_read_edited_and_brought_back(serving: Serving, ann: Person, panel: PanelBrowser):
    place = place_of(remember(serving, ann, "I like green tea."))
    panel.send(place, f"{place}/confirm")
    document, edit = "/panel/documents/profile", "/panel/documents/profile/edit"
    assert panel.links("/panel/documents", document) == [document]
    assert "green tea" in panel.text(document)
    assert "<!--" not in panel.text(document)
    body, version = source_of(panel, edit)
    saved = panel.send(edit, edit, body=f"My own line.\n{body}", version=version)
    assert saved.headers["location"] == f"{document}?done=saved"
    assert "My own line." in panel.text(document)
    stale = panel.send(edit, edit, body=f"Another line.\n{body}", version=version)
    assert stale.status_code == 409
    assert "Another line." in visible(stale.text)
    assert panel.send(document, "/panel/documents/profile/restore", version=version).status_code == 303
    shown = panel.get(document).text.partition('<div class="document rendered">')[2].partition("</div>")[0]
    assert "green tea" in shown
    assert "My own line." not in shown


def test_who_runs_the_tenant_writes_its_knowledge_and_the_others_read_it(
    serving: Serving, ann: Person, panel: PanelBrowser
):
    boss = serving.person(ann.tenant, "boss", (*SCOPES, "admin"))  # type: ignore[arg-type]
    fields = {"topic": "hours", "owner": "Eve", "org_tier": "", "brand": "", "platform": ""}
    with at_panel(serving, boss) as office:
        added = office.send("/panel/knowledge", "/panel/knowledge", text="Shops close at <eight>.", **fields)
        entry = added.headers["location"].partition("?")[0]
        assert "Shops close at <eight>." in panel.text("/panel/knowledge?q=When+do+shops+close%3F")
        stale = dict(hidden_fields(office.get(entry).text))
        office.send(entry, entry, text="Shops close at nine.", revision="1", **fields)
        assert "Shops close at <eight>." in panel.text(entry)
        refused = office.post(entry, {**stale, "text": "Shops close at ten.", "revision": "1", **fields})
        assert refused.status_code == 409
        assert "Shops close at ten." in visible(refused.text)
        assert office.send(entry, f"{entry}/remove").status_code == 303
    assert "no answer reads it any more" in panel.text(entry)
    assert panel.send("/panel/knowledge", "/panel/knowledge", text="Mine.", **fields).status_code == 403
    assert "Mine." not in panel.text("/panel/knowledge")


def test_a_changed_line_of_a_document_corrects_its_memory(serving: Serving, ann: Person, panel: PanelBrowser):
    place = place_of(remember(serving, ann, "I like green tea."))
    panel.send(place, f"{place}/confirm")
    edit = "/panel/documents/profile/edit"
    body, version = source_of(panel, edit)
    assert panel.send(edit, edit, body=body.replace("green tea", "cocoa"), version=version).status_code == 303
    assert "I like cocoa." in panel.text(place)


def source_of(panel: PanelBrowser, edit: str) -> tuple[str, str]:
    """The text in the form of a document, and which version it is of."""
    page = panel.get(edit).text
    found = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    version = re.search(r'name="version" value="(\d+)"', page)
    assert found
    assert version
    return html.unescape(found[1]), version[1]


def test_jobs_usage_and_health_tell_how_it_goes(serving: Serving, ann: Person, panel: PanelBrowser):
    talk(serving, ann, "kitchen", "I like green tea.")
    assert "chat:kitchen" in panel.text("/panel/jobs")
    assert "waiting to be learned from" in panel.text("/panel/jobs")
    assert "0 tokens today." in panel.text("/panel/usage")
    assert "a turn would work now" in panel.text("/panel/health")


@pytest.mark.parametrize("path", ["/panel/nothing", "/panel/memories/7", f"/panel/memories/{UUID(int=7)}"])
def test_what_is_not_there_is_a_page_that_says_so(panel: PanelBrowser, path: str):
    refused = panel.get(path)
    assert (refused.status_code, "There is nothing here" in visible(refused.text)) == (404, True)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", None, "http://127.0.0.1:1"])
def test_a_form_of_another_page_changes_nothing(serving: Serving, ann: Person, panel: PanelBrowser, origin: str | None):
    place = place_of(remember(serving, ann, "I like green tea."))
    fields = {**hidden_fields(panel.get(place).text), "text": "I like poison."}
    assert panel.post(f"{place}/correct", fields, origin).status_code == 403
    assert "poison" not in panel.text(place)


def test_another_site_cannot_put_a_session_of_its_own_into_a_browser(serving: Serving):
    with at_panel(serving) as browser:
        asked = browser.get("/panel/memories", **{"Sec-Fetch-Site": "cross-site"})
        assert (asked.status_code, "set-cookie" in asked.headers) == (200, False)
        assert 'http-equiv="refresh"' in asked.text
        sent = browser.post("/panel/sign-in", {"key": "nonsense"})
        assert (sent.status_code, "set-cookie" in sent.headers) == (403, False)


def test_a_form_without_the_sessions_own_token_changes_nothing(serving: Serving, ann: Person, panel: PanelBrowser):
    place = place_of(remember(serving, ann, "I like green tea."))
    own = {**hidden_fields(panel.get(place).text), "text": "I like poison."}
    with at_panel(serving, serving.person(ann.tenant, "bob", SCOPES)) as other:
        theirs = hidden_fields(other.get("/panel").text)["form_token"]
    for token in ("", "nonsense", "ä", theirs):
        assert panel.post(f"{place}/correct", own | {"form_token": token}).status_code == 403
    assert panel.post(f"{place}/correct", {name: own[name] for name in ("once", "text")}).status_code == 403
    assert "poison" not in panel.text(place)


def test_a_session_that_was_made_elsewhere_counts_for_nothing(serving: Serving, panel: PanelBrowser):
    cookie = panel.http.cookies["brain_panel"]
    with at_panel(serving) as browser:
        for forged in (cookie[:-2], cookie.replace(".", "", 1), "x", "x" * 10_000):
            response = browser.get("/panel", Cookie=f"brain_panel={forged}")
            assert response.status_code == 303


def test_nobody_sees_or_changes_what_is_anothers(serving: Serving, ann: Person, panel: PanelBrowser):
    memory_id = remember(serving, ann, "My favourite drink is plum wine.")
    talk(serving, ann, "plum chat", "What is my favourite drink?")
    panel.send(place_of(memory_id), f"{place_of(memory_id)}/confirm")
    hers = crawl(panel)
    assert sum("plum" in page for page in hers.values()) > 4
    others = (serving.person(ann.tenant, "bob", SCOPES), serving.person(scopes=SCOPES))
    for other in others:
        with at_panel(serving, other) as browser:
            assert [path for path in hers if "plum" in browser.get(path).text and "q=" not in path] == []
            theirs = hidden_fields(browser.get("/panel").text)
            for act in ("correct", "confirm", "forget", "restore", "use/pinned"):
                fields = theirs | {"text": "Mine.", "version": "1", "once": "1"}
                assert browser.post(f"{place_of(memory_id)}/{act}", fields).status_code == 404
    assert "version 2" in panel.text(place_of(memory_id))
    assert "Mine." not in panel.text(place_of(memory_id))


def test_who_may_only_read_finds_no_button_and_changes_nothing(serving: Serving, ann: Person):
    reader = serving.person(ann.tenant, "ann", ("memory:read",))
    place = place_of(remember(serving, ann, "I like green tea."))
    with at_panel(serving, reader) as browser:
        page = browser.get(place).text
        assert f'action="{place}' not in page
        fields = hidden_fields(page) | {"text": "I like cocoa."}
        assert browser.post(f"{place}/correct", fields).status_code == 403
        assert browser.get("/panel/documents/profile/edit").status_code == 403
    writer = serving.person(ann.tenant, "ann", ("memory:write",))
    with at_panel(serving) as browser:
        assert browser.sign_in(writer.key).status_code == 403


def test_the_panel_speaks_chinese(serving: Serving, ann: Person, panel: PanelBrowser):
    talk(serving, ann, "kitchen", "我喜欢喝乌龙茶。")
    page = panel.get("/panel/conversations", **{"Accept-Language": "fr, zh-CN;q=0.8, en;q=0.1"})
    assert '<html lang="zh-Hans">' in page.text
    assert "chat:kitchen" in page.text
    chosen = panel.get("/panel/language/zh?next=/panel/memories%3Ftype%3Dfact")
    assert chosen.headers["location"] == "/panel/memories?type=fact"
    for path in PAGES:
        text = panel.get(path).text
        assert '<html lang="zh-Hans">' in text
        assert "记忆" in text
    assert panel.get("/panel/language/zh?next=//evil.example").headers["location"] == "/panel"
    assert panel.get("/panel/language/tlh").status_code == 400


def test_pages_load_nothing_from_elsewhere_and_say_so(panel: PanelBrowser):
    for path in (*PAGES, "/panel/sign-in", "/panel/nothing"):
        response = panel.get(path)
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert response.headers["cache-control"] == "no-store"
        assert not re.search(r'(?:src|href|action)="(?:https?:)?//', response.text)
    for file in panel.links("/panel", "/panel/static/"):
        assert panel.get(file).status_code == 200
    assert panel.get("/panel/static/../page.py").status_code == 404


def test_a_proposal_is_read_and_decided_by_an_administrator_and_by_nobody_else(serving: Serving, ann: Person):
    boss = serving.person(ann.tenant, "boss", (*SCOPES, "admin"))  # type: ignore[arg-type]
    point = "I put a summary in front of a long answer."
    change = {"op": "add", "section": "Habits", "new": point}
    asked = {"intent": "Be easy to read.", "evidence": "Three long answers were skipped.", "changes": [change]}
    with httpx.Client(base_url=serving.server.url, timeout=60) as http:
        made = MemoryClient(http, ann).send("POST", "soul/proposals", asked)
    assert made.status_code == 201, made.text
    number = made.json()["data"]["version"]
    with at_panel(serving, ann) as browser:
        assert point not in browser.text("/panel/soul")
        assert browser.send("/panel/chat", f"/panel/soul/{number}/decision", decision="approve").status_code == 403
        assert browser.get(f"/panel/soul/{number}").status_code == 403
    with at_panel(serving, boss) as browser:
        shown = browser.text("/panel/soul")
        assert f"Version {number} proposed" in shown
        assert point in shown
        assert "no model has judged it" in shown
        assert browser.send("/panel/soul", f"/panel/soul/{number}/decision", decision="approve").status_code == 303
        assert f"In force: version {number}" in browser.text("/panel/soul")
        assert point in browser.text(f"/panel/soul/{number}")
        browser.send("/panel/soul", "/panel/soul/rollback")
        assert f"In force: version {number + 1}" in browser.text("/panel/soul")
        browser.send("/panel/soul", "/panel/soul/pause")
        assert "Changes are paused" in browser.text("/panel/soul")
        browser.send("/panel/soul", "/panel/soul/resume")
        browser.get("/panel/language/zh")
        assert "Brain 在这里是什么样" in browser.text("/panel/soul")
