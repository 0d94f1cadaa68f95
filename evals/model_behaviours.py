"""The ways of weak, odd and broken models: each spoils the recorded answer to a request for notes, or fails."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx2  # the client that the OpenAI library is made with

from evals.evaluation.memory_recorded import Exchange, completed
from language.detection import language_of

Note = dict[str, Any]
_OTHER_NAMES = ("Wroclaw", "Henrietta", "Zanzibar", "Ottokar")
_OTHER_WORDS = {"en": "The user keeps bees on the roof.", "zh": "用户在屋顶上养蜜蜂。"}
_TRANSLATED = {"en": "用户说了一件关于自己的事。", "zh": "The user told something about themselves."}
_CHATTER = "Of course! Here is what I would note down from this conversation:\n\n"
_WEAK = (
    "fenced",
    "thinking",
    "bare list",
    "null",
    "unknown word",
    "cut off",
    "refusing",
    "lazy",
    "reworded",
    "20 % wrong",
)
"""What a small model does now and then."""


@dataclass
class Answering:
    """One answer to a request for notes on its way to the wire, and what was made of it.

    ``wrong`` gathers what was invented, over all answers of one behaviour.
    """

    exchange: Exchange
    wrong: set[str]
    random: Random = field(init=False)

    def __post_init__(self) -> None:
        where = self.exchange
        self.random = Random(f"{where.conversation}/{where.session}/{len(where.request['messages'])}")

    @property
    def form(self) -> dict[str, Any]:
        """The recorded answer."""
        return json.loads(self.exchange.answer)

    @property
    def conversation(self) -> str:
        """All that the request says."""
        return "\n".join(str(each["content"]) for each in self.exchange.request["messages"])

    def noted(self, *notes: Sequence[Note]) -> httpx2.Response:
        """The form with other notes in it."""
        told = {**self.form, "memories": [each for some in notes for each in some]}
        return completed(json.dumps(told, ensure_ascii=False))

    def each(self, change: Callable[[Note], Note]) -> httpx2.Response:
        """The form with every note changed."""
        return self.noted([change(dict(each)) for each in self.form["memories"]])


Behaviour = Callable[[Answering], httpx2.Response]


def _honest(answering: Answering) -> httpx2.Response:
    return completed(answering.exchange.answer)


def _fenced(answering: Answering) -> httpx2.Response:
    return completed(f"Here are the notes:\n```json\n{answering.exchange.answer}\n```\nAnything else?")


def _thinking(answering: Answering) -> httpx2.Response:
    return completed(f'<think>A draft: {{"memories": []}}, no, better:</think>\n{answering.exchange.answer}')


def _bare_list(answering: Answering) -> httpx2.Response:
    return completed(json.dumps(answering.form["memories"], ensure_ascii=False))


def _cut_off(answering: Answering) -> httpx2.Response:
    answer = answering.exchange.answer
    return completed(answer[: len(answer) * 7 // 10], ending="length")


def _refusing(_answering: Answering) -> httpx2.Response:
    return completed("", refusal="I can't help with storing personal information.")


def _null(answering: Answering) -> httpx2.Response:
    empty = dict.fromkeys(("valid_at", "replaces", "related_memory", "negated", "certainty"))
    return answering.each(lambda note: {**note, **{name: None for name in empty if not note.get(name)}})


def _unknown_word(answering: Answering) -> httpx2.Response:
    return answering.each(
        lambda note: {**note, "type": "information", "certainty": "very high", "valid_at": "recently"}
    )


def _no_schema(answering: Answering) -> httpx2.Response:
    if "response_format" in answering.exchange.request:
        return httpx2.Response(400, json={"error": {"message": "response_format is not supported"}})
    return _fenced(answering)


def _slow(_answering: Answering) -> httpx2.Response:
    raise httpx2.ReadTimeout("too slow")


def _status(code: int) -> Behaviour:
    return lambda _answering: httpx2.Response(code, json={"error": {"message": "try again"}})


def _html(_answering: Answering) -> httpx2.Response:
    return httpx2.Response(200, text="<html>Bad gateway</html>", headers={"Content-Type": "text/html"})


def _paraphrased(answering: Answering) -> httpx2.Response:
    """Told that its quotes do not stand there, it obeys and leaves all out: the second recorded answer is empty."""
    return answering.each(lambda note: {**note, "quote": f"{note['content'].rstrip('.。')}, as I understood"})


def _wrong_turn(answering: Answering) -> httpx2.Response:
    return answering.each(lambda note: {**note, "turn": note["turn"] + 1})


def _doubled(answering: Answering) -> httpx2.Response:
    return answering.noted(answering.form["memories"], answering.form["memories"])


def _reworded(answering: Answering) -> httpx2.Response:
    """The same thing three times over, under other relations and in other words."""

    def again(note: Note, relation: str, en: str, zh: str) -> Note:
        said = (en if language_of(note["content"]) == "en" else zh).format(note["content"].rstrip(".。"))
        return {**note, "predicate": relation, "content": said}

    notes = answering.form["memories"]
    return answering.noted(
        notes,
        [again(each, "mentions", "It is so that {}.", "{}，确实如此。") for each in notes],
        [again(each, "about", "{}, they say.", "据用户说，{}。") for each in notes],
    )


def _lazy(answering: Answering) -> httpx2.Response:
    return completed(
        json.dumps({"memories": answering.form["memories"][:1] if answering.random.random() < 0.5 else []})
    )


def _translated(answering: Answering) -> httpx2.Response:
    return answering.each(lambda note: {**note, "content": _TRANSLATED[language_of(note["content"])]})


def _sometimes_wrong(answering: Answering) -> httpx2.Response:
    return answering.each(lambda note: _spoil(note, answering) if answering.random.random() < 0.2 else note)


def _always_wrong(answering: Answering) -> httpx2.Response:
    return answering.each(lambda note: _spoil(note, answering))


def _spoil(note: Note, answering: Answering) -> Note:
    """Something false under the real quote: another name, the opposite, somebody else's, or nothing to do with it."""
    language, said = language_of(note["content"]), note["content"]
    name = answering.random.choice(_OTHER_NAMES)
    falsehoods = (
        {
            "object": name,
            "content": said.replace(note["object"], name) if note["object"] in said else f"{said} {name}.",
        },
        {"negated": True, "content": _deny(said, language)},
        {"content": _OTHER_WORDS[language], "object": _OTHER_WORDS[language]},
        {"subject": "neighbour", "content": said.replace("The user", "The neighbour").replace("用户", "邻居")},
    )
    spoilt = {**note, **answering.random.choice(falsehoods)}
    answering.wrong.add(" ".join(spoilt["content"].split()))
    return spoilt


