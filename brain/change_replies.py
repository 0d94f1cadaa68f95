"""How Brain says what it did to memory, in the person's language and to the model."""

from collections.abc import Mapping
from html import escape

from brain.state import MemoryChange
from language.detection import Language
from language.secrets import mask_secrets
from language.tables import Texts, texts

ACTION_TOOLS = {"forget": "memory_forget", "correct": "memory_correct"}
_ACTS = ("forget", "correct", "erase", "remember", "dont_note", "undo", "off_record", "on_record")
MAX_QUOTE_CHARACTERS = 200
"""Characters of a memory that a reply repeats."""
MAX_NAMED = 5
"""Memories that a reply repeats."""
MAX_LISTED = 20
"""Memories that a question lists."""


def change_reply(change: MemoryChange | None, language: Language) -> str:
    """The reply to what was asked of memory; empty for an ordinary turn."""
    if change is None or change["outcome"] not in (templates := _templates(change["act"], language)):
        return ""
    template, words = templates[change["outcome"]], Texts("changes", language)
    told = [words.quote.format(mask_secrets(each).rstrip(" .。")[:MAX_QUOTE_CHARACTERS]) for each in change["told"]]
    rest = len(told) - MAX_NAMED
    return template.format(
        told=words.joint.join(told[:MAX_NAMED]) + (words.more.format(rest) if rest > 0 else ""),
        count=len(told),
        new=change["new"] if change["act"] == "erase" else words.quote.format(_shorten(change["new"])),
        list=_number(told, words),
    )


def _shorten(text: str) -> str:
    return mask_secrets(text)[:MAX_QUOTE_CHARACTERS]


def is_settled_word_by_word(change: MemoryChange | None) -> bool:
    """Whether Brain itself has to say what becomes of it: a sentence that has to be typed may not be reworded."""
    return change is not None and change["act"] == "erase"


def _templates(act: str, language: Language) -> Mapping[str, str]:
    """What is said of an act, by outcome; nothing of an act that settles nothing."""
    return texts(f"changes.{act}", language) if act in _ACTS else {}


def _number(told: list[str], words: Texts) -> str:
    """One line for each, and how many more there are."""
    lines = [f"{place}. {each}" for place, each in enumerate(told[:MAX_LISTED], start=1)]
    rest = len(told) - len(lines)
    return "\n".join([*lines, *([f"…{words.more.format(rest)}"] if rest > 0 else [])])


def ask_back(change: MemoryChange | None, language: Language) -> str:
    """What Brain asks about a change that a model left undone: which one is meant; or that there is none."""
    if change is None or (change["act"], change["outcome"]) != ("forget", "proposed"):
        return ""
    return change_reply({**change, "outcome": "asked" if change["told"] else "unknown"}, language)


def _proposal(change: MemoryChange) -> str:
    """What a model needs to decide: what is asked for, and what may be meant."""
    told = "\n".join(f"- {escape(mask_secrets(each)[:MAX_QUOTE_CHARACTERS], quote=False)}" for each in change["told"])
    meant = f"Memory holds what may be meant:\n{told}" if told else "Memory holds nothing that says what is named."
    tool = ACTION_TOOLS[change["act"]]
    return (
        f"<memory_change>\nThe user asks of your memory to {change['act']} something. Nothing was changed yet.\n"
        f"{meant}\nIf one of these is meant, call {tool} with its words. If several may be meant, ask which. If none "
        "is, say so. Do not say that it was done unless the tool said so.\n</memory_change>"
    )


def model_notice(change: MemoryChange | None, language: Language) -> str:
    """What a model has to know of it, so that its reply says so."""
    if change and change["outcome"] == "proposed":
        return _proposal(change)
    said = change_reply(change, language)
    if not said:
        return ""
    return (
        "<memory_change>\nThis was asked of your memory and is settled already; call no tool for it. "
        "Tell the user so:\n"
        f"{escape(said, quote=False)}\n</memory_change>"
    )
