"""Does recall serve every kind of text? The default policy beside plain BM25, and what of its order is injected.

    python -m evals.retrieval_kinds [--data DIRECTORY] [--policy P] [--json FILE]

A directory holds ``LANGUAGE-KIND.jsonl``: recorded conversations of one kind, asked through rows kept in the process,
and of the kind ``none`` questions that those conversations do not answer. Fails when BM25, given the same rows, is
better at any kind, or when injection is out of its bounds, here or in the cases of ``retrieval_cases``. No database, no
model.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from apps.calibration.dataset import LabelledQuestion
from apps.calibration.metrics import LabelledRanking, blank_repeats, ndcg, recall
from brain.embeddings.encoder import EncoderEmbedder
from brain.prompting.tokens import count_tokens
from evals.evaluation.metrics import mean, reciprocal_rank
from evals.offline_recall import FIRST, Remembered, encoder_of, remember_file
from evals.plain_bm25 import PlainBM25
from evals.retrieval_cases import case_lines, inject, measure_cases, read_cases
from memory.index_rows import Searchable
from memory.recall.policies.registry import find_policy, rank
from memory.recall.policy import Policy

DATA = Path(__file__).parent / "data" / "retrieval"
NONE = "none"
TOP = 10
WORLD = 0.10
"""Greatest share of questions about the world that may get a memory."""
KEPT = 0.9
"""Least share of what the first eight hold that is injected."""
SPENT = 0.5
"""Greatest share of their tokens."""
SLACK = 1.0
"""Points of recall@10 that plain BM25 may be ahead where both find nearly everything."""
NEVER = 0.95
"""Greatest share of questions about the person, never answered, that may get a memory: what was reached, no aim."""


class Unanswered(BaseModel):
    """Questions that a conversation of another file does not answer."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    conversation_id: str
    questions: tuple[LabelledQuestion, ...]


@dataclass(frozen=True)
class Ranking:
    """Means over questions, in percent; ``tokens`` of the first ten."""

    questions: int
    recall_5: float
    recall_10: float
    mrr: float
    ndcg: float
    tokens: float


@dataclass(frozen=True)
class Injection:
    """What the cut leaves of the first eight: shares of the evidence and of the tokens they hold, and how many."""

    kept: float
    spent: float
    memories: float


@dataclass(frozen=True)
class Kind:
    """One file under the policy and under plain BM25."""

    name: str
    brain: Ranking
    bm25: Ranking
    injection: Injection

    @property
    def is_held(self) -> bool:
        """Whether the policy beats BM25, by the first ten as they are ordered and as a set."""
        return self.brain.ndcg > self.bm25.ndcg and self.brain.recall_10 >= self.bm25.recall_10 - SLACK


@dataclass(frozen=True)
class Figures:
    """All kinds, and by language and category the share of unanswered questions that get any memory."""

    kinds: Sequence[Kind]
    given: Mapping[str, float]

    def faults(self) -> Iterator[str]:
        """What the gate refuses, one line each."""
        yield from (f"{kind.name}: plain BM25 is better." for kind in self.kinds if not kind.is_held)
        for name, share in self.given.items():
            most = WORLD if "world" in name else NEVER
            if share > most:
                yield f"{name}: {share:.0%} of the questions get a memory, more than {most:.0%}."
        kept, spent = (_mean([getattr(kind.injection, name) for kind in self.kinds]) for name in ("kept", "spent"))
        if kept < KEPT or spent > SPENT:
            yield f"Injection keeps {kept:.1%} for {spent:.0%} of the tokens; {KEPT:.0%} for {SPENT:.0%} was reached."


@dataclass(frozen=True)
class _Asked:
    """One question, the rows in their order and the evidence."""

    ranked: Sequence[Searchable]
    judged: LabelledRanking


def measure(directory: Path, policy: Policy, encoder: EncoderEmbedder | None = None) -> Figures:
    """Every file of a directory."""
    unanswered = dict(unanswered_questions(directory))
    kinds, given = list[Kind](), defaultdict[str, list[float]](list)
    for path in sorted(directory.glob("*.jsonl")):
        if path.stem.endswith(NONE):
            continue
        memories = list(remember_file(path, encoder))
        kinds.append(measure_kind(path.stem, memories, policy))
        for memory in memories:
            for question in unanswered.get(memory.conversation.conversation_id, ()):
                found = memory.search(question)
                name = f"{memory.conversation.language} {question.category}"
                given[name].append(bool(policy.cut([found], rank([found], policy))))
    return Figures(kinds, {name: _mean(gets) for name, gets in sorted(given.items())})


