"""What a request to memory means, and the way that it takes: by a decision, an answer, a model or rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from brain.approval import Approval
from brain.state import MemoryChange
from evolution.erasure.request import sentence_for
from evolution.requests.change_run import CARRIED_OUT, ChangeRun, OpenQuestion
from language.choices import read_choice
from language.erasing import asks_to_be_erased
from language.requests import Act, Request, find_request
from language.statements import read_statements

Step = Literal[
    "carry_out_decision",
    "answer_question",
    "propose",
    "forget",
    "correct",
    "erase",
    "undo",
    "withhold",
    "remember",
    "switch_record",
    "keep_unchanged",
]
RequestUpdate = dict[str, object]


@dataclass(frozen=True, kw_only=True)
class RequestParts:
    """A turn that asks something of memory, from its words to what became of it.

    ``chosen`` are the places of the choices by which it answers an open question; None where it answers none. Its yes
    ``is_unclear`` where several things were asked about and none of them was named.
    """

    run: ChangeRun
    previous_reply: str = ""
    approval: Approval | None = None
    chosen: tuple[int, ...] | None = None
    is_unclear: bool = False
    change: MemoryChange | None = None

    @property
    def question(self) -> OpenQuestion | None:
        """What was asked back in the turn before."""
        return self.run.opened.carried.get("question")

    @property
    def is_about_erasing(self) -> bool:
        """Whether the turn asks to be erased, or is the sentence that was shown in the turn before."""
        text = self.run.turn["text"]
        shown = bool(self.run.opened.carried.get("erasing"))
        return asks_to_be_erased(text) or (shown and text.strip() == sentence_for(self.run.user))


@dataclass(frozen=True, kw_only=True)
class RequestState(RequestParts):
    """As the graph keeps it; nothing is asked before it is understood, nor where something is answered."""

    request: Request | None = None


@dataclass(frozen=True, kw_only=True)
class KnownRequest(RequestParts):
    """The same for the steps that see to what is asked."""

    request: Request


async def understand(state: RequestState) -> RequestUpdate:
    """Read the turn as an answer to what was asked back, or as a request."""
    text, question = state.run.turn["text"], None if state.approval else state.question
    chosen = _read_answer(text, question) if question else None
    if question and chosen is None and not state.run.has_model and _is_unclear_yes(text, question):
        return {"is_unclear": True}
    request = find_request(text, state.previous_reply) if chosen is None else None
    if question and request is not None and _calls_off(request, question):
        return {"chosen": ()}
    return {"chosen": chosen, "request": request}


def _calls_off(request: Request, question: OpenQuestion) -> bool:
    """Whether "undo that" can only mean what is asked about and not done yet."""
    return question["act"] == "forget" and request.act == "undo" and not request.about


def _is_unclear_yes(text: str, question: OpenQuestion) -> bool:
    """Whether it is a yes and no more, to a question which of several; a model asked in words of its own."""
    return len(question["choices"]) > 1 and bool(read_choice(text, [""], plainly=question.get("unsure", False)))


def _read_answer(text: str, question: OpenQuestion) -> tuple[int, ...] | None:
    shown = [each["text"] for each in question["choices"]]
    places = read_choice(text, shown, plainly=question.get("unsure", False))
    if places is None and question.get("whole") and read_choice(text, [""]):
        return tuple(range(len(shown)))
    return places


_STEPS: Mapping[Act, Step] = {
    "forget": "forget",
    "correct": "correct",
    "undo": "undo",
    "dont_note": "withhold",
    "remember": "remember",
    "off_record": "switch_record",
    "on_record": "switch_record",
}


def choose_step(state: RequestState) -> Step:
    """Who sees to it; with a model no rule forgets or corrects before it."""
    if state.approval:
        return "carry_out_decision"
    if state.is_about_erasing:
        return "erase"
    if state.chosen is not None or state.is_unclear:
        return "answer_question"
    if state.request is None or (state.request.act == "correct" and state.run.is_off_record):
        return "keep_unchanged"
    if state.request.act in ("forget", "correct") and state.run.has_model:
        return "propose"
    return _STEPS[state.request.act]


async def note_others(state: RequestState) -> RequestUpdate:
    """A change that settles the turn, with what the turn says beside asking for it."""
    change, request = state.change, state.request
    if change is None or request is None or change["settled"] != CARRIED_OUT:
        return {}
    return {"change": {**change, "notes": other_statements(state.run, request)}}


def other_statements(run: ChangeRun, request: Request) -> list[int]:
    """Where the other sentences of this turn begin that a memory is made of: none off the record."""
    if run.is_off_record and request.act != "on_record":
        return []
    settled = [each.start for each in (request.sentence, request.just_named) if each is not None]
    found = [each for each in read_statements(run.turn["text"]) if each.is_memorable and each.kind != "slip"]
    return [each.start for each in found if settled and each.start not in settled]
