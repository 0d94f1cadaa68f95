"""What was ranked for each question, one JSON object per line: for looking at misses and for comparing two runs."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from apps.calibration.dataset import Dataset
from evals.evaluation.retrieval import RetrievalAnswer


def append_ranks(path: Path, dataset: Dataset, policy: str, answers: Sequence[RetrievalAnswer]) -> None:
    """Add a file's questions: what was asked, the evidence (a list of names per piece), and what came, best first."""
    with path.open("a", encoding="utf-8") as file:
        file.writelines(_line(dataset, policy, answer) for answer in answers)


def _line(dataset: Dataset, policy: str, answer: RetrievalAnswer) -> str:
    told = {
        "file": dataset.path.name,
        "policy": policy,
        "conversation_id": answer.conversation_id,
        "question_id": answer.question_id,
        "category": answer.category,
        "evidence": [sorted(piece) for piece in answer.turns.wanted],
        "tokens": answer.tokens,
        "ranked": [asdict(each) for each in answer.ranked],
    }
    return json.dumps(told, ensure_ascii=False) + "\n"
