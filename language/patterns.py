"""The types that every language fills: exact readers, and the words by which people ask something of memory."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from language.kinds import Topic


@dataclass(frozen=True)
class Reader:
    """A predicate, its topic, and patterns that name the group ``value``."""

    predicate: str
    topic: Topic
    patterns: tuple[re.Pattern[str], ...]


@dataclass(frozen=True)
class Value:
    """What a reader found: ``text`` stands in the sentence."""

    predicate: str
    topic: Topic
    text: str
    is_certain: bool = True


def reader(predicate: str, topic: Topic, *patterns: str) -> Reader:
    """A reader without regard to case; ``(?-i:…)`` within a pattern makes a name."""
    return Reader(predicate, topic, tuple(re.compile(each, re.IGNORECASE) for each in patterns))


Switch = Literal["on_record", "off_record", "undo"]


@dataclass(frozen=True, kw_only=True)
class RequestWords:
    """The words of one language by which people ask something of memory.

    ``switches`` settle a turn by themselves, ``brings_back`` names what is to stand again. ``not_asked`` uses the
    words of asking and asks nothing; ``idioms`` drop a matter without meaning memory. ``keeps_no_note`` asks in so
    many words not to note this turn, ``not_withheld`` only sounds like it. ``asking`` is taken out of a sentence to
    see what it is about. ``denials`` name the group ``denied``, ``set_to`` the groups ``what`` and ``value`` of the
    sentence ``set_form``. ``correcting`` are the words of asking to correct, ``lead_in`` and ``lead_out`` those
    around the value. ``alone`` says that something is wrong and nothing else, ``changes`` that something in life is
    no longer so, which corrects nothing. ``empty`` are terms that tell nothing.
    """

    switches: Mapping[Switch, re.Pattern[str]]
    brings_back: re.Pattern[str]
    not_asked: re.Pattern[str]
    idioms: re.Pattern[str]
    withholds: re.Pattern[str]
    keeps_no_note: re.Pattern[str]
    not_withheld: re.Pattern[str]
    first_person: re.Pattern[str]
    everything: re.Pattern[str]
    just_said: re.Pattern[str]
    asking: re.Pattern[str]
    remembers: re.Pattern[str]
    corrects: re.Pattern[str]
    correcting: re.Pattern[str]
    alone: re.Pattern[str]
    changes: re.Pattern[str]
    lead_in: re.Pattern[str]
    lead_out: re.Pattern[str]
    denials: tuple[re.Pattern[str], ...]
    set_to: re.Pattern[str]
    set_form: str
    empty: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class ForgetWords:
    """The words of one language by which people ask that something be forgotten.

    ``plain`` and ``loose`` match at the beginning of one of the ``clauses`` of a sentence: words that mean nothing but
    memory, and words that may mean anything ("drop"). ``wishes`` match a whole sentence. ``talks_about`` uses the words
    and asks for nothing, ``asks`` is a question, ``reads`` begins like one or asks to
    be told something, unless it ``politely`` asks to forget. ``untouched`` wants
    nothing changed, ``explains`` begins a clause that says why, ``specifies`` is in a
    sentence that says which one, ``plays`` speaks in a role, a translation or a text.
    """

    plain: re.Pattern[str]
    loose: re.Pattern[str]
    wishes: tuple[re.Pattern[str], ...]
    clauses: re.Pattern[str]
    asks: re.Pattern[str]
    reads: re.Pattern[str]
    politely: re.Pattern[str]
    talks_about: re.Pattern[str]
    untouched: re.Pattern[str]
    explains: re.Pattern[str]
    specifies: re.Pattern[str]
    plays: re.Pattern[str]


@dataclass(frozen=True, kw_only=True)
class ChoiceWords:
    """How somebody chooses from a numbered list; ``ordinals`` are patterns of the places, in order.

    ``declines`` says that something is not there or not done, ``filling`` are words beside the choice itself; ``names``
    begins an answer that says which one is meant. ``notes`` may only take note of a question.
    """

    ordinals: tuple[re.Pattern[str], ...]
    last: re.Pattern[str]
    all: re.Pattern[str]
    none: re.Pattern[str]
    yes: re.Pattern[str]
    notes: re.Pattern[str]
    declines: re.Pattern[str]
    filling: re.Pattern[str]
    names: re.Pattern[str]


@dataclass(frozen=True, kw_only=True)
class OrderWords:
    """The words of one language by which people order an assistant about, and wish for a manner of its answers.

    ``standing`` says that something is meant from now on.
    """

    orders: re.Pattern[str]
    manner: re.Pattern[str]
    standing: re.Pattern[str]


def compile_any(*alternatives: str) -> re.Pattern[str]:
    """A pattern that finds any of the alternatives, without regard to case."""
    return re.compile("|".join(alternatives), re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class PrivacyWords:
    """The words of one language for other people's own affairs.

    ``private`` are illnesses and secrets, ``confided`` that it was told in confidence, ``matters`` why it matters to
    the speaker, ``near`` the people and animals whose life is the speaker's own.
    """

    private: re.Pattern[str]
    confided: re.Pattern[str]
    matters: re.Pattern[str]
    near: re.Pattern[str]


@dataclass(frozen=True)
class ClauseWords:
    """Where a clause may begin (at the end of a match of ``joints``), and what tells a clause of its own.

    ``own_subject`` names the ``subject`` of a clause; a subject and, in a line of its own, the words that ``goes_on``
    matches belong together, with an ``omission`` between them. ``leading`` and ``trailing`` words are of no clause.
    """

    joints: re.Pattern[str]
    verb: re.Pattern[str]
    subject: re.Pattern[str]
    own_subject: re.Pattern[str]
    goes_on: re.Pattern[str]
    leading: re.Pattern[str]
    trailing: re.Pattern[str]
    omission: str
