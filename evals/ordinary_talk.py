"""Days of ordinary chat, made up from templates of our own: mostly nothing, some things true, some said again."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from random import Random
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from evals.evaluation.memory_data import Label, Language

Kind = Literal["small_talk", "tasks", "questions", "quoting", "statement", "again"]

A_DAY = (3, 7)
"""Messages of a person on one day, least and most."""
_MIX: dict[Kind, int] = {"small_talk": 42, "tasks": 18, "questions": 18, "quoting": 12, "again": 10}
"""How often a message that states nothing new is of which kind."""
_CHANGES = 0.6
"""Share of the things that may change which do, once, in the second half of the time."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Statement(_Part):
    """Ways of saying one true thing, with ``{value}`` for it; ``changes`` say that there is a new one."""

    predicate: str
    subject: tuple[str, ...]
    values: tuple[str, ...]
    says: tuple[str, ...]
    changes: tuple[str, ...] = ()
    negated: bool = False

    def label(self, value: str) -> Label:
        """What should be remembered of it."""
        name = f"{self.predicate}:{value}"
        return Label(label=name, subject=self.subject, predicate=self.predicate, object=(value,), negated=self.negated)


class Talk(_Part):
    """How people of one language chat. In ``quoting`` a memory that Brain told takes the place of ``{memory}``."""

    people: tuple[tuple[str, str], ...]
    fill: dict[str, tuple[str, ...]]
    small_talk: tuple[str, ...]
    tasks: tuple[str, ...]
    questions: tuple[str, ...]
    quoting: tuple[str, ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Remark:
    """One message. A quoting one is completed when it is known what Brain remembers."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class Chatter:
    """A person with everything that they will say, day by day, and what of it should be remembered."""

    name: str
    zone: str
    language: Language
    days: Sequence[Sequence[Remark]] = field(repr=False)
    truths: Sequence[Label] = field(repr=False)


def chatters(people: int, days: int, seed: int) -> list[Chatter]:
    """So many people, of each language in turn; the same for the same seed."""
    talks = list(read_talk().items())
    return [
        _chatter(talks[number % len(talks)], (number // len(talks), days), Random(f"{seed}/{number}"))
        for number in range(people)
    ]


def read_talk() -> dict[Language, Talk]:
    """Our templates."""
    content: dict[Language, Any] = json.loads((files("evals") / "data" / "ordinary_talk.json").read_text("utf-8"))
    return {language: Talk.model_validate(talk) for language, talk in content.items()}


def _chatter(spoken: tuple[Language, Talk], place: tuple[int, int], chance: Random) -> Chatter:
    (language, talk), (number, days) = spoken, place
    name, zone = talk.people[number % len(talk.people)]
    news, truths = _news(talk, days, chance)
    told: list[str] = []
    said: list[list[Remark]] = []
    for day in range(days):
        remarks = [Remark("statement", text) for text in news.get(day, ())]
        remarks += [_idle(talk, told, chance) for _ in range(chance.randint(*A_DAY))]
        chance.shuffle(remarks)
        told += news.get(day, ())
        said.append(remarks)
    return Chatter(f"{name} {number // len(talk.people)}", zone, language, said, truths)


def _news(talk: Talk, days: int, chance: Random) -> tuple[dict[int, list[str]], list[Label]]:
    """On which day what is said for the first time, and what should be remembered of it."""
    news: dict[int, list[str]] = {}
    truths: list[Label] = []
    for statement in talk.statements:
        first, second = chance.sample(statement.values, 2)
        news.setdefault(chance.randrange(max(1, days // 2)), []).append(_with(chance.choice(statement.says), first))
        truths.append(statement.label(first))
        if statement.changes and chance.random() < _CHANGES:
            late = chance.randrange(days // 2, days)
            news.setdefault(late, []).append(_with(chance.choice(statement.changes), second))
            truths.append(statement.label(second))
    return news, truths


def _idle(talk: Talk, told: Sequence[str], chance: Random) -> Remark:
    """A message without news; only what was said on an earlier day can be said again."""
    kinds = list(_MIX)
    kind = chance.choices(kinds, [_MIX[each] for each in kinds])[0]
    match kind:
        case "again" if told:
            return Remark(kind, chance.choice(told))
        case "tasks" | "questions" | "quoting":
            return Remark(kind, _fill_template(chance.choice(getattr(talk, kind)), talk, chance))
        case _:
            return Remark("small_talk", _fill_template(chance.choice(talk.small_talk), talk, chance))


def _fill_template(template: str, talk: Talk, chance: Random) -> str:
    for name, choices in _places(template, talk):
        template = template.replace(name, chance.choice(choices))
    return template


def _places(template: str, talk: Talk) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, choices in talk.fill.items():
        if f"{{{name}}}" in template:
            yield f"{{{name}}}", choices


def _with(template: str, value: str) -> str:
    return template.replace("{value}", value)
