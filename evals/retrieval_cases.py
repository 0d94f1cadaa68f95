"""Does recall stop where it should? Short memories of one person, what must come back to a message, and what must not.

    python -m evals.retrieval_cases [--held] [--policy P]

``data/cases/LANGUAGE.jsonl`` holds a case per line: its memories, a message, the memories that the answer needs
(``must``) and those that would only distract (``must_not``); what is neither may come. A third of the cases, by the
hash of their names, is kept aside. No database, no model.
"""

import argparse
import hashlib
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from apps.calibration.dataset import LabelledConversation, LabelledQuestion, LabelledSession, LabelledTurn
from apps.ingestion.conversation_file import RecordedConversation, RecordedSession, RecordedTurn
from brain.embeddings.encoder import EncoderEmbedder
from evals.offline_recall import FIRST, Remembered, encoder_of, remember
from evals.plain_bm25 import PlainBM25
from memory.recall.policies.registry import find_policy, rank
from memory.recall.policy import Policy

CASES = Path(__file__).parent / "data" / "cases"
PLAIN = 3
"""Memories that plain BM25 returns to be held against."""
PASSED = 0.2
"""Least share of the cases that pass; returning nothing passes all that need nothing."""
ANSWERED = 0.2
"""Least share that passes of the cases that need a memory."""
RECALL = 0.58
"""Least share of the needed memories that comes."""


class CaseMemory(BaseModel):
    """One memory as it was said or noted, and on which day."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    at: str
    text: str


class Case(BaseModel):
    """One line of the data."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    case: str
    language: str
    type: str
    memories: tuple[CaseMemory, ...]
    question: str
    asked_at: str
    must: tuple[str, ...]
    must_not: tuple[str, ...]

    @property
    def is_held(self) -> bool:
        """Whether it is kept aside."""
        return int(hashlib.sha256(self.case.encode()).hexdigest(), 16) % 3 == 0

    def is_passed(self, given: Sequence[str]) -> bool:
        """Whether all that must come has come, and nothing that must not."""
        return set(self.must) <= set(given) and set(given).isdisjoint(self.must_not)

    def share(self, given: Sequence[str]) -> float:
        """Share of what must come that has come."""
        return sum(each in given for each in self.must) / len(self.must)

    def to_memory(self, encoder: EncoderEmbedder | None = None) -> Remembered:
        """The memories as turns of the person, a session for each day."""
        return remember_statements((self.case, self.language), self.memories, (self.to_question(),), encoder)

    def to_question(self) -> LabelledQuestion:
        """The message as a question of a data set."""
        return LabelledQuestion.model_validate(
            {
                "question_id": self.case,
                "question": self.question,
                "category": self.type,
                "evidence": self.must,
                "asked_at": f"{self.asked_at}T12:00",
            }
        )


def remember_statements(
    conversation: tuple[str, str],
    memories: Sequence[CaseMemory],
    questions: tuple[LabelledQuestion, ...],
    encoder: EncoderEmbedder | None = None,
) -> Remembered:
    """Memories in the order of their days as turns of the person; the ``conversation`` has a name and a language."""
    days = [(day, list(said)) for day, said in groupby(memories, key=lambda each: each.at)]
    name, language = conversation
    recording = RecordedConversation(
        conversation_id=name,
        sessions=tuple(
            RecordedSession(session_id=day, occurred_at=f"{day}T10:00", turns=_turns(said)) for day, said in days
        ),
    )
    labelled = LabelledConversation(
        conversation_id=name,
        language=language,
        sessions=tuple(_label_session(day, said) for day, said in days),
        questions=questions,
    )
    return remember(labelled, recording, encoder)


def _label_session(day: str, said: Sequence[CaseMemory]) -> LabelledSession:
    turns = [LabelledTurn(turn_id=one.id) for one in said]
    return LabelledSession.model_validate({"session_id": day, "occurred_at": f"{day}T10:00", "turns": turns})


