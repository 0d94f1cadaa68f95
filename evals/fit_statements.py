"""Fit the sentence classifier: ``python -m evals.fit_statements [--embeddings none]`` reads the labelled sentences,
prints cross-validated figures by language, and writes ``language/meaning.npz``, which sees the encoder's vectors, or
``language/statements.npz``, which knows words alone. ``--figures`` prints without writing.

Single sentences show many ways of saying a thing, and rare kinds far too often. Whole conversations show the mix of
life: single sentences are weighted to it, and only sentences of conversations are judged.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack, vstack  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]
from sklearn.linear_model import LogisticRegression  # pyright: ignore[reportMissingTypeStubs]
from sklearn.model_selection import GroupKFold  # pyright: ignore[reportMissingTypeStubs]

from language.classifier import meaning_features
from language.features import BUCKETS, hash_features
from language.kinds import KEPT, KINDS, NEVER, TOPICS

SENTENCES = Path(__file__).parent / "data" / "sentences"
LANGUAGE = Path(__file__).parent.parent / "language"
CONVERSATIONS = Path(__file__).parent / "data" / "talk"
FOLDS = 4
"""Parts of the conversations; each is judged by a model fitted on the others and on all single sentences."""
OF_TALK = 2.0
"""Weight of a sentence of a conversation against a single one."""
LEAST_WEIGHT, MOST_WEIGHT = 0.3, 1.0
"""Bounds of the weight of a single sentence; more weight makes courtesy of every odd sentence."""
REQUESTS = frozenset({"forget", "dont_note", "remember"})
"""Kinds whose single sentences weigh 1 at least: talk holds too few to learn them from."""
TOPIC_WORDS = Path(__file__).parent / "data" / "topics"
KIND_STRENGTH, KIND_STRENGTH_WITH_MEANING = 60.0, 30.0
"""Inverse of the L2 penalty; by words, 20 keeps more junk, 200 changes nothing."""
TOPIC_STRENGTH = 8.0
Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Labelled:
    """A sentence: what it is, what and whom it is about, how, after what and in which conversation it was said.

    ``conversation`` is empty for a single sentence.
    """

    kind: str
    topic: str
    about: str
    register: str
    text: str
    before: str
    language: str
    conversation: str = ""


def read() -> list[Labelled]:
    """All labelled sentences, in the order of the files' names. Raises ``ValueError`` naming a line that is none."""
    single = [line for path in sorted(SENTENCES.glob("*.tsv")) for line in _lines(path)]
    return [*single, *(line for path in sorted(CONVERSATIONS.glob("*.jsonl")) for line in labelled_sentences(path))]


def read_words(folder: Path = TOPIC_WORDS) -> list[tuple[str, str]]:
    """Topics with words that tell them: sentences alone show too few of a language's words."""
    lines = [line.split("\t") for path in sorted(folder.glob("*.tsv")) for line in path.read_text("utf-8").splitlines()]
    return [(topic, word) for topic, words in lines for word in words.split()]


def _lines(path: Path) -> Iterator[Labelled]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        parts = line.split("\t")
        if len(parts) not in (5, 6) or parts[0] not in KINDS or parts[1] not in (*TOPICS, "-"):
            raise ValueError(f"{path.name}:{number} is no labelled sentence: {line[:80]!r}")
        kind, topic, about, register, text = parts[:5]
        yield Labelled(kind, topic, about, register, text, "".join(parts[5:]), path.name[:2])


def labelled_sentences(path: Path) -> Iterator[Labelled]:
    """The person's sentences; the first of a turn comes after what the assistant said, as at run time."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        conversation = json.loads(line)
        before = ""
        for turn in conversation["turns"]:
            if turn["speaker"] == "assistant":
                before = turn["text"]
                continue
            for each in turn["sentences"]:
                if each["kind"] not in KINDS or each["topic"] not in (*TOPICS, "-"):
                    raise ValueError(f"{path.name}:{number} has no labelled sentence: {each['text'][:80]!r}")
                yield Labelled(
                    each["kind"],
                    each["topic"],
                    each["about"],
                    conversation["register"],
                    each["text"],
                    before,
                    conversation["language"],
                    conversation["conversation"],
                )
                before = ""


def weigh(lines: Sequence[Labelled]) -> Floats:
    """A weight per sentence: those of a kind that talk shows more rarely than the single sentences do count less."""
    talk = Counter((line.language, line.kind) for line in lines if line.conversation)
    single = Counter((line.language, line.kind) for line in lines if not line.conversation)
    return np.array([OF_TALK if line.conversation else _weight(line, talk, single) for line in lines])


def _weight(line: Labelled, talk: Counter[tuple[str, str]], single: Counter[tuple[str, str]]) -> float:
    in_talk, alone = (_share_of_kind(line, counts) for counts in (talk, single))
    return min(MOST_WEIGHT, max(in_talk / alone, 1.0 if line.kind in REQUESTS else LEAST_WEIGHT))


def _share_of_kind(line: Labelled, counts: Counter[tuple[str, str]]) -> float:
    """What share of the sentences of its language are of a line's kind."""
    of_language = sum(count for (language, _), count in counts.items() if language == line.language)
    return counts[line.language, line.kind] / max(1, of_language)


