"""The reply without a language model: honest about it, and made of the memories that its receipts name."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby

from brain.attachments import attachment_kinds
from brain.document_lines import DocumentLine, all_lines, lines_about
from brain.memory_uses import is_recalled, use_of_event, use_of_item
from brain.metering import BUDGET_SPENT
from brain.notices import kept_notice
from brain.overview import choose_known, kind_of
from brain.previous_reply import previous_reply, previous_words
from brain.prompting.evidence import conflicting_pairs, drop_repeats, is_doubtful
from brain.safety.sanitizer import sanitize_text
from brain.state import MemoryUse, OpenTurn, said_at
from brain.turn_language import turn_language
from language.acts import Act, act_of, asks_about_replies, asks_for_own_taste, is_only_question
from language.additions import added_allergen, with_additions
from language.corrections import is_bare_correction
from language.people import SPEAKER, find_person
from language.reported import asks_for_unreal, is_only_unreal
from language.similarity import is_contained_in
from language.statements import Statement, read_statements
from language.tables import Texts, languages, text, texts
from language.values import find_values
from memory.memory_item import MemoryItem
from memory.turns import Event

MAX_MEMORIES = 8
COMPARED = 40
"""Memories that are looked through for such as say the same."""
MAX_SHOWN = 3
MAX_ADDED_TO = 4
"""Turns of the person that a turn may go on with."""
CLEAR_COVERAGE = 0.4
"""Share of the best score below which a memory is not worth telling."""
BELIEVED = 0.5
"""Confidence from which something is worth telling to who asks what is known."""


@dataclass(frozen=True)
class FallbackReply:
    """What is said; ``memories`` and ``documents`` (their places in the prompt) are all that it was made of."""

    text: str
    memories: Sequence[MemoryUse] = ()
    documents: frozenset[int] = frozenset()


@dataclass(frozen=True)
class _Section:
    """Lines below a heading, and what they were made of."""

    lines: Sequence[str]
    memories: Sequence[MemoryUse] = ()
    documents: frozenset[int] = frozenset()


def compose(state: OpenTurn, reason: str, known: Sequence[MemoryItem] = ()) -> FallbackReply:
    """An answer in the user's language, with the reason why no model speaks.

    ``known`` are the person's newest memories, for the question what is known about them.
    """
    text = state.turn["text"]
    phrases = Texts("phrases", turn_language(state))
    if text.strip():
        act = _act(state, text)
        reply = _add_knowledge(_answer(state, act, phrases, known), state, act, phrases)
    else:
        reply = FallbackReply(kept_notice(attachment_kinds(state.messages), phrases.language))
    note = _absence_note(state, reason, phrases)
    return FallbackReply(f"{reply.text}\n\n{note}" if note else reply.text, reply.memories, reply.documents)


def is_overview_request(text: str) -> bool:
    """Whether somebody asks what is known about them: no word of such a question finds anything."""
    return act_of(text) == "about_user"


def _act(state: OpenTurn, text: str) -> Act:
    """What the message does; one that leaves no memory and changes none is answered, and not said to be noted."""
    act = act_of(text)
    if act != "statement":
        return act
    if asks_about_replies(text):
        return "question"
    if state.intent.get("intent_type") == "end":
        return "farewell"
    asked = previous_reply(state)
    goes_on = added_allergen(text.strip()) is not None and not asked.endswith(("?", "？"))
    told = with_additions(read_statements(text, asked), _told_before(state) if goes_on else None)
    return act if not told or _is_task(state) or any(map(_leaves_something, told)) else "reaction"


def _told_before(state: OpenTurn) -> Statement | None:
    """What the person told last before this turn, with the words that it went on with."""
    last: Statement | None = None
    for said in previous_words(state, MAX_ADDED_TO):
        last = next(reversed(with_additions(read_statements(said), last)), None)
    return last


def _leaves_something(statement: Statement) -> bool:
    """Whether it becomes a memory, or may change one; a number alone ("no, 12") changes none."""
    named = any(each.kind != "number" for each in find_values(statement.text))
    return statement.is_memorable or statement.kind == "change" or (named and is_bare_correction(statement.text))


def _answer(state: OpenTurn, act: Act, phrases: Texts, known: Sequence[MemoryItem]) -> FallbackReply:
    match act:
        case "question":
            return _format_reply(phrases.remember, _answer_question(state, phrases), phrases.nothing)
        case "about_user":
            return _format_reply(phrases.remember, _describe_user(state, phrases, known), phrases.nothing_at_all)
        case "summary":
            return _format_reply(
                phrases.talked, _summarize_conversation(state, phrases, MAX_MEMORIES), phrases.nothing_said
            )
        case "statement":
            return FallbackReply(phrases.cannot if _is_task(state) else _describe_note(state, phrases))
        case _:
            return FallbackReply(text(f"phrases.courtesies.{act}", phrases.language))


def _describe_note(state: OpenTurn, phrases: Texts) -> str:
    if not state.turn.get("learnt", True):
        return phrases.not_noted
    return phrases.off_record if state.change and state.change["visibility"] != "all" else phrases.noted


def _add_knowledge(reply: FallbackReply, state: OpenTurn, act: Act, phrases: Texts) -> FallbackReply:
    """The same with what the organisation knows about a question, where nothing in that steers."""
    entries = state.knowledge.entries if state.knowledge and act == "question" else ()
    clean = [each.text for each in entries if sanitize_text(each.text).verdict == "pass"][:MAX_SHOWN]
    if not clean:
        return reply
    told = "\n".join((phrases.organisation, *(f"- {' '.join(each.split())}" for each in clean)))
    return replace(reply, text=f"{reply.text}\n{told}" if reply.memories or reply.documents else told)


def _format_reply(heading: str, told: _Section, otherwise: str) -> FallbackReply:
    if not told.lines:
        return FallbackReply(otherwise)
    return FallbackReply("\n".join((heading, *told.lines)), told.memories, told.documents)


def _is_task(state: OpenTurn) -> bool:
    text = state.turn["text"] if state.turn else ""
    return state.intent.get("intent_type") == "task" and not any(each.is_memorable for each in read_statements(text))


def _answer_question(state: OpenTurn, phrases: Texts) -> _Section:
    """The memories that answer; where there are none, what the documents of every prompt say."""
    text = state.turn["text"] if state.turn else ""
    real = [each for each in state.memories if asks_for_unreal(text) or not is_only_unreal(each["text"])]
    is_own = asks_for_own_taste(text)
    if is_own:
        real = [each for each in real if _is_of_speaker(each["text"])]
    shown = _select_memories(real, asks_about_replies(text))
    if shown:
        return _section_of_memories(shown, phrases)
    lines = lines_about(state.prompt.documents if state.prompt else (), text)
    return _section_of_lines([each for each in lines if not is_own or _is_of_speaker(each.text)][:MAX_MEMORIES])


def _is_of_speaker(told: str) -> bool:
    """Whether words, in quotation marks or not, are about nobody but the one who said them."""
    return find_person(told.lstrip(' "“「')) in ("", SPEAKER)


def _describe_user(state: OpenTurn, phrases: Texts, known: Sequence[MemoryItem]) -> _Section:
    """What is believed, then what the documents say beyond it; else what was said in this conversation."""
    at = datetime.fromisoformat(state.turn["at"]) if state.turn else datetime.max.replace(tzinfo=UTC)
    credible = [item for item in known if _is_credible(item, at)]
    compared = choose_known(credible, COMPARED)
    kept, repeats = drop_repeats([use_of_item(item) for item in compared])
    names = {memory["memory_id"] for memory in kept}
    told_items = choose_known([item for item in compared if str(item.memory_id) in names], MAX_MEMORIES)
    memories = [use_of_item(item) for item in told_items]
    lines = all_lines(state.prompt.documents if state.prompt else ())
    more = [line for line in lines if not any(is_contained_in(line.text, memory["text"]) for memory in memories)]
    documents = _section_of_lines(more[: MAX_MEMORIES - len(memories)])
    left = len(credible) - len(repeats) - len(memories)
    rest = [phrases.more.format(count=left)] if left > 0 else []
    told = _Section((*_lines_by_kind(told_items, phrases), *documents.lines, *rest), memories, documents.documents)
    return told if told.lines else _summarize_conversation(state, phrases, MAX_SHOWN)


def _lines_by_kind(items: Sequence[MemoryItem], phrases: Texts) -> Iterator[str]:
    """Each below the heading of its kind, where there are several kinds."""
    headings = texts("phrases.kinds", phrases.language)
    has_kinds = len({kind_of(item) for item in items}) > 1
    for kind, group in groupby(items, kind_of):
        if has_kinds:
            yield headings[kind]
        yield from (_line(use_of_item(item), phrases) for item in group)


def _summarize_conversation(state: OpenTurn, phrases: Texts, most: int) -> _Section:
    """What the user told on record in this conversation: its summaries, and the last statements of its window."""
    opened = state.opened
    window = [each for each in opened.window if not each.withheld] if opened else []
    told = [use_of_event(event) for event in window if event.role == "user" and _is_informative(event.text)]
    spoken = _section_of_memories(told[-most:], phrases)
    summaries = opened.summaries if opened and most > MAX_SHOWN else ()
    lines = (f"- {line.lstrip('- ')}" for text in summaries for line in text.splitlines() if line.strip())
    return _Section((*lines, *spoken.lines), spoken.memories)


def _is_informative(text: str) -> bool:
    return act_of(text) == "statement" or (act_of(text) == "question" and not is_only_question(text))


def _section_of_memories(memories: Sequence[MemoryUse], phrases: Texts) -> _Section:
    return _Section([_line(memory, phrases) for memory in memories], memories)


def _section_of_lines(lines: Sequence[DocumentLine]) -> _Section:
    return _Section([f"- {line.text}" for line in lines], (), frozenset(line.document for line in lines))


def _select_memories(memories: Iterable[MemoryUse], with_replies: bool) -> list[MemoryUse]:
    """The few that clearly bear on it, beliefs first: they are kept up to date, and what was said once is not."""
    telling = [memory for memory in memories if is_recalled(memory) and (with_replies or _is_statement(memory))]
    answering = [memory for memory in telling if _is_answer(memory)] or telling
    best = _drop_doubtful(sorted(answering, key=lambda memory: memory["score"], reverse=True))[:MAX_SHOWN]
    clear = [memory for memory in best if memory["score"] >= CLEAR_COVERAGE * best[0]["score"]]
    return sorted(_add_newer(clear, telling), key=lambda memory: (memory.get("status", ""), memory["lane"] != "fact"))


def _is_answer(memory: MemoryUse) -> bool:
    """Whether it bears on the question by its own words or as somebody's answer, not by its neighbours alone."""
    signals = memory["signals"]
    return signals.get("own", 1.0) > 0 or signals.get("answer", 0.0) > 0


