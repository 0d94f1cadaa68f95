"""Does memory speak where it knows something, and stay silent where it does not? ``python -m evals.silence [--held]``

``data/silence/LANGUAGE.jsonl`` holds a person per line: what they said over some months, and questions. *world* shares
names, places and topics with the memories and needs none of them, *never* asks what was never told; *direct*,
*category* (a category, a member, a consequence), *identity* and *task* need the memories that they name. A third of the
people is kept aside. No database, no model.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from apps.calibration.dataset import LabelledConversation, LabelledQuestion, LabelledSession, LabelledTurn
from apps.ingestion.conversation_file import RecordedConversation, RecordedSession, RecordedTurn
from brain.embeddings.encoder import EncoderEmbedder
from evals.offline_recall import FIRST, Remembered, encoder_of, remember
from memory.recall.policies.registry import find_policy, rank
from memory.recall.policy import Policy

DATA = Path(__file__).parent / "data" / "silence"
SILENT = ("world", "never")
"""Types of questions that need no memory."""


class SaidOnce(BaseModel):
    """One thing that a person said."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    at: str
    text: str


class PersonQuestion(BaseModel):
    """A question with its type and the memories that a good answer needs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    type: str
    must: tuple[str, ...]


class Person(BaseModel):
    """One line of the data."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    person: str
    language: str
    memories: tuple[SaidOnce, ...]
    questions: tuple[PersonQuestion, ...]
    asked_at: str

    def to_memory(self, encoder: EncoderEmbedder | None) -> Remembered:
        """What they said as turns, a session for each day."""
        days = [(day, list(said)) for day, said in groupby(self.memories, key=lambda each: each.at)]
        recorded = tuple(
            RecordedSession(
                session_id=f"{day}#{number}",
                occurred_at=f"{day}T10:00",
                turns=tuple(RecordedTurn(turn_id=one.id, speaker="user", text=one.text) for one in said),
            )
            for number, (day, said) in enumerate(days)
        )
        labelled = tuple(
            LabelledSession.model_validate(
                {
                    "session_id": session.session_id,
                    "occurred_at": session.occurred_at,
                    "turns": [LabelledTurn(turn_id=turn.turn_id) for turn in session.turns],
                }
            )
            for session in recorded
        )
        conversation = LabelledConversation(
            conversation_id=self.person, language=self.language, sessions=labelled, questions=tuple(self.asked())
        )
        return remember(conversation, RecordedConversation(conversation_id=self.person, sessions=recorded), encoder)

    def asked(self) -> Iterator[LabelledQuestion]:
        """The questions in the form of a data set."""
        for number, each in enumerate(self.questions):
            yield LabelledQuestion.model_validate(
                {
                    "question_id": f"{self.person}/{number}",
                    "question": each.question,
                    "category": each.type,
                    "evidence": each.must,
                    "asked_at": f"{self.asked_at}T12:00",
                }
            )


@dataclass(frozen=True)
class TypeFigures:
    """Of one type in one language: questions, the share that got any memory, and of what was needed the share found."""

    questions: int
    given: float
    found: float
    injected: float


def read_people(*, held: bool = False) -> list[Person]:
    """Everybody, or those kept aside."""
    paths = sorted(DATA.glob("held.*.jsonl" if held else "??.jsonl"))
    return [Person.model_validate_json(line) for path in paths for line in path.read_text("utf-8").splitlines()]


def measure(people: Sequence[Person], policy: Policy, encoder: EncoderEmbedder | None) -> Mapping[str, TypeFigures]:
    """By language and type."""
    given: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for person in people:
        memory = person.to_memory(encoder)
        for question in person.asked():
            found = memory.search(question)
            kept = policy.cut([found], rank([found], policy))[:FIRST]
            names = {memory.turn_of[each.candidate.source_id] for each in kept}
            needed = frozenset[str]().union(*question.wanted_evidence)
            share = len(needed & names) / len(needed) if needed else 0.0
            given[f"{person.language} {question.category}"].append((len(kept), share))
    return {
        name: TypeFigures(
            questions=len(each),
            given=sum(count > 0 for count, _ in each) / len(each),
            found=sum(share for _, share in each) / len(each),
            injected=sum(count for count, _ in each) / len(each),
        )
        for name, each in sorted(given.items())
    }


def lines(figures: Mapping[str, TypeFigures]) -> Iterator[str]:
    """A table to read: silence first."""
    for name, each in sorted(figures.items(), key=lambda one: one[0].split()[1] not in SILENT):
        is_silent = name.split()[1] in SILENT
        told = f"{each.given:5.0%} get a memory" if is_silent else f"{each.found:5.0%} of what is needed"
        yield f"{name:<14}{each.questions:>4}  {told}, {each.injected:.1f} memories"


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held", action="store_true", help="the people kept aside: only for their sums")
    parser.add_argument("--embeddings", choices=("encoder", "none"), default="encoder")
    options = parser.parse_args()
    print("\n".join(lines(measure(read_people(held=options.held), find_policy(), encoder_of(options.embeddings)))))


if __name__ == "__main__":
    main()