def matrix(texts: Sequence[tuple[str, str]], *, sees_meaning: bool) -> Any:
    """A row per text, and what was said before it: hashed features of length 1, then meaning where it is seen."""
    words = _hashed_matrix(texts)
    if not sees_meaning:
        return words
    return cast("Any", hstack)([words, csr_matrix(meaning_features(texts))]).tocsr()


def _hashed_matrix(texts: Sequence[tuple[str, str]]) -> Any:
    columns = [sorted(hash_features(*each)) for each in texts]
    starts = np.cumsum([0, *(len(each) for each in columns)])
    values = np.concatenate([np.full(len(each), 1 / np.sqrt(len(each)), np.float32) for each in columns])
    return csr_matrix((values, np.concatenate(columns), starts), shape=(len(texts), BUCKETS))


def fit(rows: Any, labels: Sequence[str], task: "Task", weights: Floats) -> tuple[Floats, Floats]:
    """Weights (features x names) and biases; names without an example get the bias of what never happens."""
    model: Any = LogisticRegression(C=task.strength, max_iter=200, tol=1e-3)
    model.fit(rows, labels, sample_weight=weights)
    fitted, bias = np.zeros((rows.shape[1], len(task.names))), np.full(len(task.names), -20.0)
    for place, name in enumerate(model.classes_):
        at = task.names.index(name)
        fitted[:, at], bias[at] = model.coef_[place], model.intercept_[place]
    return fitted, bias


def quantize(weights: Floats) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Each column on its own scale; what is nothing beside the greatest becomes nothing."""
    scale: Floats = np.maximum(np.abs(weights).max(axis=0), 1e-9) / 127
    whole: NDArray[np.int8] = np.round(weights / scale).astype(np.int8)
    return whole, scale.astype(np.float32)


def shares(rows: Any, weights: Floats, bias: Floats) -> Floats:
    """Probabilities, one row per sentence."""
    total = rows @ weights + bias
    powers = np.exp(total - total.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def cross_validate(task: "Task") -> Floats:
    """Each sentence of a conversation judged by a model that has not seen its part, in eight bits as at run time."""
    found = np.zeros((len(task.labels), len(task.names)))
    talk, single = np.flatnonzero(task.groups != ""), np.flatnonzero(task.groups == "")
    parts: Any = GroupKFold(FOLDS, shuffle=True, random_state=0)
    for known, asked in parts.split(talk, groups=task.groups[talk]):
        weights, bias = task.fit(np.concatenate([single, talk[known]]))
        whole, scale = quantize(weights[:BUCKETS])
        found[talk[asked]] = shares(task.rows[talk[asked]], np.vstack([whole * scale, weights[BUCKETS:]]), bias)
    return found[talk]


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is to be told apart: sentences with labels, weights and conversations, and examples only learnt from."""

    rows: Any
    labels: Sequence[str]
    weights: Floats
    groups: NDArray[np.str_]
    names: Sequence[str]
    strength: float
    more_rows: Any = None
    more_labels: Sequence[str] = ()

    def fit(self, known: Any = slice(None)) -> tuple[Floats, Floats]:
        """Weights and biases from these sentences, all by default, and all further examples."""
        labels = [*np.array(self.labels)[known], *self.more_labels]
        mine: Any = self.rows[known]
        rows = cast("Any", mine if self.more_rows is None else vstack([mine, self.more_rows]))
        return fit(rows, labels, self, np.concatenate([self.weights[known], np.ones(len(self.more_labels))]))


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", action="store_true", help="print the cross-validated figures and write nothing")
    parser.add_argument("--no-figures", action="store_true", help="fit and write at once")
    parser.add_argument("--embeddings", choices=("encoder", "none"), default="encoder")
    arguments = parser.parse_args()
    lines, sees_meaning = read(), arguments.embeddings == "encoder"
    kinds, topics = kind_task(lines, sees_meaning=sees_meaning), topic_task(lines, sees_meaning=sees_meaning)
    if not arguments.no_figures:
        print_figures([line for line in lines if line.conversation], cross_validate(kinds), cross_validate(topics))
    if not arguments.figures:
        write(LANGUAGE / ("meaning.npz" if sees_meaning else "statements.npz"), kinds.fit(), topics.fit())


