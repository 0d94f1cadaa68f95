"""Does somebody settle something in a sentence, or take something on?"""

from typing import Literal

from language.tables import pattern_of_all

Resolution = Literal["decision", "todo"]


def has_question_mark(sentence: str) -> bool:
    """Whether it is marked as a question."""
    return bool(pattern_of_all("commitments.asks").search(sentence))


def find_commitment(sentence: str) -> Resolution | None:
    """What a sentence settles or takes on; nothing that is only asked or supposed."""
    if has_question_mark(sentence) or pattern_of_all("commitments.hedge").search(sentence):
        return None
    if pattern_of_all("commitments.todo").search(sentence):
        return "todo"
    return "decision" if pattern_of_all("commitments.decision").search(sentence) else None
