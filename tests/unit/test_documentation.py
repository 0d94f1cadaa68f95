"""What the README and the pages of docs name exists: files, settings, commands and their options."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import AliasChoices

from apps.cli.chat_commands import COMMANDS as CHAT_COMMANDS
from apps.cli.commands import COMMANDS, load_command
from brain.settings import Settings

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
OF_CLIENTS = {"BRAIN_KEY"}
"""Variables that a client reads, not Brain."""

_COMMAND = re.compile(r"(?m)(?:`|^|/|brain |… )brain ([a-z]+)((?: [a-z-]+)*)")
_CHAT_COMMAND = re.compile(r"`(/[a-z]+)[` ]")


def setting_names() -> set[str]:
    """Every environment variable that Brain reads."""
    names: set[str] = set()
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        names |= {str(each) for each in alias.choices} if isinstance(alias, AliasChoices) else {f"BRAIN_{name.upper()}"}
    return names


@pytest.fixture(params=PAGES, ids=lambda page: page.name)
def page(request: pytest.FixtureRequest) -> Path:
    return request.param


def test_links_lead_to_files(page: Path):
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_sections_that_are_linked_exist(page: Path):
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*\.md|)#([^)]+)\)", page.read_text()):
        titles = re.findall(r"(?m)^#+ (.+)$", (page.parent / target if target else page).read_text())
        slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
        assert anchor in slugs, (target, anchor)


def test_the_site_has_every_page_once():
    site: Any = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
    named = [
        name for section in site["nav"] for pages in section.values() for entry in pages for name in entry.values()
    ]
    assert sorted(named) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def test_the_site_asks_no_other_host():
    text = (ROOT / "mkdocs.yml").read_text()
    site: Any = yaml.safe_load(text)
    assert site["theme"]["font"] is False
    assert "http" not in text


def test_settings_exist(page: Path):
    named = set(re.findall(r"\bBRAIN_[A-Z_]+(?![A-Z_*])\b", page.read_text())) - OF_CLIENTS
    assert {name for name in named if not name.endswith("_")} <= setting_names()


def test_commands_exist_with_their_parts(page: Path):
    for name, words in _COMMAND.findall(page.read_text()):
        assert name in COMMANDS, name
        group: Any = load_command(name)
        if words and hasattr(group, "commands"):
            assert words.split()[0] in group.commands, (name, words)


def test_the_page_of_the_terminal_lists_every_command_of_a_chat():
    assert set(_CHAT_COMMAND.findall((ROOT / "docs/terminal.md").read_text())) == CHAT_COMMANDS.keys()