def _deny(said: str, language: str) -> str:
    if language == "zh":
        return said.replace("用户", "用户并不", 1) if "用户" in said else f"并非{said}"
    return f"It is not true that {said[0].lower()}{said[1:]}"


def _chatty(answering: Answering) -> httpx2.Response:
    """Prose around it, and a note of every second turn of the person beside what is worth one."""
    turns = [each for each in _person_turns(answering.conversation) if each[0] % 2]
    small_talk = [
        {"turn": number, "quote": text, "type": "fact", "subject": "user", "predicate": "said", "object": text,
         "content": f"The user said: {text}" if language_of(text) == "en" else f"用户说：{text}"}
        for number, text in turns
    ]  # fmt: skip
    told = {**answering.form, "memories": [*answering.form["memories"], *small_talk]}
    return completed(f"{_CHATTER}{json.dumps(told, ensure_ascii=False)}\n\nLet me know if I can help further!")


def _person_turns(prompt: str) -> list[tuple[int, str]]:
    lines = [each for each in prompt.splitlines() if each.startswith('<turn number="') and 'who="person"' in each]
    return [(int(each.split('"')[1]), each.split(">", 1)[1].removesuffix("</turn>")) for each in lines]


def _small(answering: Answering) -> httpx2.Response:
    """Half of the answers are as they should be; each of the others has one of a small model's faults."""
    if answering.random.random() < 0.5:
        return _honest(answering)
    return BEHAVIOURS[answering.random.choice(_WEAK)](answering)


BEHAVIOURS: Mapping[str, Behaviour] = {
    "honest": _honest,
    "fenced": _fenced,
    "thinking": _thinking,
    "bare list": _bare_list,
    "null": _null,
    "no schema": _no_schema,
    "unknown word": _unknown_word,
    "cut off": _cut_off,
    "chatty": _chatty,
    "doubled": _doubled,
    "reworded": _reworded,
    "wrong turn": _wrong_turn,
    "paraphrased": _paraphrased,
    "translated": _translated,
    "lazy": _lazy,
    "refusing": _refusing,
    "slow": _slow,
    "429": _status(429),
    "500": _status(500),
    "HTML": _html,
    "20 % wrong": _sometimes_wrong,
    "all wrong": _always_wrong,
    "small": _small,
}