def _turns(said: Sequence[CaseMemory]) -> tuple[RecordedTurn, ...]:
    return tuple(RecordedTurn(turn_id=one.id, speaker="user", text=_without_speaker(one.text)) for one in said)


def _without_speaker(text: str) -> str:
    return text.removeprefix("user: ").removeprefix("用户：")


def read_cases(*, held: bool = False) -> list[Case]:
    """The cases of all languages that are kept aside, or the others."""
    lines = (line for path in sorted(CASES.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines())
    return [case for case in map(Case.model_validate_json, lines) if case.is_held == held]


@dataclass(frozen=True)
class CaseFigures:
    """``passed`` and ``cases`` by language and type; ``answered`` of ``needing`` cases that need a memory passed."""

    passed: Mapping[str, int]
    cases: Mapping[str, int]
    answered: int
    needing: int
    recall: float

    def faults(self) -> Iterator[str]:
        """What the gate refuses, one line each."""
        for name, found, least in (
            ("of the cases pass", sum(self.passed.values()) / sum(self.cases.values()), PASSED),
            ("of those that need a memory pass", self.answered / self.needing, ANSWERED),
            ("of the needed memories come", self.recall, RECALL),
        ):
            if found < least:
                yield f"Only {found:.1%} {name}; {least:.0%} was reached."


Answer = Callable[[Case, Remembered], Sequence[str]]


def inject(policy: Policy) -> Answer:
    """What a policy gives to a prompt."""

    def answer(case: Case, memory: Remembered) -> Sequence[str]:
        found = memory.search(case.to_question())
        relevant = policy.cut([found], rank([found], policy))
        return [memory.turn_of[each.candidate.source_id] for each in relevant[:FIRST]]

    return answer


def first_of_bm25(case: Case, memory: Remembered) -> Sequence[str]:
    """What plain BM25 ranks first."""
    return [memory.turn_of[row.source_id] for row in PlainBM25(memory.rows).rank(case.question)[:PLAIN]]


def inject_nothing(case: Case, memory: Remembered) -> Sequence[str]:
    """No memory at all."""
    del case, memory
    return ()


def measure_cases(cases: Sequence[Case], answer: Answer, encoder: EncoderEmbedder | None = None) -> CaseFigures:
    """All of them answered in the same way."""
    passed, counted, shares, answered = defaultdict[str, int](int), defaultdict[str, int](int), list[float](), 0
    for case in cases:
        given = answer(case, case.to_memory(encoder))
        name, is_passed = f"{case.language} {case.type}", case.is_passed(given)
        passed[name] += is_passed
        counted[name] += 1
        if case.must:
            answered += is_passed
            shares.append(case.share(given))
    return CaseFigures(passed, counted, answered, len(shares), sum(shares) / (len(shares) or 1))


def case_lines(name: str, figures: CaseFigures) -> Iterator[str]:
    """A table to read."""
    passed, cases = sum(figures.passed.values()), sum(figures.cases.values())
    needing = f"{figures.answered} of the {figures.needing} that need a memory"
    yield f"{name}: {passed} of {cases} pass, {needing}; recall {figures.recall:.2f}"
    yield "  " + ", ".join(f"{key} {figures.passed[key]}/{count}" for key, count in sorted(figures.cases.items()))


def main() -> None:
    """Measure, tell, and fail when the gate is shut."""
    parser = argparse.ArgumentParser(description="What is given to the prompt, by case, without a database.")
    parser.add_argument("--held", action="store_true", help="the cases kept aside: only for their sums")
    parser.add_argument("--policy", default="")
    parser.add_argument("--embeddings", choices=("encoder", "none"), default="encoder")
    options = parser.parse_args()
    cases, policy = read_cases(held=options.held), find_policy(options.policy)
    figures = measure_cases(cases, inject(policy), encoder_of(options.embeddings))
    for name, found in (
        (policy.name, figures),
        ("nothing", measure_cases(cases, inject_nothing)),
        ("first 3 of BM25", measure_cases(cases, first_of_bm25)),
    ):
        print("\n".join(case_lines(name, found)))
    faults = [] if options.held else list(figures.faults())
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
