"""Small judgements with one right answer each: what a model must get right before it may be trusted with memories."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evolution.state import Candidate
from evolution.upkeep.resolving import Finding
from memory.contracts import Role

Noted = Sequence[Candidate]


@dataclass(frozen=True)
class ToNote:
    """A short conversation, and whether what was noted of it is right."""

    name: str
    said: Sequence[tuple[Role, str]]
    right: Callable[[Noted], bool]


@dataclass(frozen=True)
class ToSettle:
    """Two statements about one person, said on these days, and what is true of them."""

    name: str
    held: tuple[str, str]
    new: tuple[str, str]
    finding: Finding


def _nothing(noted: Noted) -> bool:
    return not noted


def _of_the_user(*words: str) -> Callable[[Noted], bool]:
    """Each word stands in something noted about the speaker, as a thing that is so."""
    return lambda noted: all(
        any(word in each["content"] and each["subject"] == "user" and not each["negated"] for each in noted)
        for word in words
    )


def _of_another(word: str) -> Callable[[Noted], bool]:
    """It was noted, and not about the speaker."""
    return lambda noted: (
        any(word in each["content"] for each in noted)
        and all(each["subject"] != "user" for each in noted if word in each["content"])
    )


def _without(word: str, right: Callable[[Noted], bool]) -> Callable[[Noted], bool]:
    """It was noted rightly, and nothing says this."""
    return lambda noted: right(noted) and not any(word in each["content"] for each in noted)


def _denied(word: str) -> Callable[[Noted], bool]:
    """It was noted as a thing that is not so."""
    return lambda noted: any(word in each["content"] and each["negated"] for each in noted)


TO_NOTE: tuple[ToNote, ...] = (
    ToNote(
        "two facts", [("user", "I moved to Lisbon last year and I work as a nurse.")], _of_the_user("Lisbon", "nurse")
    ),
    ToNote("an allergy (zh)", [("user", "我对花生过敏，一点都不能碰。")], _of_the_user("花生")),
    ToNote("a denial", [("user", "I have never owned a car.")], _denied("car")),
    ToNote("somebody else (zh)", [("user", "我姐姐在成都当老师。")], _of_another("成都")),
    ToNote("a question", [("user", "Do you know a good dentist in Oslo?")], _nothing),
    ToNote("a request to forget", [("user", "Forget what I told you about my knee, please.")], _nothing),
    ToNote("irony (zh)", [("user", "谢谢李工，甩得一手好锅，我太感动了。")], _nothing),
    ToNote("a recurring time", [("user", "We play chess every Saturday at three.")], _of_the_user("every Saturday")),
    ToNote("a slip (zh)", [("user", "我家在三楼，哦不对，是四楼。")], _without("三楼", _of_the_user("四楼"))),
    ToNote(
        "the assistant's words (zh)",
        [("assistant", "您一定很喜欢爵士乐吧？"), ("user", "先不聊这个了，再见。")],
        _nothing,
    ),
)

TO_SETTLE: tuple[ToSettle, ...] = (
    ToSettle(
        "both at once",
        ("2025-02-03", "The user drinks coffee in the morning."),
        ("2025-02-03", "The user drinks tea in the evening."),
        "both",
    ),
    ToSettle(
        "a move",
        ("2025-02-03", "The user lives in Paris."),
        ("2025-06-10", "The user has left Paris and lives in Lyon now."),
        "second",
    ),
    ToSettle(
        "nobody can tell",
        ("2025-02-03", "The user was born on 3 May 1990."),
        ("2025-02-03", "The user was born on 5 May 1990."),
        "unclear",
    ),
    ToSettle("the same (zh)", ("2025-02-03", "用户喜欢吃辣。"), ("2025-02-04", "用户爱吃辣的菜。"), "same"),
    ToSettle(
        "another job (zh)",
        ("2025-02-03", "用户在银行上班。"),
        ("2025-06-10", "用户已经从银行辞职，现在在中学教书。"),
        "second",
    ),
    ToSettle("two people (zh)", ("2025-02-03", "用户的姐姐住在北京。"), ("2025-02-03", "用户的哥哥住在上海。"), "both"),
)
