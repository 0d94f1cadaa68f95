"""Retrieval by kind of text, in both languages, beside plain BM25; and where recall should stop."""

import asyncio

from brain.embeddings.encoder import EncoderEmbedder, encoder_embedder
from evals.memory_ci.bench import Bench
from evals.memory_ci.report import Figure, Findings
from evals.retrieval_cases import PASSED, CaseFigures, inject, measure_cases, read_cases
from evals.retrieval_kinds import DATA, Figures, Kind, measure
from memory.recall.policies.registry import find_policy

_PERCENT = 100


async def find_retrieval(bench: Bench) -> Findings:
    """Off the event loop: rows kept in the process, no database, no model."""
    kind, _ = bench.settings.embedding_model
    encoder = encoder_embedder() if kind == "encoder" else None
    notes = [] if kind in ("encoder", "none") else ["Measured on words alone: the embedding model is none of ours."]
    policy = find_policy(bench.settings.ranking_policy)
    cases = await asyncio.to_thread(_measure_cases, bench, encoder)
    if bench.is_quick:
        return Findings(figures=_case_figures(cases), notes=notes)
    figures = await asyncio.to_thread(measure, DATA, policy, encoder)
    return Findings(
        figures=[*(each for kind in figures.kinds for each in _kind_figures(kind)), *_case_figures(cases)],
        faults=[*_faults(figures, encoder), *cases.faults()],
        notes=notes,
    )


def _faults(figures: Figures, encoder: EncoderEmbedder | None) -> list[str]:
    """Bounds on what is injected were reached with the encoder; that plain BM25 is no better holds with any."""
    return [each for each in figures.faults() if encoder is not None or "plain BM25" in each]


def _measure_cases(bench: Bench, encoder: EncoderEmbedder | None) -> CaseFigures:
    return measure_cases(read_cases(), inject(find_policy(bench.settings.ranking_policy)), encoder)


def _kind_figures(kind: Kind) -> list[Figure]:
    asked = kind.brain.questions
    return [
        Figure(name=f"{kind.name}: recall@10", part=_count(kind.brain.recall_10, asked), whole=asked),
        Figure(name=f"{kind.name}: recall@10 of plain BM25", part=_count(kind.bm25.recall_10, asked), whole=asked),
    ]


def _count(percent: float, questions: int) -> int:
    """A mean share as a count, rounded."""
    return round(percent * questions / _PERCENT)


def _case_figures(cases: CaseFigures) -> list[Figure]:
    total, right = sum(cases.cases.values()), sum(cases.passed.values())
    return [
        Figure(name="where recall should stop: right", part=right, whole=total, least=PASSED),
        *(
            Figure(name=f"where recall should stop, {name}: right", part=cases.passed[name], whole=whole)
            for name, whole in sorted(cases.cases.items())
        ),
    ]
