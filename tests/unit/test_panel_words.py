"""The panel's words: both languages say everything, and the browser's wish counts unless the person chose."""

import re
from string import Formatter
from typing import get_args

import pytest
from starlette.requests import Request

from apps.panel.rendering import environment
from apps.panel.words import LANGUAGES, WORDS, label_for, language_for, words_for
from language.detection import Language
from memory.memory_item import ItemUse

TEMPLATES = environment.loader.list_templates() if environment.loader else []


def a_request(accepted: str = "", cookie: str = "") -> Request:
    headers = [(b"accept-language", accepted.encode()), (b"cookie", cookie.encode())]
    return Request({"type": "http", "headers": headers})


def test_both_languages_have_the_same_phrases_with_the_same_places():
    assert WORDS["en"].keys() == WORDS["zh"].keys()
    for key, english in WORDS["en"].items():
        assert places(english) == places(WORDS["zh"][key]), key
        assert WORDS["zh"][key].strip(), key


def places(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name}


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_uses_only_phrases_that_there_are(template: str):
    assert environment.loader
    source = environment.loader.get_source(environment, template)[0]
    used = re.findall(r"""\bt\(\s*["']([a-z_.]+)["']\s*[,)]""", source)
    assert [each for each in used if each not in WORDS["en"]] == []
    assert not re.search(r"\sstyle=|<script(?! src=\"/panel/static/)|\son[a-z]+=|\|\s*safe|autoescape", source)


@pytest.mark.parametrize(
    ("accepted", "cookie", "language"),
    [
        ("", "", "en"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "", "zh"),
        ("en-GB,zh;q=0.9", "", "en"),
        ("fr, zh;q=0.4, en;q=0.3", "", "zh"),
        ("fr", "", "en"),
        ("en", "brain_panel_language=zh", "zh"),
        ("zh", "brain_panel_language=tlh", "zh"),
        (";q=x,,zh;q=nan" * 50, "", "zh"),
    ],
)
def test_the_language_is_the_chosen_one_or_the_browsers_or_english(accepted: str, cookie: str, language: str):
    assert language_for(a_request(accepted, cookie)) == language


def test_a_value_without_a_name_is_shown_as_it_is():
    assert [label_for("type", "fact", each) for each in LANGUAGES] == ["fact", "事实"]
    assert label_for("type", "novel", "zh") == "novel"
    assert words_for("conversations.turns", "zh", count=3) == "3 条发言"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("use", get_args(ItemUse))
def test_each_use_of_a_memory_has_a_tag_a_button_and_a_notice(language: Language, use: str):
    keys = (f"use.{use}", f"set_use.{use}", f"done.use_{use}")
    assert len({WORDS[language][key] for key in keys}) == len(keys)
    assert label_for("use", use, language) == WORDS[language][f"use.{use}"]
