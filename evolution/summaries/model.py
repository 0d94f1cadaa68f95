"""The summary by a model: asked once, once more with what was unfounded in it, and by rules when that does not help."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.models.roles import Models
from brain.prompting.memory_tags import name_of
from brain.prompting.tokens import clip
from brain.safety.sanitizer import clean
from evolution.extraction.prompt import line
from evolution.summaries.check import Grounds, digest_of, faults
from evolution.summaries.digest import Digest, readable, room_for
from evolution.summaries.form import SessionSummary
from evolution.summaries.rules import by_rules
from evolution.summaries.sentences import sentences_of
from language.secrets import holds_secret
from language.times import zone_of
from memory.sessions import Turn
from prompts.registry import load

UNFOUNDED = "summary_unfounded"
SHOWN = 1_500
"""Tokens of one turn that a model is shown."""
_WORDS_PER_TOKEN = 0.75


async def summarised(models: Models, turns: Sequence[Turn]) -> tuple[Digest, tuple[str, ...]]:
    """The digest of a stretch, and what it had to do without. Idle talk costs no model."""
    quotable = readable(turns)
    model = models.fast or models.chat
    if model is None or not any(sentence for turn in quotable for sentence in sentences_of(turn)):
        return by_rules(turns), ()
    try:
        digest = await _by_model(model, quotable)
    except ModelError as failure:
        return by_rules(turns), (f"summary_{failure.reason}",)
    return (digest, ()) if digest is not None else (by_rules(turns), (UNFOUNDED,))


async def _by_model(model: ChatModel, turns: Sequence[Turn]) -> Digest | None:
    """None when two answers in a row say what the turns do not say."""
    grounds, room = Grounds(turns), room_for(turns)
    asked = _question(turns, room)
    answer = await model.fill(SessionSummary, asked)
    wrong = faults(answer, grounds, room)
    if wrong:
        again = load("answer_again").render(complaint="; ".join(wrong[:8]))
        answer = await model.fill(SessionSummary, [*asked, AIMessage(answer.model_dump_json()), HumanMessage(again)])
        wrong = faults(answer, grounds, room)
    return None if wrong else digest_of(answer, grounds)


def _question(turns: Sequence[Turn], room: int) -> list[BaseMessage]:
    conversation = "\n".join(_shown(number, turn) for number, turn in enumerate(turns, start=1))
    prompt = load("summarize_session").render(conversation=conversation, words=str(int(room * _WORDS_PER_TOKEN)))
    return [SystemMessage(prompt), HumanMessage("Sum up this part of the conversation.")]


def _shown(number: int, turn: Turn) -> str:
    """One turn with its number, day and speaker; what steers is defused, what is secret is not shown."""
    text = "" if holds_secret(turn.text) else clip(clean(turn.text).text, SHOWN)
    at = turn.occurred_at.astimezone(zone_of(turn.time_zone))
    who = "assistant" if turn.role == "assistant" else name_of(turn.speaker)
    return f"{number}. [{at:%Y-%m-%d %H:%M, %A}] {line(who)}: {line(text) or '(left out)'}"