def _add_newer(told: list[MemoryUse], telling: Sequence[MemoryUse]) -> list[MemoryUse]:
    """What may be over is never told without what is newer."""
    ids = {memory["memory_id"] for memory in told}
    newer = {new["memory_id"]: new for old, new in conflicting_pairs(telling) if old["memory_id"] in ids}
    return [*(memory for memory in newer.values() if memory["memory_id"] not in ids), *told]


def _is_statement(memory: MemoryUse) -> bool:
    return memory["role"] != "assistant" and not is_only_question(memory["text"])


def _drop_doubtful(best: list[MemoryUse]) -> list[MemoryUse]:
    """A turn of which something is over tells nothing below one memory that holds; above it, it may be all there is."""
    held = next((place for place, each in enumerate(best) if not is_doubtful(each)), len(best))
    return [*best[:held], *(each for each in best[held:] if not is_doubtful(each))]


def _line(memory: MemoryUse, phrases: Texts) -> str:
    said = memory["lane"] == "turn" or (memory["lane"] == "fact" and memory["speaker"])
    template = _speaker_template(memory, phrases) if said else phrases.known
    status = texts("phrases.statuses", phrases.language).get(memory.get("status", ""), "")
    text = " ".join(memory["text"].split())
    date = said_at(memory) if said else memory["valid_since"]
    told = template.format(date=date[:10], speaker=memory["speaker"], text=text)
    return f"{told} {status}".rstrip()


