"""What a sentence may be, and what a statement may be about: the closed lists that the classifier was fitted on."""

from typing import Literal, get_args

Kind = Literal[
    "fact",
    "preference",
    "constraint",
    "plan",
    "event",
    "change",
    "slip",
    "remember",
    "forget",
    "dont_note",
    "question",
    "task",
    "courtesy",
    "passing",
    "not_real",
    "world",
    "secret",
]
"""``slip`` puts right what was just said; ``not_real`` is hypothetical, ironic, quoted or somebody else's words;
``passing`` holds for the moment only; ``world`` is no news of anybody's life."""

Topic = Literal[
    "name",
    "birth",
    "home",
    "origin",
    "work",
    "study",
    "family",
    "partner",
    "friends",
    "pet",
    "health",
    "diet",
    "food",
    "drink",
    "leisure",
    "media",
    "travel",
    "belongings",
    "money",
    "skill",
    "routine",
    "belief",
    "answers",
    "contact",
    "appearance",
    "other",
]

KINDS: tuple[Kind, ...] = get_args(Kind)
TOPICS: tuple[Topic, ...] = get_args(Topic)
ACTS: frozenset[Kind] = frozenset({"forget", "dont_note", "remember", "change", "slip"})
"""What a sentence does to memory: only its words say so, however near its meaning comes."""
KEPT: frozenset[Kind] = frozenset({"fact", "preference", "constraint", "plan", "event", "change", "slip", "remember"})
"""Kinds of sentences that a memory is made of."""
NEVER: frozenset[Kind] = frozenset({"not_real", "dont_note", "secret", "forget"})
"""Kinds that must not become a memory."""

ValueKind = Literal["time", "weekday", "month", "day", "year", "money", "quantity", "ordinal", "number", "name"]
"""What kind of value a word of a statement is; only values of one kind can take each other's place."""
VALUE_KINDS: tuple[ValueKind, ...] = get_args(ValueKind)

Grounds = Literal["said", "excluded", "likely"]
"""Why an older statement does not hold beside a newer one: the person said that this very thing is over or wrong, the
values exclude each other, or it only is likely."""
