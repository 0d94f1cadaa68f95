"""The panel in headless Chromium: accessible by axe, usable by keyboard and on a phone, deaf to foreign pages."""

import shutil
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.conftest import a_database
from tests.integration.panel_browser import SCOPES, remember, talk
from tests.integration.serving import Person, Serving, a_serving
from tests.pictures import a_png

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""
DRIVER = shutil.which("chromedriver") or ""
AXE = """const done = arguments[arguments.length - 1];
axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]})
   .then(found => done(found.violations.map(each => each.id + " " + each.nodes.map(node => node.html).join(", "))));"""
PHONE, DESK = (360, 740), (1280, 860)

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="no Chromium: install Debian's packages chromium and chromium-driver"
)


@pytest.fixture(scope="module")
def serving(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder = tmp_path_factory.mktemp("panel")
    with a_database(server_url) as where, a_serving(folder, where, auth_api_keys="true", approval_bulk="2") as up:
        yield up


@pytest.fixture(scope="module")
def ann(serving: Serving) -> Person:
    """Somebody with memories, a conversation, and something to decide."""
    who = serving.person(scopes=SCOPES)
    told = ("My favourite drink is green tea.", "My job is nursing.", "My boss at work is called Carl.")
    for minutes, each in enumerate((*told, "My job starts at six.", '<b>"Bold"</b> & 我喜欢喝乌龙茶。')):
        remember(serving, who, each, minutes)
    talk(serving, who, "kitchen", "What is my favourite drink?")
    talk(serving, who, "work", "Forget everything about my job.")
    return who


@pytest.fixture(scope="module")
def chrome() -> Iterator[Chrome]:
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for each in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en-US"):
        options.add_argument(each)  # pyright: ignore[reportUnknownMemberType]
    driver = Chrome(options=options, service=Service(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture
def panel(chrome: Chrome, serving: Serving, ann: Person) -> Chrome:
    """The browser, signed in, on a desk in the light."""
    chrome.delete_all_cookies()
    show_as(chrome, DESK, "light")
    chrome.get(f"{serving.server.url}/panel")
    chrome.find_element(By.ID, "key").send_keys(ann.key, Keys.ENTER)
    WebDriverWait(chrome, 10).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "nav"))
    return chrome


def show_as(chrome: Chrome, size: tuple[int, int], scheme: str) -> None:
    """A window of that size, on a system of that colour scheme."""
    screen = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    command(chrome, "Emulation.setDeviceMetricsOverride", screen)
    command(chrome, "Emulation.setEmulatedMedia", media)


def command(chrome: Chrome, name: str, arguments: dict[str, Any]) -> None:
    chrome.execute_cdp_cmd(name, arguments)  # pyright: ignore[reportUnknownMemberType]


def run(chrome: Chrome, script: str) -> Any:
    return chrome.execute_script(script)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def violations(chrome: Chrome) -> list[str]:
    """What axe objects to on this page."""
    run(chrome, files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
    return chrome.execute_async_script(AXE)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def pages(chrome: Chrome) -> list[str]:
    """An address of every kind of page, found by its links."""
    found = addresses(chrome, "nav a")
    for list_page, kind in (("memories", "a.words"), ("conversations", "a.words"), ("documents", "a.words")):
        chrome.get(next(each for each in found if each.endswith(f"/{list_page}")))
        found += addresses(chrome, f"main {kind}")[:1]
    conversation = next(each for each in found if "/conversations/" in each)
    chrome.get(conversation)
    answer = addresses(chrome, "main a[href*='/answers/']")[:1]
    memory = next(each for each in found if "/memories/" in each)
    more = [
        f"{found[0]}/add-memory",
        f"{found[0]}/memories?all=1",
        conversation.replace("conversations", "remembering"),
    ]
    return [*found, *answer, *more, f"{memory}/forget", f"{found[0]}/memories?q=tea", f"{found[0]}/nothing"]


def addresses(chrome: Chrome, selector: str) -> list[str]:
    return [str(each.get_attribute("href")) for each in chrome.find_elements(By.CSS_SELECTOR, selector)]  # pyright: ignore[reportUnknownMemberType]


def test_every_page_is_accessible_fits_a_phone_and_asks_nobody_else(panel: Chrome, serving: Serving):
    host = urlsplit(serving.server.url).netloc
    panel.get_log("browser")  # pyright: ignore
    for address in pages(panel):
        show_as(panel, DESK, "light")
        panel.get(address)
        assert violations(panel) == [], address
        show_as(panel, PHONE, "dark")
        assert violations(panel) == [], f"{address}, dark, on a phone"
        assert run(panel, "return document.documentElement.scrollWidth") <= PHONE[0], address
        loaded = run(panel, "return performance.getEntriesByType('resource').map(each => each.name)")
        assert {urlsplit(str(each)).netloc for each in loaded} <= {host}, address
    errors = [each for each in panel.get_log("browser") if "404" not in each["message"]]  # pyright: ignore
    assert errors == []


def test_the_chinese_page_is_accessible_as_well(panel: Chrome):
    panel.find_element(By.LINK_TEXT, "中文").click()
    assert panel.find_element(By.TAG_NAME, "h1").text == "Brain 记住了什么"
    assert violations(panel) == []


def test_the_keyboard_alone_corrects_a_memory(panel: Chrome, serving: Serving, ann: Person):
    memory_id = remember(serving, ann, "My cat is called Tom.", 9)
    panel.get(f"{serving.server.url}/panel/memories/{memory_id}")
    press(panel, Keys.TAB)
    assert panel.switch_to.active_element.text == "Skip to content"
    press(panel, Keys.ENTER, Keys.TAB)
    for _ in range(10):
        if panel.switch_to.active_element.get_attribute("name") == "text":  # pyright: ignore[reportUnknownMemberType]
            break
        press(panel, Keys.TAB)
    press(panel, Keys.CONTROL + "a" + Keys.CONTROL, "My cat is called Felix.", Keys.TAB, Keys.ENTER)
    WebDriverWait(panel, 10).until(lambda driver: "done=corrected" in driver.current_url)
    assert panel.find_element(By.TAG_NAME, "h1").text == "My cat is called Felix."
    (reply,) = talk(serving, ann, "after", "What is my cat called?")
    assert "Felix" in reply


HOSTILE = """And my job? <img src=x onerror="document.title = 'taken over'">"""


def test_messages_are_answered_in_the_panel(panel: Chrome, serving: Serving):
    panel.get(f"{serving.server.url}/panel/chat")
    for number, text in enumerate(("What is my favourite drink?", HOSTILE), 1):
        say(panel, text)
        WebDriverWait(panel, 20).until(
            lambda driver, number=number: len(driver.find_elements(By.CSS_SELECTOR, ".theirs a")) == number
        )
        assert panel.switch_to.active_element.get_attribute("id") == "words"  # pyright: ignore[reportUnknownMemberType]
    assert said_in(panel) == ["What is my favourite drink?", HOSTILE]
    assert "green tea" in panel.find_element(By.CSS_SELECTOR, ".theirs .words").text
    assert (panel.title, panel.find_elements(By.CSS_SELECTOR, "main img")) == ("Chat · Brain", [])
    assert violations(panel) == []
    panel.refresh()
    assert said_in(panel) == ["What is my favourite drink?", HOSTILE]


@pytest.mark.parametrize("size", [(375, 667), DESK])
def test_the_box_and_the_newest_message_are_in_view_in_a_long_conversation(
    panel: Chrome, serving: Serving, size: tuple[int, int]
):
    show_as(panel, size, "light")
    panel.get(f"{serving.server.url}/panel/chat")
    for number in range(1, 5):
        say(panel, f"What is my favourite drink, number {number}?")
        wait_for_replies(panel, number)
        assert is_in_view(panel, "#words")
        assert is_in_view(panel, ".talk > :last-child .words")
    panel.refresh()
    assert is_in_view(panel, "#words")
    assert is_in_view(panel, ".talk > :last-child .words")
    panel.get(f"{serving.server.url}/panel/conversations")
    panel.find_element(By.CSS_SELECTOR, "main a.words").click()
    WebDriverWait(panel, 10).until(lambda driver: driver.find_elements(By.ID, "words"))
    assert is_in_view(panel, "#words")
    assert is_in_view(panel, ".talk > :last-child .words")
    assert run(panel, "return document.documentElement.scrollWidth") <= size[0]
    assert violations(panel) == []


def test_an_approval_is_decided_in_the_chat_that_waits_for_it(panel: Chrome, serving: Serving, ann: Person):
    for minutes, each in enumerate(("My hobby is chess.", "My hobby costs little.", "My hobby began early."), 30):
        remember(serving, ann, each, minutes)
    panel.get(f"{serving.server.url}/panel/chat")
    say(panel, "Forget everything about my hobby.")
    WebDriverWait(panel, 20).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "#waits input[type=radio]"))
    assert violations(panel) == []
    panel.find_element(By.CSS_SELECTOR, "#waits input[value=reject]").click()
    panel.find_element(By.CSS_SELECTOR, "#waits button").click()
    WebDriverWait(panel, 20).until(lambda driver: "done=decided" in driver.current_url)
    assert panel.find_elements(By.CSS_SELECTOR, "#waits input") == []
    assert panel.find_elements(By.ID, "words")


