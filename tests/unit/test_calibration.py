"""Which weight vectors earn, told from answers at each weight."""

from collections.abc import Sequence
from datetime import UTC, datetime

from apps.calibration.dataset import LabelledConversation, LabelledQuestion, LabelledSession, LabelledTurn
from apps.calibration.examination import RankedAnswer
from apps.calibration.weights import (
    MIN_QUESTIONS,
    WEIGHTS,
    CachingEmbedder,
    LanguageAnswer,
    LanguageCalibration,
    calibrate,
    lines,
)
from tests.unit.test_embedding import ScriptedEmbedder

MANY = MIN_QUESTIONS + 10
TURNS = (LabelledTurn(turn_id="answer"),)


def answered(place: int, language: str = "en", category: str = "fact") -> LanguageAnswer:
    """A question whose one answer came at that place."""
    names = tuple("answer" if number == place else f"other {number}" for number in range(1, 13))
    question = LabelledQuestion(question_id="q", question="?", category=category, evidence=("answer",))
    session = LabelledSession(session_id="s", occurred_at=datetime(2024, 5, 1, tzinfo=UTC), turns=TURNS)
    talk = LabelledConversation(conversation_id="c", language=language, sessions=(session,), questions=(question,))
    return language, RankedAnswer(
        conversation=talk, question=question, ranked=(), names=names, seconds=0.0, degraded=False
    )


def tried(places: dict[float, Sequence[int]], language: str = "en") -> LanguageCalibration:
    """One language; a weight that is not named does as words alone do."""
    asked = {weight: [answered(place, language) for place in places.get(weight, places[0.0])] for weight in WEIGHTS}
    (found,) = calibrate(asked)
    return found


def test_the_weight_that_finds_best_is_chosen():
    found = tried({0.0: [5] * MANY, 0.5: [2, 3] * (MANY // 2), 1.0: [1, 2] * (MANY // 2), 2.0: [4] * MANY})
    assert (found.language, found.questions, found.weight) == ("en", MANY, 1.0)


def test_what_chance_may_have_done_counts_for_nothing():
    found = tried({0.0: [2] * MANY, 0.5: [1, 3, 9, 1] * (MANY // 4)})
    assert next(trial for trial in found.trials if trial.weight == 0.5).gain > 0
    assert found.weight == 0.0


def test_vectors_that_cost_are_left_out():
    assert tried({0.0: [1] * MANY, 0.25: [2] * MANY, 4.0: [3] * MANY}).weight == 0.0


def test_few_questions_tell_nothing():
    found = tried({0.0: [5] * (MIN_QUESTIONS - 1), 1.0: [1] * (MIN_QUESTIONS - 1)})
    assert found.weight is None
    assert list(lines(found))[-1] == "Too few to tell: at least 30 are needed."


def test_each_language_has_a_weight_of_its_own_and_false_premises_have_no_say():
    asked = {
        weight: [
            *(answered(1 if weight == 0.5 else 4, "en") for _ in range(MANY)),
            *(answered(4 if weight else 1, "zh") for _ in range(MANY)),
            *(answered(9 if weight else 1, "en", "adversarial") for _ in range(MANY)),
        ]
        for weight in WEIGHTS
    }
    english, chinese = calibrate(asked)
    assert (english.language, english.questions, english.weight) == ("en", MANY, 0.5)
    assert (chinese.language, chinese.questions, chinese.weight) == ("zh", MANY, 0.0)
    assert list(lines(chinese))[-1] == "Vectors add nothing certain: weight 0."


def test_gain_and_error_are_those_of_paired_differences():
    found = tried({0.0: [1] * MANY, 0.5: [1, 11] * (MANY // 2)})
    trial = next(trial for trial in found.trials if trial.weight == 0.5)
    assert (trial.recall, trial.ndcg, trial.gain) == (0.5, 0.5, -0.5)
    assert 0.07 < trial.error < 0.09


async def test_a_question_is_embedded_once_and_batches_are_passed_on():
    embedder = ScriptedEmbedder()
    once = CachingEmbedder(embedder)
    assert await once.embed(["tea"]) == await once.embed(["tea"])
    await once.embed(["a", "b"])
    await once.embed(["a", "b"])
    assert (once.name, embedder.asked) == (embedder.name, [["tea"], ["a", "b"], ["a", "b"]])
