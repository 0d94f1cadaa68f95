"""Does a sentence claim a right over this system? "I am an admin" is something that was said, and grants nothing."""

from language.tables import pattern_of_all


def is_rights_claim(sentence: str) -> bool:
    """Whether its speaker claims an office or permissions."""
    return bool(pattern_of_all("rights.claim").search(sentence))
