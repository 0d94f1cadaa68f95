"""The words of each language: tables in a folder per language, all with the same keys. A language is added by a folder.

A file has sections. ``patterns`` are alternatives of one regular expression, ``lists`` expressions that stand for
themselves, ``words`` sets of words, ``lines`` several words each, ``texts`` what is said in that language; ``numbers``
and ``names`` tell what its words mean. ``parts`` are pieces that expressions name in braces: ``{VERB}``, or
``{people.KIN}`` of another file, ``{*NAME}`` of every language. Line breaks and indentation within an expression are
layout. A key is named ``file.key``; one without words is an empty list, which finds nothing.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

Language = str
"""The name of a folder, such as ``en``."""
_FOLDERS = files("language")
_PART = re.compile(r"\{(\*?)(?:(\w+)\.)?([A-Z][A-Z_]*)\}")
_LAYOUT = re.compile(r"(?:^|\n)\s*")
_NOTHING = r"(?!)"


class TableError(ValueError):
    """A table of words cannot be read; the message names the file and the key."""


@cache
def languages() -> tuple[Language, ...]:
    """Every language that has a folder."""
    return tuple(sorted(each.name for each in _FOLDERS.iterdir() if each.joinpath("script.toml").is_file()))


@cache
def is_spaced(language: Language) -> bool:
    """Whether spaces stand between its words; without them, sizes are counted in characters."""
    return bool(read_table(language, "script")["is_spaced"])


@cache
def read_table(language: Language, file: str) -> Mapping[str, Any]:
    """The sections of one file."""
    try:
        return tomllib.loads(_FOLDERS.joinpath(language, f"{file}.toml").read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise TableError(f"language/{language}/{file}.toml: {error}") from error


@cache
def pattern(key: str, language: Language) -> re.Pattern[str]:
    """An expression that finds any of its alternatives."""
    return _compile("patterns", key, language, _source("patterns", key, language))


@cache
def pattern_of_all(key: str) -> re.Pattern[str]:
    """The alternatives of every language in one expression, for what is looked at whatever its language."""
    return re.compile(_of_all("patterns", key))


class Patterns:
    """The expressions of one file as attributes, each compiled at its first use."""

    def __init__(self, file: str, language: Language) -> None:
        self.file = file
        self.language = language

    def __getattr__(self, name: str) -> re.Pattern[str]:
        """Called where an expression is looked up for the first time."""
        if name.startswith("_"):
            raise AttributeError(name)
        found = pattern(f"{self.file}.{name}", self.language)
        self.__dict__[name] = found
        return found


@cache
def patterns_of(file: str, language: Language) -> Patterns:
    """The expressions of one file."""
    return Patterns(file, language)


@cache
def pattern_list(key: str, language: Language) -> tuple[re.Pattern[str], ...]:
    """Expressions that are tried one by one, in order."""
    listed: list[str] = _entry("lists", key, language)
    return tuple(_compile("lists", key, language, _fill(each, key, language)) for each in listed)


class Texts:
    """The texts of one file as attributes."""

    def __init__(self, file: str, language: Language) -> None:
        self.file = file
        self.language = language

    def __getattr__(self, name: str) -> str:
        return text(f"{self.file}.{name}", self.language)


@cache
def words(key: str, language: Language) -> frozenset[str]:
    """A set of words, which stand between spaces."""
    return frozenset(_entry("words", key, language).split())


@cache
def words_of_all(key: str) -> frozenset[str]:
    """The words of every language."""
    return frozenset[str]().union(*(words(key, each) for each in languages()))


@cache
def words_by_name(key: str) -> Mapping[str, str]:
    """Of words that stand under names, the name of each, in every language."""
    return {
        word: name
        for language in languages()
        for name, listed in _entry("words", key, language).items()
        for word in listed.split()
    }


@cache
def texts(key: str, language: Language) -> Mapping[str, str]:
    """Several texts by name."""
    return dict(_entry("texts", key, language))


def text(key: str, language: Language) -> str:
    """What is said in a language; may have places in braces to be filled."""
    return _entry("texts", key, language)


@cache
def numbers(key: str, language: Language) -> Mapping[str, int]:
    """What number each word stands for."""
    return dict(_entry("numbers", key, language))


@cache
def names(key: str, language: Language) -> Mapping[str, str]:
    """What each word is called in all languages."""
    return dict(_entry("names", key, language))


def lines(key: str, language: Language) -> tuple[str, ...]:
    """Words by lines."""
    return tuple(_entry("lines", key, language))


def _entry(section: str, key: str, language: Language) -> Any:
    file, *path = key.split(".")
    found: Any = read_table(language, file).get(section, {})
    for name in path:
        if name not in found:
            raise TableError(f"language/{language}/{file}.toml: no {'.'.join(path)} among the {section}")
        found = found[name]
    return found


def _source(section: str, key: str, language: Language) -> str:
    told: str | list[str] = _entry(section, key, language)
    alternatives = [told] if isinstance(told, str) else told or [_NOTHING]
    return "|".join(_fill(each, key, language) for each in alternatives)


def _fill(source: str, key: str, language: Language) -> str:
    """The expression without its layout, every part in the place of its name."""
    file = key.partition(".")[0]
    plain = _LAYOUT.sub("", source)

    def part(found: re.Match[str]) -> str:
        name = f"{found[2] or file}.{found[3]}"
        return f"(?:{_of_all('parts', name)})" if found[1] else _source("parts", name, language)

    return _PART.sub(part, plain)


def _of_all(section: str, key: str) -> str:
    """The alternatives of every language, each with its own regard to case."""
    sources = ((each, _source(section, key, each)) for each in languages())
    scoped = [f"(?{'i' if _ignores_case(each) else '-i'}:{told})" for each, told in sources if told != _NOTHING]
    return "|".join(scoped) or _NOTHING


def _compile(section: str, key: str, language: Language, source: str) -> re.Pattern[str]:
    try:
        return re.compile(source, re.IGNORECASE if _ignores_case(language) else 0)
    except re.error as error:
        raise TableError(f"language/{language}/{key.partition('.')[0]}.toml: {section}, {key}: {error}") from error


@cache
def _ignores_case(language: Language) -> bool:
    return bool(read_table(language, "script")["ignore_case"])
