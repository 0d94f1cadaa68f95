"""Who speaks in a logged turn, and whom a statement about the speaker is about."""

from evolution.state import TurnRecord
from language.detection import Language
from language.people import SPEAKER
from language.tables import pattern_of_all, text, words_of_all


def subject_of_speaker(turn: TurnRecord) -> str:
    """Whom first-person statements are about: each speaker of a group has slots of their own."""
    name = turn["speaker"].strip()
    return SPEAKER if name.lower() in ("", SPEAKER, *words_of_all("speakers.nameless")) else name


def display_name(turn: TurnRecord, language: Language) -> str:
    """How the speaker appears in a sentence about them."""
    subject = subject_of_speaker(turn)
    return subject if subject != SPEAKER else text("coreference.the_user", language)


def subject_of(named: str, turn: TurnRecord) -> str:
    """The subject under one name, whatever a sentence calls the speaker."""
    name = " ".join(named.split())
    return (
        subject_of_speaker(turn)
        if pattern_of_all("speakers.speaker").fullmatch(name) or name == turn["speaker"].strip()
        else name
    )
