"""Every language has the same keys, its expressions compile, and a fault is told by file and key."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from language import tables
from language.tables import TableError

ROOT = Path(__file__).parents[2]
FILES = sorted({path.stem for path in (ROOT / "language").glob("*/*.toml")})
OF_WORDS = ("numbers", "names")
"""Sections whose keys are words of the language itself."""
CODE = "\n".join(
    path.read_text("utf-8")
    for room in ("language", "brain", "evolution", "skills", "nodes", "graphs", "memory", "apps", "prompts")
    for path in sorted((ROOT / room).rglob("*.py"))
)


def _keys(language: str, file: str) -> set[str]:
    """Every key that has to be there in each language; pieces of expressions are each language's own."""
    sections = {name: held for name, held in tables.read_table(language, file).items() if name != "parts"}
    return set(_walk(sections, deepest=2))


def _walk(held: dict[str, Any], deepest: int, path: str = "") -> Iterator[str]:
    for name, value in held.items():
        key = f"{path}.{name}".lstrip(".")
        if isinstance(value, dict) and (key.split(".")[0] not in OF_WORDS or key.count(".") < deepest - 1):
            yield from _walk(cast("dict[str, Any]", value), deepest, key) if value else [key]
        else:
            yield ".".join(key.split(".")[:deepest]) if key.split(".")[0] in OF_WORDS else key


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("language", tables.languages())
def test_no_key_is_missing_in_a_language_and_none_too_many(language: str, file: str):
    others = {each: _keys(each, file) for each in tables.languages()}
    expected = set[str]().union(*others.values())
    assert sorted(expected - others[language]) == [], f"language/{language}/{file}.toml misses these"


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("language", tables.languages())
def test_every_expression_can_be_read(language: str, file: str):
    sections = tables.read_table(language, file)
    for key in sections.get("patterns", {}):
        assert isinstance(tables.pattern(f"{file}.{key}", language), re.Pattern)
    for key in _walk(sections.get("lists", {}), deepest=9):
        assert len(tables.pattern_list(f"{file}.{key}", language)) == len(_at(sections["lists"], key))


@pytest.mark.parametrize("file", FILES)
def test_every_key_is_used(file: str):
    names = {key.split(".")[1] for key in _keys("en", file) if "." in key}
    assert [each for each in sorted(names) if not re.search(rf"\b{re.escape(each)}\b", CODE)] == []


@pytest.mark.parametrize(
    ("file", "key"),
    sorted(set(re.findall(rf"\"({'|'.join(FILES)})\.(?!toml|npz|html|json)([a-z_]+)(?:\.[a-z_]+)*\"", CODE))),
)
def test_every_key_that_is_asked_for_is_there(file: str, key: str):
    found = {name for name, held in tables.read_table("en", file).items() if isinstance(held, dict) and key in held}
    assert found


def test_a_key_that_is_not_there_is_told_with_its_file():
    with pytest.raises(TableError, match=r"language/zh/acts\.toml: no thankz among the patterns"):
        tables.pattern("acts.thankz", "zh")


def test_a_file_that_is_not_there_is_told():
    with pytest.raises(TableError, match=r"language/zh/axioms\.toml"):
        tables.pattern("axioms.first", "zh")


def test_an_expression_that_does_not_compile_is_told_with_its_key(monkeypatch: pytest.MonkeyPatch):
    def broken(language: str, file: str) -> dict[str, Any]:
        return {"patterns": {"broken": "(没有"}, "ignore_case": False}

    monkeypatch.setattr(tables, "read_table", broken)
    with pytest.raises(TableError, match=r"language/zh/acts\.toml: patterns, acts\.broken"):
        tables.pattern("acts.broken", "zh")


def test_no_code_outside_of_the_language_folder_holds_chinese():
    """Measurements hold what they measure."""
    rooms = ("apps", "brain", "nodes", "graphs", "memory", "evolution", "skills", "prompts", "knowledge", "retrieval")
    sources = (path for room in rooms for path in (ROOT / room).rglob("*.py"))
    product = (path for path in sources if "evaluation" not in path.parts)
    found = [path for path in product if re.search("[\u4e00-\u9fff]", path.read_text("utf-8"))]
    assert [str(path.relative_to(ROOT)) for path in found] == []


def _at(held: dict[str, Any], key: str) -> Any:
    for name in key.split("."):
        held = held[name]
    return held
