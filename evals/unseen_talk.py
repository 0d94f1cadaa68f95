"""How well sentences are told apart in talk that nothing was fitted on: ``python -m evals.unseen_talk [FILE…]``.

Each line of a file is a conversation whose sentences are labelled, as in ``data/talk``: everyday talk with an
assistant, and what people say in their first minutes with one. Prints for each file what share of what should be
remembered would be, what share of what would be should not, what share of what must never be would be, and how often
the topic is right.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evals.fit_statements import Labelled, labelled_sentences
from language.encoder import sentence_encoder
from language.kinds import KEPT, NEVER
from language.statements import Statement, read_statements

FILES = Path(__file__).parent / "data" / "unseen_talk"


@dataclass(frozen=True)
class Judged:
    """A labelled sentence, and the statements that were read in it."""

    line: Labelled
    statements: Sequence[Statement]

    @property
    def is_wanted(self) -> bool:
        """Whether a memory should come of it."""
        return self.line.kind in KEPT

    @property
    def is_kept(self) -> bool:
        """Whether one does."""
        return any(each.is_memorable for each in self.statements)


def judge(path: Path) -> Iterator[Judged]:
    """All sentences of a file, read as at run time."""
    for line in labelled_sentences(path):
        yield Judged(line, read_statements(line.text, line.before))


def figures(judged: Sequence[Judged]) -> dict[str, float]:
    """Shares between 0 and 1."""
    wanted, kept = [each for each in judged if each.is_wanted], [each for each in judged if each.is_kept]
    never, read = [each for each in judged if each.line.kind in NEVER], [each for each in wanted if each.statements]
    return {
        "found": _share([each.is_kept for each in wanted]),
        "junk": _share([not each.is_wanted for each in kept]),
        "never, kept": _share([each.is_kept for each in never]),
        "topic right": _share([each.statements[0].topic == each.line.topic for each in read]),
    }


def _share(answers: Sequence[bool]) -> float:
    return sum(answers) / max(1, len(answers))


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--embeddings", choices=("encoder", "none"), default="encoder")
    arguments = parser.parse_args()
    if arguments.embeddings == "encoder":
        sentence_encoder().load()
    paths: Sequence[Path] = arguments.files or sorted(FILES.glob("*.jsonl"))
    found = {path.stem: figures(list(judge(path))) for path in paths}
    table = Table("%", *next(iter(found.values())))
    for name, each in found.items():
        table.add_row(name, *(f"{100 * share:.1f}" for share in each.values()))
    Console().print(table)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
