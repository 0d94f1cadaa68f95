"""Fit what ends what: ``python -m evals.fit_endings`` prints cross-validated figures and the weights for
``language/supersession.py``.

``data/changes/<language>.jsonl`` holds conversations in the format of ``evals.remembered``: each statement is held
against all that the person said before, as in life, so that few pairs are endings. Only they are judged, each by a
model that has not seen its conversation. ``data/endings/<language>-*.tsv`` adds a label (ends, slip, stays), an older
and a newer sentence per line, written to show many ways of ending; they weigh less.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # pyright: ignore[reportMissingTypeStubs]
from sklearn.model_selection import GroupKFold  # pyright: ignore[reportMissingTypeStubs]
from sklearn.preprocessing import StandardScaler  # pyright: ignore[reportMissingTypeStubs]

from evals.remembered_data import Conversation, holds, plain, read_conversations
from evolution.endings import MAX_DOUBTED, concerns, read_candidate
from evolution.extraction.rules import extract_by_rules
from evolution.state import ExtractionCandidate, TurnRecord
from language.ending_likelihood import profile_sentence, supersession_features

DATA = Path(__file__).parent / "data"
LANGUAGES = ("en", "zh")
BESIDE = 3
"""Older sentences of other lines that each newer one of a line is held against."""
LINE_WEIGHT = 0.2
STRENGTH = 0.02
"""Inverse strength of the regularisation."""
FOLDS = 8
ROUNDS = 3
ENDS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
MARKS = (0.03, 0.05, 0.08, 0.1, 0.15)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """An older and a newer statement of a conversation by their places; ``over`` are the labels of what ended there."""

    language: str
    conversation: str
    old: int
    new: int
    over: frozenset[str]
    same_person: bool
    values: tuple[float, ...]


@dataclass(frozen=True)
class Model:
    """Weights of the features, and the bias."""

    weights: Floats
    bias: float

    def judge(self, values: Floats) -> Floats:
        """How likely each row is an ending."""
        return 1 / (1 + np.exp(-(values @ self.weights + self.bias)))


def conversation_pairs() -> list[Pair]:
    """All pairs of all conversations."""
    files = [DATA / "changes" / f"{language}.jsonl" for language in LANGUAGES]
    return [pair for each in read_conversations(files) for pair in _pairs_of(each)]


def _pairs_of(conversation: Conversation) -> Iterator[Pair]:
    said = [each for session in range(len(conversation.sessions)) for each in _statements(conversation, session)]
    for place, new in enumerate(said):
        for before, old in enumerate(said[:place]):
            yield Pair(
                conversation.language,
                conversation.conversation,
                before,
                place,
                frozenset(_labels(conversation, old, new)),
                concerns(read_candidate(old), new),
                supersession_features(profile_sentence(old["content"]), profile_sentence(new["content"])),
            )


def _statements(conversation: Conversation, number: int) -> list[ExtractionCandidate]:
    session = conversation.sessions[number]
    return extract_by_rules(
        [
            TurnRecord(
                event_id=turn.turn,
                operation_id=turn.turn,
                session_id=session.session,
                role="assistant" if turn.speaker == "assistant" else "user",
                speaker=turn.speaker,
                text=turn.text,
                at=session.at.isoformat(),
                time_zone=conversation.zone,
                sha256="",
            )
            for turn in session.turns
        ]
    )


def _labels(conversation: Conversation, old: ExtractionCandidate, new: ExtractionCandidate) -> Iterator[str]:
    """What an older statement says that was over from the newer one's turn on."""
    said = plain(old["content"])
    for each in conversation.remember:
        if (each.turn, each.ended_by) == (old["event_id"], new["event_id"]):
            quote = plain(each.quote)
            if holds(old["content"], each.values) or quote in said or said in quote:
                yield each.id


def line_table() -> tuple[Floats, NDArray[np.bool_]]:
    """The features of the pairs of the lines, each older one beside ``BESIDE`` of other lines, and what is over."""
    chance, rows, over = Random(0), list[tuple[float, ...]](), list[bool]()
    for language in LANGUAGES:
        paths = sorted((DATA / "endings").glob(f"{language}-*.tsv"))
        lines = [line.split("\t") for path in paths for line in path.read_text("utf-8").splitlines()]
        for label, old, new in lines:
            others = chance.sample([each for _, each, other in lines if other != new], BESIDE)
            rows += [supersession_features(profile_sentence(each), profile_sentence(new)) for each in (old, *others)]
            over += [label != "stays", *(False for _ in others)]
    return np.array(rows), np.array(over)