def measure_kind(name: str, memories: Sequence[Remembered], policy: Policy) -> Kind:
    """One file's questions under both, over the same rows."""
    brain, bm25, injected = list[_Asked](), list[_Asked](), list[Sequence[Searchable]]()
    for memory in memories:
        plain = PlainBM25(memory.rows)
        for question in (each for each in memory.conversation.questions if each.evidence):
            found = memory.search(question)
            ranked = rank([found], policy)
            brain.append(_rank_question(memory, question, [each.candidate for each in ranked]))
            bm25.append(_rank_question(memory, question, plain.rank(question.question)))
            injected.append([each.candidate for each in policy.cut([found], ranked[:FIRST])])
    return Kind(name, _ranking(brain), _ranking(bm25), _injection(memories, brain, injected))


def _rank_question(memory: Remembered, question: LabelledQuestion, ranked: Sequence[Searchable]) -> _Asked:
    names = blank_repeats([memory.turn_of[row.source_id] for row in ranked])
    return _Asked(ranked, LabelledRanking(names, question.wanted_evidence))


def _ranking(asked: Sequence[_Asked]) -> Ranking:
    judged = [each.judged for each in asked]
    return Ranking(
        questions=len(asked),
        recall_5=100 * mean(judged, partial(recall, k=5)),
        recall_10=100 * mean(judged, partial(recall, k=TOP)),
        mrr=100 * mean(judged, reciprocal_rank),
        ndcg=100 * mean(judged, partial(ndcg, k=TOP)),
        tokens=_mean([_tokens(each.ranked[:TOP]) for each in asked]),
    )


def _injection(
    memories: Sequence[Remembered], asked: Sequence[_Asked], injected: Sequence[Sequence[Searchable]]
) -> Injection:
    turn_of = {source: turn for memory in memories for source, turn in memory.turn_of.items()}
    held = sum(recall(each.judged, FIRST) for each in asked)
    kept = sum(
        recall(LabelledRanking(tuple(turn_of[row.source_id] for row in rows), each.judged.wanted), FIRST)
        for each, rows in zip(asked, injected, strict=True)
    )
    room = sum(_tokens(each.ranked[:FIRST]) for each in asked)
    spent = sum(map(_tokens, injected))
    return Injection(kept / (held or 1), spent / (room or 1), _mean([len(rows) for rows in injected]))


def unanswered_questions(directory: Path) -> Iterator[tuple[str, tuple[LabelledQuestion, ...]]]:
    """By conversation, what is asked that it does not answer."""
    for path in sorted(directory.glob(f"*-{NONE}.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            read = Unanswered.model_validate_json(line)
            yield read.conversation_id, read.questions


def _tokens(rows: Iterable[Searchable]) -> int:
    return sum(count_tokens(row.text) for row in rows)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def lines(figures: Figures) -> Iterator[str]:
    """A table to read."""
    head = "".join(f"{name:>7}{'':8}" for name in ("R@5", "R@10", "MRR", "nDCG10", "tok@10"))
    yield f"{'':<14}{'asked':>6}{head}{'kept':>7}{'tokens':>7}{'n':>5}"
    for kind in figures.kinds:
        brain, bm25, cut = kind.brain, kind.bm25, kind.injection
        names = ("recall_5", "recall_10", "mrr", "ndcg", "tokens")
        cells = "".join(f"{getattr(brain, name):>7.1f} ({getattr(bm25, name):.1f})".ljust(15) for name in names)
        yield f"{kind.name:<14}{brain.questions:>6}{cells}{cut.kept:>7.1%}{cut.spent:>7.0%}{cut.memories:>5.1f}"
    yield "In brackets: plain BM25. Questions without an answer that get any memory:"
    yield from (f"  {name}: {share:.0%}" for name, share in figures.given.items())


def main() -> None:
    """Measure, tell, and fail when the gate is shut."""
    parser = argparse.ArgumentParser(description="Recall by kind of text, beside plain BM25, without a database.")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--policy", default="")
    parser.add_argument("--embeddings", choices=("encoder", "none"), default="encoder")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    policy, encoder = find_policy(options.policy), encoder_of(options.embeddings)
    figures = measure(options.data, policy, encoder)
    print("\n".join(lines(figures)))
    if options.json:
        options.json.write_text(json.dumps(asdict(figures), ensure_ascii=False, indent=2) + "\n", "utf-8")
    cases = measure_cases(read_cases(), inject(policy), encoder)
    print("\n".join(case_lines("Cases", cases)))
    faults = [*figures.faults(), *cases.faults()]
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
