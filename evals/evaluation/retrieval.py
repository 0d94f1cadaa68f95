"""Does recall find the turns that answer a question? Asked through Brain's own recall, judged by labels."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from apps.calibration.dataset import ADVERSARIAL, Dataset, LabelledConversation, LabelledQuestion
from apps.calibration.examination import Clock, Examination, RankedAnswer
from apps.calibration.metrics import LabelledRanking, ndcg, recall
from apps.calibration.weights import TOP
from brain.prompting.tokens import count_tokens
from evals.evaluation.metrics import distinct, hit, mean, percentile, precision, reciprocal_rank
from memory.embedding import Embedder
from memory.errors import bad_request
from memory.recall.policy import RankedCandidate

SESSION_KS = (5, 10)


@dataclass
class TimedEmbedder:
    """An embedding model with a watch: its time is reported apart from recall's."""

    embedder: Embedder
    clock: Clock = perf_counter
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """The model's own."""
        return self.embedder.name

    async def embed(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """As the model does; ``seconds`` grows by what it took."""
        begun = self.clock()
        try:
            return await self.embedder.embed(texts)
        finally:
            self.seconds += self.clock() - begun


@dataclass(frozen=True, kw_only=True)
class RankedMemory:
    """One place of an answer: the recording's own name of the turn, if it named it, and which of its words came."""

    turn_id: str | None
    lane: str
    start: int
    end: int
    score: float
    tokens: int


@dataclass(frozen=True, kw_only=True)
class RetrievalAnswer:
    """How one question was answered. ``seconds`` are without ``embedding_seconds``; tokens are of the first ten."""

    conversation_id: str
    question_id: str
    category: str
    language: str
    ranked: tuple[RankedMemory, ...]
    turns: LabelledRanking
    sessions: LabelledRanking
    tokens: int
    seconds: float
    embedding_seconds: float
    degraded: bool


@dataclass(frozen=True, kw_only=True)
class RetrievalFigures:
    """Means over questions: shares 0..1 by k, tokens of the first ten turns; milliseconds as percentiles."""

    questions: int
    recall: Mapping[int, float]
    precision: Mapping[int, float]
    hit: Mapping[int, float]
    mrr: float
    ndcg: float
    session_recall: Mapping[int, float]
    tokens: float
    p50_ms: float
    p95_ms: float


@dataclass(frozen=True, kw_only=True)
class RetrievalReport:
    """The figures of one file. ``total`` and ``languages`` are without adversarial questions, which stand apart."""

    file: str
    sha256: str
    policy: str
    embeddings: str
    skipped: int
    degraded: int
    embedding_p50_ms: float
    embedding_p95_ms: float
    total: RetrievalFigures
    categories: Mapping[str, RetrievalFigures]
    languages: Mapping[str, RetrievalFigures]
    adversarial: RetrievalFigures | None


@dataclass(frozen=True)
class TimedExamination:
    """An examination whose embedding model carries a watch, if it has one; figures are cut at ``ks``."""

    examination: Examination
    watch: TimedEmbedder | None = None
    ks: tuple[int, ...] = (5, 10, 20)

    async def answers(self, dataset: Dataset, done: Callable[[], None]) -> list[RetrievalAnswer]:
        """Every question that can be judged, one after another; ``done`` is told after each."""
        answers: list[RetrievalAnswer] = []
        for conversation, question in dataset.questions:
            before = self._embedding_seconds()
            answer = await self.examination.answer(conversation, question)
            answers.append(_retrieval_answer(answer, self._embedding_seconds() - before))
            done()
        return answers

    def _embedding_seconds(self) -> float:
        return self.watch.seconds if self.watch else 0.0


def _retrieval_answer(answer: RankedAnswer, embedding_seconds: float) -> RetrievalAnswer:
    conversation, question = answer.conversation, answer.question
    ranked = tuple(_ranked_memory(each, name) for each, name in zip(answer.ranked, answer.names, strict=True))
    return RetrievalAnswer(
        conversation_id=conversation.conversation_id,
        question_id=question.question_id,
        category=question.category,
        language=conversation.language,
        ranked=ranked,
        turns=answer.turns,
        sessions=_label_sessions(conversation, question, answer.names),
        tokens=sum(each.tokens for each in ranked[:TOP]),
        seconds=answer.seconds - embedding_seconds,
        embedding_seconds=embedding_seconds,
        degraded=answer.degraded,
    )


def _ranked_memory(ranked: RankedCandidate, turn_id: str | None) -> RankedMemory:
    found, (start, end) = ranked.candidate, ranked.candidate.span
    tokens = count_tokens(found.text)
    return RankedMemory(turn_id=turn_id, lane=found.lane, start=start, end=end, score=ranked.score, tokens=tokens)


def _label_sessions(
    conversation: LabelledConversation, question: LabelledQuestion, names: Sequence[str | None]
) -> LabelledRanking:
    """The distinct sessions that the ranked turns come from."""
    of_turn = conversation.session_of
    sessions = distinct([of_turn.get(name) if name is not None else None for name in names])
    wanted = tuple(dict.fromkeys(frozenset(of_turn[turn] for turn in piece) for piece in question.wanted_evidence))
    return LabelledRanking(sessions, wanted)


def report(dataset: Dataset, timed: TimedExamination, answers: Sequence[RetrievalAnswer]) -> RetrievalReport:
    """All figures of a file. Raises ``E_BAD_REQUEST`` when it asks nothing that can be judged."""
    scored = [each for each in answers if each.category != ADVERSARIAL]
    if not scored:
        raise bad_request(f"{dataset.path} has no question with evidence.", "Label the turns that answer.")
    apart = [each for each in answers if each.category == ADVERSARIAL]
    embedding = [each.embedding_seconds * 1000 for each in answers if timed.watch]
    grouped = partial(_figures_by_group, scored, timed.ks)
    return RetrievalReport(
        file=dataset.path.name,
        sha256=dataset.sha256,
        policy=timed.examination.policy,
        embeddings=timed.watch.name if timed.watch else "none",
        skipped=sum(len(each.questions) for each in dataset.conversations) - len(answers),
        degraded=sum(each.degraded for each in answers),
        embedding_p50_ms=percentile(embedding, 0.5) if embedding else 0.0,
        embedding_p95_ms=percentile(embedding, 0.95) if embedding else 0.0,
        total=figures(scored, timed.ks),
        categories=grouped(lambda answer: answer.category),
        languages=grouped(lambda answer: answer.language),
        adversarial=figures(apart, timed.ks) if apart else None,
    )


def figures(answers: Sequence[RetrievalAnswer], ks: Iterable[int]) -> RetrievalFigures:
    """Means and percentiles over answers, of which there must be one at least."""
    turns, sessions = [each.turns for each in answers], [each.sessions for each in answers]
    milliseconds = [each.seconds * 1000 for each in answers]
    by_k = {name: {k: mean(turns, partial(metric, k=k)) for k in ks} for name, metric in _BY_K.items()}
    return RetrievalFigures(
        questions=len(answers),
        recall=by_k["recall"],
        precision=by_k["precision"],
        hit=by_k["hit"],
        mrr=mean(turns, reciprocal_rank),
        ndcg=mean(turns, partial(ndcg, k=TOP)),
        session_recall={k: mean(sessions, partial(recall, k=k)) for k in SESSION_KS},
        tokens=sum(each.tokens for each in answers) / len(answers),
        p50_ms=percentile(milliseconds, 0.5),
        p95_ms=percentile(milliseconds, 0.95),
    )


_BY_K = {"recall": recall, "precision": precision, "hit": hit}


def _figures_by_group(
    answers: Sequence[RetrievalAnswer], ks: Sequence[int], group: Callable[[RetrievalAnswer], str]
) -> dict[str, RetrievalFigures]:
    names = sorted({group(each) for each in answers})
    return {name: figures([each for each in answers if group(each) == name], ks) for name in names}
