"""What stands in a receipt, in words of a person: kinds of finds, reasons, figures, and what an answer lacked."""

from language import tables
from language.tables import Language

KINDS = frozenset({"lane", "reason", "signal", "policy", "intent", "degraded"})
_FAMILIES = {"policy": "@", "degraded": "_"}
"""By what the family ends in a name that has no words itself: ``blend@4``, ``model_timeout``."""


def receipt_word(kind: str, name: str, language: Language) -> str:
    """What a value of a receipt is called. One without a name gets the word for others; a kind without it, nothing."""
    known = tables.texts(f"receipts.{kind}", language)
    family = name.partition(_FAMILIES[kind])[0] if kind in _FAMILIES else name
    return known.get(name) or known.get(family) or known.get("other", "")


def why_text(name: str, language: Language) -> str:
    """A phrase of the account that the terminal gives of an answer."""
    return tables.text(f"receipts.why.{name}", language)
