"""Small judgements with one right answer each: what a model must get right before it may be trusted with memories.

``aptitude_cases.json`` holds them, in both languages.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from evolution.state import ExtractionCandidate
from evolution.upkeep.resolve import Finding
from memory.turns import Role

CandidateList = Sequence[ExtractionCandidate]


@dataclass(frozen=True)
class ExpectedNotes:
    """What has to be noted of a conversation: each word ``about_user`` and of ``about_other`` people, as a thing that
    is so; a word ``denied``, as one that is not so. No note may hold the words ``without``.
    """

    about_user: Sequence[str] = ()
    about_other: str = ""
    denied: str = ""
    without: str = ""
    nothing: bool = False

    def is_right(self, noted: CandidateList) -> bool:
        """Whether that was noted, and nothing of what must not be."""
        if self.nothing:
            return not noted
        told = all(any(_is_of_user(each, word) for each in noted) for word in self.about_user)
        others = [each for each in noted if self.about_other and self.about_other in each["content"]]
        apart = not self.about_other or (bool(others) and all(each["subject"] != "user" for each in others))
        denied = not self.denied or any(self.denied in each["content"] and each["negated"] for each in noted)
        clean = not self.without or not any(self.without in each["content"] for each in noted)
        return told and apart and denied and clean


def _is_of_user(candidate: ExtractionCandidate, word: str) -> bool:
    return word in candidate["content"] and candidate["subject"] == "user" and not candidate["negated"]


@dataclass(frozen=True)
class NoteCase:
    """A short conversation, and what has to be noted of it."""

    name: str
    said: Sequence[tuple[Role, str]]
    noted: ExpectedNotes

    def right(self, noted: CandidateList) -> bool:
        """Whether what was noted of it is right."""
        return self.noted.is_right(noted)


@dataclass(frozen=True)
class SettleCase:
    """Two statements about one person, said on these days, and what is true of them."""

    name: str
    held: tuple[str, str]
    new: tuple[str, str]
    finding: Finding


def _note_case(held: Mapping[str, Any]) -> NoteCase:
    return NoteCase(held["name"], [(role, text) for role, text in held["said"]], ExpectedNotes(**held["noted"]))


def _settle_case(held: Mapping[str, Any]) -> SettleCase:
    (day, text), (later, other) = held["held"], held["new"]
    return SettleCase(held["name"], (day, text), (later, other), held["finding"])


_CASES: Mapping[str, Any] = json.loads(files("apps").joinpath("aptitude_cases.json").read_text("utf-8"))
TO_NOTE = tuple(map(_note_case, _CASES["to_note"]))
TO_SETTLE = tuple(map(_settle_case, _CASES["to_settle"]))