def _speaker_template(memory: MemoryUse, phrases: Texts) -> str:
    if memory["role"] == "assistant":
        return phrases.brain_said
    return phrases.user_said if memory["speaker"] == "user" else phrases.other_said


def _absence_note(state: OpenTurn, reason: str, phrases: Texts) -> str:
    """Why no model speaks; that none is configured is told once in a conversation."""
    if reason == BUDGET_SPENT:
        return phrases.spent
    if reason != "model_not_configured":
        told = phrases.failed.format(reason=reason, advice=texts("phrases.advice", phrases.language).get(reason, ""))
        return re.sub(r"\s+\)$", ")", told)
    return "" if _has_absence_note(state) else phrases.no_model


def _has_absence_note(state: OpenTurn) -> bool:
    """Whether an earlier reply said so; one that is out of sight did, or was made by a model."""
    window = state.opened.window if state.opened else ()
    earlier = (*(message.text for message in state.messages if message.type == "ai"), *_reply_texts(window))
    told = [text("phrases.no_model", each) for each in languages()]
    unseen = bool(window) and state.turn["turns_before"] > len(window)
    return unseen or any(each in text for text in earlier for each in told)


def _reply_texts(window: Iterable[Event]) -> Iterator[str]:
    return (event.text for event in window if event.role == "assistant")


def _is_credible(item: MemoryItem, at: datetime) -> bool:
    holds = item.epistemic_type != "outdated" and not item.has_ended(at) and not item.is_withheld
    return item.confidence >= BELIEVED and holds
