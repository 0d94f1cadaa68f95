"""The summary by a model: asked once, once more with what was unfounded in it, and by rules when that does not help."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.models.roles import Models
from brain.prompting.memory_tags import speaker_name
from brain.prompting.tokens import clip
from brain.safety.sanitizer import sanitize_text
from evolution.extraction.prompt import one_line
from evolution.summaries.check import Grounding, build_digest, find_faults
from evolution.summaries.digest import Digest, readable_turns, summary_budget
from evolution.summaries.form import SessionSummary
from evolution.summaries.rules import summarize_by_rules
from evolution.summaries.sentences import sentences_of
from language.secrets import has_secret
from language.times import zone_of
from memory.sessions import SummaryTurn
from prompts.registry import load_prompt

UNFOUNDED = "summary_unfounded"
SHOWN = 1_500
"""Tokens of one turn that a model is shown."""
_WORDS_PER_TOKEN = 0.75


async def summarize_turns(models: Models, turns: Sequence[SummaryTurn]) -> tuple[Digest, tuple[str, ...]]:
    """The digest of a stretch, and what it had to do without. Idle talk costs no model."""
    quotable = readable_turns(turns)
    model = models.fast or models.chat
    if model is None or not any(sentence for turn in quotable for sentence in sentences_of(turn)):
        return summarize_by_rules(turns), ()
    try:
        digest = await _summarize_with_model(model, quotable)
    except ModelError as failure:
        return summarize_by_rules(turns), (f"summary_{failure.reason}",)
    return (digest, ()) if digest is not None else (summarize_by_rules(turns), (UNFOUNDED,))


async def _summarize_with_model(model: ChatModel, turns: Sequence[SummaryTurn]) -> Digest | None:
    """None when two answers in a row say what the turns do not say."""
    grounds, room = Grounding(turns), summary_budget(turns)
    asked = _question(turns, room)
    answer = await model.fill(SessionSummary, asked)
    wrong = find_faults(answer, grounds, room)
    if wrong:
        again = load_prompt("answer_again").render(complaint="; ".join(wrong[:8]))
        answer = await model.fill(SessionSummary, [*asked, AIMessage(answer.model_dump_json()), HumanMessage(again)])
        wrong = find_faults(answer, grounds, room)
    return None if wrong else build_digest(answer, grounds)


def _question(turns: Sequence[SummaryTurn], room: int) -> list[BaseMessage]:
    conversation = "\n".join(_render_turn(number, turn) for number, turn in enumerate(turns, start=1))
    prompt = load_prompt("summarize_session").render(conversation=conversation, words=str(int(room * _WORDS_PER_TOKEN)))
    return [SystemMessage(prompt), HumanMessage("Sum up this part of the conversation.")]


def _render_turn(number: int, turn: SummaryTurn) -> str:
    """One turn with its number, day and speaker; what steers is defused, what is secret is not shown."""
    text = "" if has_secret(turn.text) else clip(sanitize_text(turn.text).text, SHOWN)
    at = turn.occurred_at.astimezone(zone_of(turn.time_zone))
    who = "assistant" if turn.role == "assistant" else speaker_name(turn.speaker)
    return f"{number}. [{at:%Y-%m-%d %H:%M, %A}] {one_line(who)}: {one_line(text) or '(left out)'}"