def fit(pairs: Sequence[Pair], lines: tuple[Floats, NDArray[np.bool_]]) -> Model:
    """A turn that ends something may hold several statements: of each ending only the likeliest pair counts."""
    kept = list(pairs)
    for _ in range(ROUNDS):
        model = _fit_once(kept, lines)
        best = _likeliest(kept, model.judge(np.array([each.values for each in kept])))
        kept = [pair for place, pair in enumerate(kept) if not pair.over or place in best]
    return _fit_once(kept, lines)


def _fit_once(pairs: Sequence[Pair], lines: tuple[Floats, NDArray[np.bool_]]) -> Model:
    values = np.concatenate([[each.values for each in pairs], lines[0]])
    over = np.concatenate([[bool(each.over) for each in pairs], lines[1]])
    weight = np.concatenate([np.ones(len(pairs)), np.full(len(lines[1]), LINE_WEIGHT)])
    scaler: Any = cast("Any", StandardScaler()).fit(values)
    model: Any = LogisticRegression(C=STRENGTH, max_iter=2000)
    model.fit(scaler.transform(values), over, sample_weight=weight)
    weights = cast("Floats", model.coef_[0] / scaler.scale_)
    return Model(weights, float(model.intercept_[0] - scaler.mean_ @ weights))


def _likeliest(pairs: Sequence[Pair], likely: Floats) -> set[int]:
    best: dict[tuple[str, str], int] = {}
    for place, pair in enumerate(pairs):
        for label in pair.over:
            key = (pair.conversation, label)
            if key not in best or likely[place] > likely[best[key]]:
                best[key] = place
    return set(best.values())


def cross_validate(pairs: Sequence[Pair], lines: tuple[Floats, NDArray[np.bool_]]) -> Floats:
    """How likely each pair is an ending, by a model that has not seen its conversation."""
    likely = np.zeros(len(pairs))
    groups = [each.conversation for each in pairs]
    splits: Iterator[tuple[Sequence[int], Sequence[int]]] = cast("Any", GroupKFold(FOLDS)).split(pairs, groups=groups)
    for known, asked in splits:
        model = fit([pairs[place] for place in known], lines)
        likely[asked] = model.judge(np.array([pairs[place].values for place in asked]))
    return likely


def judge_other_language(pairs: Sequence[Pair], lines: tuple[Floats, NDArray[np.bool_]]) -> Floats:
    """How likely each pair is an ending, by a model that was fitted on conversations of the other language."""
    models = {each: fit([pair for pair in pairs if pair.language != each], lines) for each in LANGUAGES}
    return np.array([models[each.language].judge(np.array([each.values]))[0] for each in pairs])


def print_figures(pairs: Sequence[Pair], likely: Floats) -> None:
    """By language and threshold: endings found and how many are right; older statements marked alike."""
    for language in LANGUAGES:
        mine = [(pair, share) for pair, share in zip(pairs, likely, strict=True) if pair.language == language]
        whole = {(pair.conversation, label) for pair, _ in mine for label in pair.over}
        over = {(pair.conversation, pair.old) for pair, _ in mine if pair.over}
        for name, thresholds, most in (("ended", ENDS, 1), ("marked", MARKS, MAX_DOUBTED)):
            for least in thresholds:
                said = _decide(mine, least, most)
                found = {(pair.conversation, label) for pair in said for label in pair.over}
                olds = {(pair.conversation, pair.old) for pair in said}
                print(
                    f"{language} {name} from {least}: {len(found) / len(whole):.1%} of {len(whole)}, "
                    f"rightly {len(olds & over) / max(1, len(olds)):.1%}"
                )


def _decide(judged: Sequence[tuple[Pair, float]], least: float, most: int) -> list[Pair]:
    """The likeliest older statements of the same person for each newer one, ``most`` at most."""
    by_new = defaultdict[tuple[str, int], list[tuple[Pair, float]]](list)
    for pair, share in judged:
        if pair.same_person and share >= least:
            by_new[pair.conversation, pair.new].append((pair, share))
    return [pair for each in by_new.values() for pair, _ in sorted(each, key=lambda one: -one[1])[:most]]


def main() -> None:
    """See the module."""
    pairs, lines = conversation_pairs(), line_table()
    print("by a model that has not seen the conversation")
    print_figures(pairs, cross_validate(pairs, lines))
    print("by a model of the other language")
    print_figures(pairs, judge_other_language(pairs, lines))
    model = fit(pairs, lines)
    print("WEIGHTS =", tuple(round(float(each), 2) for each in model.weights))
    print("BIAS =", round(model.bias, 2))


if __name__ == "__main__":
    main()
