"""What is remembered of real-life talk, without a model: ``python -m evals.remembered FILE…``.

Each line of a file is a conversation. It is logged and grown into memories session by session, as in life. Then its
questions are put to the whole graph of the turn, and what would stand before a model is judged: memories and documents.
Prints sums only.
"""

import argparse
import asyncio
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from langchain_core.messages import HumanMessage

from brain.context import Context
from brain.embeddings.backfill import embed_pending
from brain.identity import Identity
from brain.models.roles import Models
from brain.prompting.tokens import count_tokens
from brain.resources import Resources
from brain.settings import Settings
from brain.state import AssembledPrompt
from evals.evaluation.memory_figures import Share, Shares, total
from evals.evaluation.memory_replay import Calendar
from evals.evaluation.scratch import scratch_resources
from evals.remembered_data import Conversation, Question, Remember, Session, Turn, holds, plain, read_conversations
from graphs.brain import graph
from graphs.evolution import evolve
from language.encoder import sentence_encoder
from language.retractions import is_retraction
from memory.memory_item import MemoryItem
from memory.scope import Speaker, scope_of
from memory.turns import Capture, SessionRef, Utterance
from nodes.open_session import session_of

TENANT = "remembered"
PACE = timedelta(seconds=40)


@dataclass(frozen=True)
class Life:
    """A conversation on its way through Brain."""

    conversation: Conversation
    resources: Resources
    calendar: Calendar

    @property
    def owner(self) -> Identity:
        """Whose memory it is."""
        name = self.conversation.conversation
        scope = scope_of(Speaker(tenant=TENANT, user=name), self.resources.settings.dm_scope)
        return Identity(scope=scope, tenant=TENANT, user=name)

    async def live(self) -> None:
        """Every session, and what grows behind it."""
        for session in self.conversation.sessions:
            begun = session.at.replace(tzinfo=ZoneInfo(self.conversation.zone))
            for number, turn in enumerate(session.turns):
                self.calendar.at = begun + number * PACE
                await self._log(session, turn)
            await evolve(self.resources, self.owner.scope, session_of(self.owner, session.session))
            await embed_pending(self.resources, self.owner.scope)

    async def _log(self, session: Session, turn: Turn) -> None:
        by_person = turn.speaker != "assistant"
        said = Utterance(
            event_id=self.resources.new_id(),
            role="user" if by_person else "assistant",
            speaker="user" if by_person else "assistant",
            text=turn.text,
            occurred_at=self.calendar.at,
            time_zone=self.conversation.zone,
            reference=turn.turn,
            idempotency_key=f"{self.conversation.conversation}/{turn.turn}",
        )
        named = SessionRef(
            session_id=session_of(self.owner, session.session),
            name=session.session,
            user_name=self.owner.user,
            tenant_name=TENANT,
        )
        capture = Capture(
            operation_id=self.resources.new_id(),
            session=named,
            utterances=(said,),
            urgent=by_person and is_retraction(turn.text),
        )
        await self.resources.memory.log.capture(self.owner.scope, capture)

    async def items(self) -> list[MemoryItem]:
        """All memories, those that are over too."""
        return await self.resources.memory.items.list_newest(self.owner.scope, include_inactive=True, limit=1_000)

    async def ask(self, number: int, question: Question) -> str:
        """What would stand before a model, the person's own question aside."""
        self.calendar.at = question.asked_at.replace(tzinfo=ZoneInfo(self.conversation.zone))
        context = Context(
            tenant=TENANT,
            user=self.owner.user,
            session=f"question {number}",
            time_zone=self.conversation.zone,
            resources=self.resources,
        )
        final: Any = await graph.ainvoke({"messages": [HumanMessage(question.question)]}, context=context)  # pyright: ignore[reportUnknownMemberType, reportArgumentType]
        return _prompt_text(final.get("prompt"))


def _prompt_text(prompt: AssembledPrompt | None) -> str:
    return "" if prompt is None else "\n".join((*prompt.documents, prompt.context))


async def figures_of(resources: Resources, conversation: Conversation) -> Shares:
    """Every figure of one conversation, which a person of its own lives through."""
    calendar = Calendar(datetime(2000, 1, 1, tzinfo=ZoneInfo("UTC")))
    life = Life(conversation, replace(resources, clock=calendar, models=Models()), calendar)
    await life.live()
    items = await life.items()
    shown = [await life.ask(number, each) for number, each in enumerate(conversation.questions)]
    return {**_item_figures(conversation, items), **_question_figures(conversation, shown)}


