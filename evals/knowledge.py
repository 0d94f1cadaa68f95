"""How well does Brain find what an organisation knows, and how often does it bring what nobody needs?

``python -m evals.knowledge`` tells it for the questions that no constant was fitted on; ``--seen`` for the others,
``--wrong`` shows what was brought wrongly.
"""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from evals.knowledge_data import Asked, Handbook, read_handbook, read_questions
from knowledge.cut import CONSIDERED, choose_entries

LOOKED_AT = 20


@dataclass(frozen=True)
class Outcome:
    """What one question found, nearest first, and what of it would stand in the prompt."""

    asked: Asked
    ranked: list[str]
    brought: list[str]

    def recall(self, at: int) -> float:
        """The share of the answers among the nearest."""
        return len(self.asked.answers.intersection(self.ranked[:at])) / len(self.asked.answers)

    @property
    def reciprocal_rank(self) -> float:
        """Of the first answer."""
        return next((1 / place for place, each in enumerate(self.ranked, 1) if each in self.asked.answers), 0.0)

    @property
    def wrong(self) -> list[str]:
        """What was brought and does not answer."""
        return [each for each in self.brought if each not in self.asked.answers]


async def measure(*, seen: bool) -> tuple[Handbook, list[Outcome]]:
    """Every question of one half."""
    handbook, questions = await read_handbook(), await read_questions()
    return handbook, [_ask(handbook, each) for each in questions if each.is_seen == seen]


def _ask(handbook: Handbook, asked: Asked) -> Outcome:
    question, vector = handbook.question(asked)
    found = handbook.corpus.rank(question, vector, LOOKED_AT)
    brought = choose_entries(asked.text, found[:CONSIDERED])
    name = handbook.names
    return Outcome(asked, [name[each.row.entry_id] for each in found], [name[each.row.entry_id] for each in brought])


def _pair(outcome: Outcome, languages: dict[str, str]) -> str:
    """The question's language and those of its answers."""
    return f"{outcome.asked.language} → {'+'.join(sorted({languages[each] for each in outcome.asked.answers}))}"


def _show_wrong(outcomes: Sequence[Outcome], console: Console) -> None:
    table = Table("kind", "questions", "with a wrong entry", "wrong entries", title="What was brought wrongly")
    for kind in ("talk", "unanswerable", "answerable"):
        own = [each for each in outcomes if each.asked.kind == kind]
        wrong = [each for each in own if each.wrong]
        table.add_row(kind, str(len(own)), str(len(wrong)), str(sum(len(each.wrong) for each in wrong)))
    console.print(table)


def _show_found(outcomes: Sequence[Outcome], languages: dict[str, str], console: Console) -> None:
    table = Table("question → answers", "questions", "recall@5", "recall@10", "MRR", "brought", title="What was found")
    answerable = [each for each in outcomes if each.asked.answers]
    groups = {_pair(each, languages): list[Outcome]() for each in answerable}
    for each in answerable:
        groups[_pair(each, languages)].append(each)
    for name, own in [*sorted(groups.items()), ("all", answerable)]:
        values = [_mean([each.recall(at) for each in own]) for at in (5, 10)]
        ranks = _mean([each.reciprocal_rank for each in own])
        brought = _mean([len(each.asked.answers.intersection(each.brought)) / len(each.asked.answers) for each in own])
        table.add_row(name, str(len(own)), *(f"{100 * value:.1f}" for value in (*values, ranks, brought)))
    console.print(table)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def main() -> None:
    """Measure and print tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seen", action="store_true", help="the half that constants were fitted on")
    parser.add_argument("--wrong", action="store_true", help="show what was brought wrongly")
    asked = parser.parse_args()
    handbook, outcomes = asyncio.run(measure(seen=asked.seen))
    console = Console()
    _show_wrong(outcomes, console)
    _show_found(outcomes, handbook.languages, console)
    for each in outcomes if asked.wrong else ():
        if each.wrong:
            console.print(each.asked.kind, each.asked.text, each.wrong, markup=False)


if __name__ == "__main__":
    main()