def test_a_picture_is_attached_by_the_script_and_shown(panel: Chrome, serving: Serving, tmp_path: Path):
    picture = tmp_path / "cat.png"
    picture.write_bytes(a_png())
    panel.get(f"{serving.server.url}/panel/chat")
    panel.find_element(By.NAME, "files").send_keys(str(picture))
    say(panel, "Look at this.")
    wait_for_replies(panel, 1)
    assert panel.find_element(By.CSS_SELECTOR, ".mine img").get_attribute("src")  # pyright: ignore[reportUnknownMemberType]
    assert panel.find_element(By.NAME, "files").get_attribute("value") == ""  # pyright: ignore[reportUnknownMemberType]
    assert violations(panel) == []


def test_times_are_in_the_zone_of_the_browser(panel: Chrome, serving: Serving):
    command(panel, "Emulation.setTimezoneOverride", {"timezoneId": "Asia/Shanghai"})
    try:
        for _ in range(2):
            panel.get(f"{serving.server.url}/panel/memories")
            WebDriverWait(panel, 10).until(
                lambda driver: driver.find_element(By.CSS_SELECTOR, "footer").text == "Times are in Asia/Shanghai."
            )
    finally:
        command(panel, "Emulation.setTimezoneOverride", {"timezoneId": ""})


