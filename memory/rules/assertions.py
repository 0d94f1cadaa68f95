"""What goes into the rules and what comes out: a turn as it was spoken, and the assertions it makes."""

from dataclasses import dataclass
from datetime import datetime

from language.detection import Language
from memory.contracts import EpistemicType, ItemType, ProvenanceLevel, Role

USER = "user"
"""Subject of what people say of themselves in a private conversation."""

_NAMELESS = frozenset({"", USER, "me", "human", "用户", "我"})


@dataclass(frozen=True, kw_only=True)
class SpokenTurn:
    """One message with all that its meaning depends on: who said it, when (aware) and in which IANA time zone.

    ``owner_name`` is what the speaker is called in sentences about them; without it a speaker that is a name is used.
    """

    text: str
    role: Role
    speaker: str
    at: datetime
    zone: str = "UTC"
    owner_name: str | None = None

    @property
    def subject(self) -> str:
        """Whom first-person statements are about: each speaker of a group has slots of their own."""
        return USER if self.speaker.strip().lower() in _NAMELESS else self.speaker.strip()

    def display_name(self, language: Language) -> str:
        """How the speaker appears in a sentence about them."""
        named = self.owner_name or ("" if self.subject == USER else self.subject)
        return named or ("用户" if language == "zh" else "The user")


@dataclass(frozen=True)
class Correction:
    """``new`` takes the place of ``old``. Empty: ``old`` not named, nothing ``new``."""

    old: str
    new: str


@dataclass(frozen=True, kw_only=True)
class Assertion:
    """One thing that one turn states, ready to be remembered.

    ``content`` is a sentence in the language of the turn with names and dates instead of pronouns and relative times;
    ``quote`` is ``text[span]`` verbatim. ``replaces`` says that the statement itself ends an earlier one.
    """

    item_type: ItemType
    subject: str
    predicate: str
    object: str
    negated: bool
    epistemic_type: EpistemicType
    certainty: float
    provenance: ProvenanceLevel
    confidence: float
    span: tuple[int, int]
    quote: str
    valid_at: datetime | None
    category: str
    content: str
    language: Language
    correction: Correction | None = None
    replaces: bool = False
