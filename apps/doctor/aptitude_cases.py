"""Small judgements with one right answer each: what a model must get right before it may be trusted with memories."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evolution.state import ExtractionCandidate
from evolution.upkeep.resolve import Finding
from memory.contracts import Role

CandidateList = Sequence[ExtractionCandidate]


@dataclass(frozen=True)
class NoteCase:
    """A short conversation, and whether what was noted of it is right."""

    name: str
    said: Sequence[tuple[Role, str]]
    right: Callable[[CandidateList], bool]


@dataclass(frozen=True)
class SettleCase:
    """Two statements about one person, said on these days, and what is true of them."""

    name: str
    held: tuple[str, str]
    new: tuple[str, str]
    finding: Finding


def _notes_nothing(noted: CandidateList) -> bool:
    return not noted


def _notes_about_user(*words: str) -> Callable[[CandidateList], bool]:
    """Each word stands in something noted about the speaker, as a thing that is so."""
    return lambda noted: all(
        any(word in each["content"] and each["subject"] == "user" and not each["negated"] for each in noted)
        for word in words
    )


def _notes_about_other(word: str) -> Callable[[CandidateList], bool]:
    """It was noted, and not about the speaker."""
    return lambda noted: (
        any(word in each["content"] for each in noted)
        and all(each["subject"] != "user" for each in noted if word in each["content"])
    )


def _notes_without(word: str, right: Callable[[CandidateList], bool]) -> Callable[[CandidateList], bool]:
    """It was noted rightly, and nothing says this."""
    return lambda noted: right(noted) and not any(word in each["content"] for each in noted)


def _notes_denial(word: str) -> Callable[[CandidateList], bool]:
    """It was noted as a thing that is not so."""
    return lambda noted: any(word in each["content"] and each["negated"] for each in noted)


TO_NOTE: tuple[NoteCase, ...] = (
    NoteCase(
        "two facts",
        [("user", "I moved to Lisbon last year and I work as a nurse.")],
        _notes_about_user("Lisbon", "nurse"),
    ),
    NoteCase("an allergy (zh)", [("user", "我对花生过敏，一点都不能碰。")], _notes_about_user("花生")),
    NoteCase("a denial", [("user", "I have never owned a car.")], _notes_denial("car")),
    NoteCase("somebody else (zh)", [("user", "我姐姐在成都当老师。")], _notes_about_other("成都")),
    NoteCase("a question", [("user", "Do you know a good dentist in Oslo?")], _notes_nothing),
    NoteCase("a request to forget", [("user", "Forget what I told you about my knee, please.")], _notes_nothing),
    NoteCase("irony (zh)", [("user", "谢谢李工，甩得一手好锅，我太感动了。")], _notes_nothing),
    NoteCase(
        "a recurring time", [("user", "We play chess every Saturday at three.")], _notes_about_user("every Saturday")
    ),
    NoteCase(
        "a slip (zh)", [("user", "我家在三楼，哦不对，是四楼。")], _notes_without("三楼", _notes_about_user("四楼"))
    ),
    NoteCase(
        "the assistant's words (zh)",
        [("assistant", "您一定很喜欢爵士乐吧？"), ("user", "先不聊这个了，再见。")],
        _notes_nothing,
    ),
)

TO_SETTLE: tuple[SettleCase, ...] = (
    SettleCase(
        "both at once",
        ("2025-02-03", "The user drinks coffee in the morning."),
        ("2025-02-03", "The user drinks tea in the evening."),
        "both",
    ),
    SettleCase(
        "a move",
        ("2025-02-03", "The user lives in Paris."),
        ("2025-06-10", "The user has left Paris and lives in Lyon now."),
        "second",
    ),
    SettleCase(
        "nobody can tell",
        ("2025-02-03", "The user was born on 3 May 1990."),
        ("2025-02-03", "The user was born on 5 May 1990."),
        "unclear",
    ),
    SettleCase("the same (zh)", ("2025-02-03", "用户喜欢吃辣。"), ("2025-02-04", "用户爱吃辣的菜。"), "same"),
    SettleCase(
        "another job (zh)",
        ("2025-02-03", "用户在银行上班。"),
        ("2025-06-10", "用户已经从银行辞职，现在在中学教书。"),
        "second",
    ),
    SettleCase(
        "two people (zh)", ("2025-02-03", "用户的姐姐住在北京。"), ("2025-02-03", "用户的哥哥住在上海。"), "both"
    ),
)
