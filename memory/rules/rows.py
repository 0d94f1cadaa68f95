"""A row of the extraction tables: what a statement looks like after its subject, and what it then says."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypedDict

from memory.contracts import EpistemicType, ItemType

TIME_MARK = "\ue001"
"""Stands for each character of a time expression while rows are matched."""
HIDDEN = "\ue000"
"""Stands for each character that is not the speaker's own statement, such as quoted speech."""
SKIPPED = "\ue002"
"""Stands for each character of a value that is taken back: 不是老师， in 我不是老师，是医生."""

Standing = Literal["declared", "stated", "intended"]
"""``declared`` a taste, ``stated`` a fact or limit, ``intended`` a plan: it decides provenance and confidence."""


def anything(text: str) -> bool:
    """Accept every object."""
    return bool(text)


class RowTerms(TypedDict, total=False):
    """The optional columns of a row."""

    item_type: ItemType
    epistemic_type: EpistemicType
    standing: Standing
    category: str
    fits: Callable[[str], bool]
    lists: bool
    exact: bool
    inverted: bool
    only_denied: bool
    keeps_time: bool
    needs_future: bool
    changes: bool


@dataclass(frozen=True, kw_only=True)
class Row:
    """One way of saying one predicate.

    ``written`` is matched right after the subject and names the groups ``object`` and, where they can occur, ``not``,
    ``verb``, ``about`` (the class of a favourite) and ``old``. ``says`` and ``denies`` are sentences over ``{who}``,
    ``{object}``, ``{verb}`` and ``{about}``; a row without ``denies`` does not match a denial.
    An ``exact`` row ends the object itself. Nothing is ``written`` in a row that is found in a way of its own.
    """

    predicate: str
    written: str = ""
    flags: re.RegexFlag = re.NOFLAG
    says: str
    denies: str = ""
    ended: str = ""
    item_type: ItemType = "fact"
    epistemic_type: EpistemicType = "fact"
    standing: Standing = "stated"
    category: str = "identity"
    fits: Callable[[str], bool] = anything
    lists: bool = False
    exact: bool = False
    inverted: bool = False
    only_denied: bool = False
    keeps_time: bool = False
    needs_future: bool = False
    changes: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled at first use: the tables hold hundreds, and most commands read no text."""
        return re.compile(self.written, self.flags)

    def allows(self, *, negated: bool) -> bool:
        """Whether it can be said in this way at all: not every statement can be denied, and some are only denials."""
        return bool(self.denies) if negated else not self.only_denied


@dataclass(frozen=True, kw_only=True)
class Subject:
    """Whom a clause is about: the speaker, one of their people by relation, or someone by name."""

    key: str
    relation: str = ""
    name: str = ""

    @property
    def is_speaker(self) -> bool:
        """Statements about others are hearsay and weigh less."""
        return not self.relation and not self.name


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A row that matched: the object stands at ``place`` in the turn, the clause at ``clause``."""

    row: Row
    subject: Subject
    place: tuple[int, int]
    clause: tuple[int, int]
    negated: bool = False
    ended: bool = False
    hedged: bool = False
    insisted: bool = False
    corrects: bool = False
    verb: str = ""
    about: str = ""
    old: str = ""
    denied: tuple[int, int] | None = None