def _item_figures(conversation: Conversation, items: Sequence[MemoryItem]) -> dict[str, Share]:
    active = [item for item in items if item.status == "active"]
    wanted = [each for each in conversation.remember if not each.ended_by]
    said = [each.values for each in conversation.remember]
    over = [each for each in conversation.remember if each.ended_by]
    return {
        "found": _share(any(holds(item.content, each.values) for item in active) for each in wanted),
        "found, plainly said": _share(
            any(holds(item.content, each.values) for item in active) for each in wanted if each.plain
        ),
        "junk among active": _share(not any(holds(item.content, values) for values in said) for item in active),
        "never, stored": _share(any(_quotes(item, each.quote) for item in items) for each in conversation.never),
        "changed: old ended, in the history": _share(_has_ended(each, conversation, items) for each in over),
    }


def _quotes(item: MemoryItem, quote: str) -> bool:
    one, other = plain(item.content), plain(quote)
    return bool(one and other) and (one in other or other in one)


def _has_ended(each: Remember, conversation: Conversation, items: Sequence[MemoryItem]) -> bool:
    """Some memory of it is over, and none of its own turn lives."""
    mine = [item for item in items if holds(item.content, each.values) and _is_before_end(item, each, conversation)]
    return bool(mine) and all(item.status in ("superseded", "retracted") for item in mine)


def _is_before_end(item: MemoryItem, each: Remember, conversation: Conversation) -> bool:
    """Whether a memory is no newer than the turn that ended what it says."""
    moments = dict(_moments(conversation))
    return item.observed_at < moments[each.ended_by or each.turn]


def _moments(conversation: Conversation) -> Iterator[tuple[str, datetime]]:
    for session in conversation.sessions:
        begun = session.at.replace(tzinfo=ZoneInfo(conversation.zone))
        yield from ((turn.turn, begun + number * PACE) for number, turn in enumerate(session.turns))


def _question_figures(conversation: Conversation, shown: Sequence[str]) -> dict[str, Share]:
    pairs = list(zip(conversation.questions, shown, strict=True))
    changed = [(each, text) for each, text in pairs if each.wrong]
    return {
        "answered from the prompt": _share(
            holds(text, each.needs) and not _tells_as_current(text, each.wrong) for each, text in pairs if each.needs
        ),
        "answer in the prompt": _share(holds(text, each.needs) for each, text in pairs if each.needs),
        "changed: old value in the prompt, unmarked": _share(
            _tells_as_current(text, each.wrong) for each, text in changed
        ),
        "questions without an answer that got memories": _share(
            bool(text.count("<memory") + text.count("<said")) for each, text in pairs if not each.needs
        ),
        "tokens of the prompt": Share(sum(count_tokens(text) for text in shown), max(1, len(shown))),
    }


def _tells_as_current(text: str, wrong: Sequence[str]) -> bool:
    """Whether an old value stands in a line or tag that is not marked as over."""
    return any(plain(value) in plain(part) and not _is_marked(part) for value in wrong for part in _parts(text))


def _parts(text: str) -> list[str]:
    """Tags with what they hold, and lines of documents."""
    return [part for block in text.split("</") for part in block.split("\n\n")]


def _is_marked(part: str) -> bool:
    return any(mark in part for mark in ("earlier", "outdated", "superseded", "~~", "no longer", "已过时", "以前"))


def _share(verdicts: Iterable[bool]) -> Share:
    found = list(verdicts)
    return Share(sum(found), len(found))


def _format_share(name: str, share: Share) -> str:
    if "tokens" in name:
        return f"{share.part / max(1, share.whole):.1f}"
    return f"{share.value:.1%} of {share.whole}" if share.value is not None else "nothing"


async def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path, help="JSON Lines, one conversation per line")
    parser.add_argument("--json", type=Path, help="write the sums to this file")
    parser.add_argument("--embeddings", choices=("encoder", "none"), default="encoder")
    arguments = parser.parse_args()
    if arguments.embeddings == "encoder":
        sentence_encoder().load()
    figures: dict[str, list[Shares]] = {}
    settings = Settings(embeddings=arguments.embeddings, _env_file=None)  # pyright: ignore[reportCallIssue]
    async with scratch_resources(settings) as resources:
        for each in read_conversations(arguments.data):
            figures.setdefault(each.language, []).append(await figures_of(resources, each))
    sums = {language: total(shares) for language, shares in figures.items()}
    for language, shares in sums.items():
        print(language)
        for name, share in shares.items():
            print(f"  {name:45} {_format_share(name, share)}")
    if arguments.json:
        arguments.json.write_text(
            json.dumps({k: {n: [s.part, s.whole] for n, s in v.items()} for k, v in sums.items()})
        )


if __name__ == "__main__":
    asyncio.run(main())
