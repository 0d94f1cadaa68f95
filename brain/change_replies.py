"""How Brain says what it did to memory, in the person's language and to the model."""

from dataclasses import dataclass
from html import escape

from brain.state import MemoryChange
from language.detection import Language
from language.secrets import mask_secrets

ACTION_TOOLS = {"forget": "memory_forget", "correct": "memory_correct"}
LONGEST = 200
"""Characters of a memory that a reply repeats."""
MOST_NAMED = 5
"""Memories that a reply repeats."""
MOST_LISTED = 20
"""Memories that a question lists."""


@dataclass(frozen=True)
class ChangePhrases:
    """Templates by act and outcome, of which ``{told}``, ``{new}`` and ``{list}`` are filled."""

    replies: dict[tuple[str, str], str]
    quote: str
    joint: str
    more: str


WORDS: dict[Language, ChangePhrases] = {
    "en": ChangePhrases(
        replies={
            ("forget", "done"): "I have forgotten {told}. Say “undo that” to bring it back.",
            ("forget", "asked"): "Which one shall I forget?\n{list}",
            (
                "forget",
                "nearest",
            ): "I remember nothing that says so. Nearest to it is:\n{list}\nIs one of these meant? (which one, or no)",
            ("forget", "unknown"): "I remember nothing like that, so there is nothing to forget.",
            (
                "forget",
                "says_more",
            ): "The sentence says more than that:\n{list}\nShall I forget all of it? (yes or no)",
            ("forget", "kept"): "All right, I keep it.",
            ("forget", "confirm"): "That would be {count}:\n{list}\nShall I forget all of it? (yes, no, or which ones)",
            ("forget", "refused"): "All right, nothing is forgotten.",
            (
                "forget",
                "expired",
            ): "The decision came too late, so nothing was forgotten. Please ask again.",
            ("correct", "refused"): "All right, I leave it as it is.",
            (
                "correct",
                "expired",
            ): "The decision came too late, so nothing was corrected. Please say it again.",
            ("correct", "done"): "I have corrected it: {new} (instead of {told}). Say “undo that” to take that back.",
            ("remember", "done"): "I will remember that: {told}.",
            ("dont_note", "kept"): "All right, I keep no note of that.",
            ("undo", "done"): "Taken back: {told}.",
            ("undo", "unknown"): "Nothing was changed within the last day that I could take back.",
            ("undo", "asked"): "Which of these changes shall I take back?\n{list}",
            ("undo", "kept"): "All right, I leave it as it is.",
            ("off_record", "kept"): "We are off the record: I note nothing until you say “back on the record”.",
            ("on_record", "kept"): "We are back on the record.",
        },
        quote="“{}”",
        joint=", ",
        more=" and {} more",
    ),
    "zh": ChangePhrases(
        replies={
            ("forget", "done"): "我已经忘掉{told}。说“撤销”就能恢复。",
            ("forget", "asked"): "要忘掉哪一条？\n{list}",
            ("forget", "nearest"): "我没有这样的记忆。最接近的是：\n{list}\n是要忘掉其中哪一条吗？（哪一条 / 不要）",
            ("forget", "unknown"): "我没有这样的记忆，所以没有什么可忘的。",
            ("forget", "says_more"): "这句话里还说了别的：\n{list}\n整句都忘掉吗？（是 / 不要）",
            ("forget", "kept"): "好的，我留着。",
            ("forget", "confirm"): "一共{count}条：\n{list}\n全部忘掉吗？（是 / 不要 / 哪几条）",
            ("forget", "refused"): "好的，什么都没有忘掉。",
            ("forget", "expired"): "批准来得太晚，所以什么都没有忘掉。如果还需要，请再说一次。",
            ("correct", "refused"): "好的，我保持原样。",
            ("correct", "expired"): "批准来得太晚，所以没有改正。如果仍然有误，请再说一次。",
            ("correct", "done"): "我已经改正：{new}（原来是{told}）。说“撤销”就能还原。",
            ("remember", "done"): "我会记住：{told}。",
            ("dont_note", "kept"): "好的，这个我不记。",
            ("undo", "done"): "已经撤销：{told}。",
            ("undo", "unknown"): "最近一天里没有可以撤销的改动。",
            ("undo", "asked"): "要撤销哪一个改动？\n{list}",
            ("undo", "kept"): "好的，我保持原样。",
            ("off_record", "kept"): "现在不做记录，直到你说“可以记了”。",
            ("on_record", "kept"): "已经恢复记录。",
        },
        quote="“{}”",
        joint="、",
        more="等，另有{}条",
    ),
}


def change_reply(change: MemoryChange | None, language: Language) -> str:
    """The reply to what was asked of memory; empty for an ordinary turn."""
    words = WORDS[language]
    template = words.replies.get((change["act"], change["outcome"])) if change else None
    if change is None or template is None:
        return ""
    told = [words.quote.format(mask_secrets(each).rstrip(" .。")[:LONGEST]) for each in change["told"]]
    rest = len(told) - MOST_NAMED
    return template.format(
        told=words.joint.join(told[:MOST_NAMED]) + (words.more.format(rest) if rest > 0 else ""),
        count=len(told),
        new=words.quote.format(mask_secrets(change["new"])[:LONGEST]),
        list=_number(told, words),
    )


def _number(told: list[str], words: ChangePhrases) -> str:
    """One line for each, and how many more there are."""
    lines = [f"{place}. {each}" for place, each in enumerate(told[:MOST_LISTED], start=1)]
    rest = len(told) - len(lines)
    return "\n".join([*lines, *([f"…{words.more.format(rest)}"] if rest > 0 else [])])


def ask_back(change: MemoryChange | None, language: Language) -> str:
    """What Brain asks about a change that a model left undone: which one is meant; or that there is none."""
    if change is None or (change["act"], change["outcome"]) != ("forget", "proposed"):
        return ""
    return change_reply({**change, "outcome": "asked" if change["told"] else "unknown"}, language)


def _proposal(change: MemoryChange) -> str:
    """What a model needs to decide: what is asked for, and what may be meant."""
    told = "\n".join(f"- {escape(mask_secrets(each)[:LONGEST], quote=False)}" for each in change["told"])
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
