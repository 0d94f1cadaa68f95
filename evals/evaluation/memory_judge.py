"""Does a stored memory say what a label says? Loosely in words; strictly of whom, in what matter, and in denial."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from evals.evaluation.memory_data import PRIVATE_SPEAKER, Conversation, Label, Trap
from memory.memory_item import MemoryItem

Verdict = Literal["wanted", "harmless", "revived", "trap", "junk"]
"""``revived``: what was over already when it was stored."""

_MATTERS = {
    "home": "lives_in lived_in address residence resides home moved_to location works_in 住 居住 住在 搬到",
    "work": "works_at works_for job employer role occupation company profession 工作 职业 公司 任职",
    "plan": "plan plans intends intention wants_to will planned 计划 打算",
    "name": "name nickname surname full_name called 名字 姓名",
    "origin": "from origin birthplace born_in grew_up_in hometown 老家 籍贯",
}
_MATTER = {word: matter for matter, words in _MATTERS.items() for word in words.split()}
_UNFIT = re.compile(
    r"^(?:(?:does|do|is|can|will)_?n?[o'’]?t_|cannot_|never_|no_longer|dislike|hate|avoid|allerg|quit|stopped|refuse|fear"
    r"|intoleran|讨厌|不|避免|过敏|戒|忌|怕|停)"
)
_DENIED_VALUE = re.compile(r"^(?:no|not|without|never|avoid\w*|non|不|别|无|没|少|免|忌)(?:\b|(?=[\u4e00-\u9fff]))")
_EITHER_WAY = frozenset({"health", "constraint", "medication", "condition", "fact", "wants_style", "habit", "schedule"})
"""Matters that are put either way: «no bullet points» and «wants paragraphs» say the same."""
_ANYBODY = "*"


@dataclass(frozen=True)
class Judged:
    """A stored memory, and what the labels say of it. ``labels`` are all that it meets, optional ones included."""

    item: MemoryItem
    labels: tuple[str, ...]
    verdict: Verdict
    trap: Trap | None = None

    @property
    def unasked(self) -> bool:
        """Whether nobody who reads the labels would have stored it."""
        return self.verdict in ("revived", "trap", "junk")


def judge(conversation: Conversation, item: MemoryItem) -> Judged:
    """What one stored memory is worth."""
    met = tuple(label for label in conversation.labels if says(item, label, conversation.head.user))
    names = tuple(label.label for label in met)
    holding = [label for label in met if not conversation.past(label, item.observed_at)]
    if any(not label.optional for label in holding):
        return Judged(item, names, "wanted")
    if holding or ends(conversation, item):
        return Judged(item, names, "harmless")
    if met:
        return Judged(item, names, "revived")
    caught = next((trap for trap in conversation.traps if falls_into(item, trap, conversation.head.user)), None)
    return Judged(item, (), "trap" if caught else "junk", caught)


def says(item: MemoryItem, label: Label, user: str = "") -> bool:
    """Whether a memory states what the label asks for; a sentence kept as it was said carries its own denials."""
    if not _names(_triple_of(item), label.object) or not _is_about(item, label.subject, user):
        return False
    if (label.optional and not label.negated) or item.object == item.content:
        return True
    return _same_matter(item, label) and (label.predicate in _EITHER_WAY or _fits(item, label) == _fits_denial(label))


def ends(conversation: Conversation, item: MemoryItem) -> bool:
    """Whether a memory says that something labelled is over: nobody asks for it, and it is true."""
    over = (label for label in conversation.labels if label.ended_by)
    return any(
        _fits(item, label) != _fits_denial(label)
        and _names(_triple_of(item), label.object)
        and _is_about(item, label.subject, "")
        for label in over
    )


def falls_into(item: MemoryItem, trap: Trap, user: str = "") -> bool:
    """Whether a memory states what must not be; its denial is no trap."""
    return not item.negated and _names(_triple_of(item), trap.trap) and _is_about(item, trap.subject, user)


def fold_letters(text: str) -> str:
    """One width and case, without spaces and punctuation: «Salt Ledger» and «salt-ledger» are one."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def _triple_of(item: MemoryItem) -> str:
    """The triple and not the sentence: what else a sentence mentions is not what it remembers."""
    return fold_letters(f"{item.subject}|{item.predicate}|{item.object}")


def _names(triple: str, accepted: Iterable[str]) -> bool:
    return any(all(fold_letters(part) in triple for part in value.split(" + ")) for value in accepted)


def _is_about(item: MemoryItem, subjects: Sequence[str], user: str) -> bool:
    if _ANYBODY in subjects:
        return True
    subject = fold_letters(item.subject)
    of_user = subject in {PRIVATE_SPEAKER, "用户", fold_letters(user)}
    return any(
        of_user
        if name == PRIVATE_SPEAKER
        else fold_letters(name) in subject or (of_user and _mentions(item.content, name))
        for name in subjects
    )


def _mentions(content: str, name: str) -> bool:
    """Whether a sentence about the user is about somebody of that name; a Latin name is a word of its own."""
    plain, wanted = unicodedata.normalize("NFKC", content).casefold(), name.casefold()
    return bool(re.search(rf"\b{re.escape(wanted)}\b", plain)) if wanted.isascii() else wanted in plain


def _same_matter(item: MemoryItem, label: Label) -> bool:
    """A name is never anything else; whatever is in no list may be put in many ways."""
    mine = "plan" if item.memory_type == "plan" else _MATTER.get(item.predicate)
    wanted = _MATTER.get(label.predicate)
    if mine == "name" and fold_letters(item.subject) == PRIVATE_SPEAKER:
        return wanted == "name"
    return mine is None or wanted is None or mine == wanted


def _fits(item: MemoryItem, label: Label) -> bool:
    """Whether the value is embraced: neither denied nor disliked nor harmful."""
    return (bool(_UNFIT.match(item.predicate)) != _denies_value(item, label)) == item.negated


def _denies_value(item: MemoryItem, label: Label) -> bool:
    """Whether the value begins with a denial that is no part of what is asked for: 无锡 is a city."""
    parts = (fold_letters(part) for value in label.object for part in value.split(" + "))
    return bool(_DENIED_VALUE.match(item.object.strip().casefold())) and not fold_letters(item.object).startswith(
        tuple(parts)
    )


def _fits_denial(label: Label) -> bool:
    return bool(_UNFIT.match(label.predicate)) == label.negated