def kind_task(lines: Sequence[Labelled], *, sees_meaning: bool) -> Task:
    """What a sentence is."""
    return Task(
        rows=matrix([(line.text, line.before) for line in lines], sees_meaning=sees_meaning),
        labels=[line.kind for line in lines],
        weights=weigh(lines),
        groups=np.array([line.conversation for line in lines]),
        names=KINDS,
        strength=KIND_STRENGTH_WITH_MEANING if sees_meaning else KIND_STRENGTH,
    )


def topic_task(lines: Sequence[Labelled], *, sees_meaning: bool) -> Task:
    """What a sentence is about, from those that are about something."""
    about, words = [line for line in lines if line.topic != "-"], read_words()
    return Task(
        rows=matrix([(line.text, line.before) for line in about], sees_meaning=sees_meaning),
        labels=[line.topic for line in about],
        weights=np.ones(len(about)),
        groups=np.array([line.conversation for line in about]),
        names=TOPICS,
        strength=TOPIC_STRENGTH,
        more_rows=matrix([(word, "") for _, word in words], sees_meaning=sees_meaning),
        more_labels=[topic for topic, _ in words],
    )


def write(path: Path, kinds: tuple[Floats, Floats], topics: tuple[Floats, Floats]) -> None:
    """The file that ``language.classifier`` reads."""
    np.savez_compressed(path, **_arrays("kind", *kinds), **_arrays("topic", *topics))
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


def _arrays(name: str, weights: Floats, bias: Floats) -> dict[str, Any]:
    whole, scale = quantize(weights[:BUCKETS])
    return {
        f"{name}_weights": whole,
        f"{name}_scale": scale,
        f"{name}_bias": bias.astype(np.float32),
        f"{name}_of_meaning": weights[BUCKETS:].astype(np.float16),
    }


def print_figures(lines: Sequence[Labelled], kinds: Floats, topics: Floats) -> None:
    """Accuracy by kind and topic, and at several thresholds what is kept of what should be, and what should not."""
    right: NDArray[np.bool_] = np.array(
        [KINDS[best] == line.kind for best, line in zip(kinds.argmax(axis=1), lines, strict=True)], np.bool_
    )
    about = [line.topic for line in lines if line.topic != "-"]
    hit: NDArray[np.bool_] = np.array(
        [TOPICS[best] == topic for best, topic in zip(topics.argmax(axis=1), about, strict=True)], np.bool_
    )
    print(f"{len(lines)} sentences, kinds right {right.mean():.1%}, topics right {hit.mean():.1%}")
    keeping = kinds[:, [place for place, name in enumerate(KINDS) if name in KEPT]].sum(axis=1)
    for language in sorted({line.language for line in lines}):
        mine = np.array([line.language == language for line in lines])
        kept = np.array([line.kind in KEPT for line in lines])[mine]
        never = np.array([line.kind in NEVER for line in lines])[mine]
        print(f"{language}: kept {kept.mean():.1%}, mean probability {keeping[mine].mean():.1%}")
        for least in (0.3, 0.4, 0.5, 0.55, 0.6, 0.7):
            chosen = keeping[mine] >= least
            print(
                f"{language} from {least}: found {(chosen & kept).sum() / kept.sum():.1%}, "
                f"junk {(chosen & ~kept).sum() / chosen.sum():.1%}, "
                f"never {(chosen & never).sum() / never.sum():.1%}"
            )
    for name in KINDS:
        mine = np.array([line.kind == name for line in lines])
        if mine.any():
            said = kinds.argmax(axis=1) == KINDS.index(name)
            print(
                f"{name:>10}: {mine.sum():4} sentences, recall {right[mine].mean():.1%}, "
                f"precision {(said & mine).sum() / max(1, said.sum()):.1%}"
            )


if __name__ == "__main__":
    main()