def wait_for_replies(chrome: Chrome, count: int) -> None:
    """Until so many answers stand there with the way to their receipts."""
    WebDriverWait(chrome, 20).until(lambda driver: len(driver.find_elements(By.CSS_SELECTOR, ".theirs a")) == count)


def is_in_view(chrome: Chrome, selector: str) -> bool:
    """Whether an element stands within the window and nothing covers its middle."""
    script = """const at = document.querySelector(arguments[0]).getBoundingClientRect();
    const over = document.elementFromPoint(at.left + 5, Math.max(at.bottom - 5, 1));
    return at.bottom <= innerHeight && at.bottom > 0 && document.querySelector(arguments[0]).contains(over);"""
    return bool(chrome.execute_script(script, selector))  # pyright: ignore[reportUnknownMemberType]


def test_a_message_that_is_refused_can_be_sent_again(panel: Chrome, serving: Serving):
    panel.get(f"{serving.server.url}/panel/chat")
    panel.delete_all_cookies()
    say(panel, "Do not lose me.")
    WebDriverWait(panel, 20).until(lambda driver: driver.find_element(By.CSS_SELECTOR, "form [role=alert]").text)
    assert panel.find_element(By.ID, "words").get_attribute("value") == "Do not lose me."  # pyright: ignore[reportUnknownMemberType]
    assert said_in(panel) == []


def say(chrome: Chrome, text: str) -> None:
    chrome.find_element(By.ID, "words").send_keys(text, Keys.ENTER)


def said_in(chrome: Chrome) -> list[str]:
    """What the person said in the conversation that is open."""
    return [each.text for each in chrome.find_elements(By.CSS_SELECTOR, ".mine .words")]


def press(chrome: Chrome, *keys: str) -> None:
    for each in keys:
        chrome.switch_to.active_element.send_keys(each)


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_foreign_page_in_the_same_browser_changes_nothing(panel: Chrome, serving: Serving, ann: Person, name: str):
    """A page on another port of this machine counts as the same site: cookies come along, and the origin tells."""
    memory_id = remember(serving, ann, f"My dog is called Rex, says {name}.", 20)
    target = f"{serving.server.url}/panel/memories/{memory_id}"
    token = remembered_token(panel, target)
    with a_page(f'<form method="post" action="{target}/forget">{token}<button>Win a prize</button></form>') as port:
        panel.get(f"http://{name}:{port}/")
        assert any("html-has-lang" in each for each in violations(panel)), "axe finds what is wrong"
        panel.find_element(By.TAG_NAME, "button").click()
        WebDriverWait(panel, 10).until(lambda driver: driver.current_url.startswith(serving.server.url))
    panel.get(target)
    assert panel.find_element(By.TAG_NAME, "h1").text == f"My dog is called Rex, says {name}."
    assert panel.find_elements(By.ID, "corrected")


def test_a_link_from_another_site_leads_in_and_signs_nobody_out(panel: Chrome, serving: Serving):
    with a_page(f'<a href="{serving.server.url}/panel/memories">Look</a>') as port:
        panel.get(f"http://localhost:{port}/")
        panel.find_element(By.TAG_NAME, "a").click()
        WebDriverWait(panel, 10).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "main h1"))
    assert panel.find_element(By.TAG_NAME, "h1").text == "Memories"


def remembered_token(chrome: Chrome, target: str) -> str:
    """The form's secrets, as if they had leaked."""
    chrome.get(f"{target}/forget")
    hidden = chrome.find_elements(By.CSS_SELECTOR, "main input[type=hidden]")
    return "".join(str(each.get_attribute("outerHTML")) for each in hidden)  # pyright: ignore[reportUnknownMemberType]


@contextmanager
def a_page(body: str) -> Generator[int]:
    """A web server of somebody else's, on this machine; its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>Prizes</title>{body}".encode())

        def log_message(self, format: str, *args: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
