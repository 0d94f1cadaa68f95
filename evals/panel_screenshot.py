"""The README's picture of the panel, on made-up talk: ``python -m evals.panel_screenshot [--out FILE] [--page PAGE]``.

It needs Debian's packages chromium and chromium-driver.
"""

import argparse
import asyncio
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from apps.calibration.measurement import a_database
from evals.evaluation.scratch import a_server
from evals.served import Person, Served, a_served

KEPT = Path(__file__).parents[1] / "docs" / "images" / "panel.png"
WIDTH, HEIGHT = 1040, 760
"""Pixels of the window."""
SECONDS = 60.0
SAID = (
    "I live in Ghent.",
    "My dentist is Doctor Okafor.",
    "I am allergic to walnuts.",
    "I like green tea in the morning.",
    "I moved to Lyon last week.",
    "Where do I live?",
)
ANN = Person(tenant="acme", user="ann")


@contextmanager
def a_browser() -> Generator[Chrome]:
    """Chromium without a screen. Raises ``RuntimeError`` where there is none."""
    driver = shutil.which("chromedriver")
    if driver is None:
        raise RuntimeError("There is no chromedriver: install Debian's packages chromium and chromium-driver.")
    options = ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for each in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--lang=en-US",
    ):
        options.add_argument(each)  # pyright: ignore[reportUnknownMemberType]
    chrome = Chrome(options=options, service=Service(driver))
    try:
        yield chrome
    finally:
        chrome.quit()


def talk(served: Served) -> None:
    """Say what there is to see, as a chat client does."""
    messages = list[dict[str, Any]]()
    headers = {**ANN.headers, "X-Chat-Id": str(uuid4())}
    with httpx.Client(base_url=served.url, headers=headers, timeout=SECONDS) as client:
        for text in SAID:
            messages.append({"role": "user", "content": text})
            answer = client.post("/v1/chat/completions", json={"model": "brain", "messages": messages})
            messages.append(answer.raise_for_status().json()["choices"][0]["message"])


def sign_in(chrome: Chrome, served: Served) -> None:
    """As Ann, with a token of hers."""
    chrome.get(f"{served.url}/panel")
    chrome.find_element(By.ID, "key").send_keys(ANN.headers["Authorization"].removeprefix("Bearer "), Keys.ENTER)
    WebDriverWait(chrome, SECONDS).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "nav"))


def wait_for_memories(chrome: Chrome, served: Served) -> None:
    """Until the worker has made a memory of the last thing that Ann told. Raises selenium's ``TimeoutException``."""

    def shown(driver: Chrome) -> bool:
        driver.get(f"{served.url}/panel/memories")
        return "Lyon" in driver.find_element(By.TAG_NAME, "main").text

    WebDriverWait(chrome, SECONDS).until(shown)  # pyright: ignore[reportArgumentType]


async def picture(server: str, page: str, out: Path) -> None:
    """Talk, wait until memory has grown, and keep the picture of a page."""
    out.parent.mkdir(parents=True, exist_ok=True)
    async with a_database(server) as where:
        with a_served(where) as served, a_browser() as chrome:
            talk(served)
            chrome.set_window_size(WIDTH, HEIGHT)  # pyright: ignore[reportUnknownMemberType]
            sign_in(chrome, served)
            wait_for_memories(chrome, served)
            chrome.get(f"{served.url}/panel/{page}")
            chrome.save_screenshot(str(out))  # pyright: ignore[reportUnknownMemberType]


def main() -> None:
    """Make the picture, in a database that is dropped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=KEPT)
    parser.add_argument("--page", default="memories", help="the part of its address behind /panel/")
    asked = parser.parse_args()
    with a_server() as server:
        asyncio.run(picture(server, asked.page, asked.out))
    print(asked.out)


if __name__ == "__main__":
    main()
