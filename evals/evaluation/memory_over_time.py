"""Figures of change: what ended, what was disputed, what a question brings at its moment, what a history tells."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from evals.evaluation.memory_data import Label
from evals.evaluation.memory_reading import Reading, Verdicts
from evals.evaluation.memory_replay import Asked
from memory.memory_item import MemoryItem


def _right_endings(reading: Reading) -> list[bool]:
    """Every ending of a memory that labels know: right when the label was over by then."""
    return [not _ended_while_true(reading, item) for item in _superseded_items(reading)]


def _false_conflicts(reading: Reading) -> list[bool]:
    """Of the memories that labels know, those that were ended or disputed although nothing contradicts them."""
    disputed = {each for pair in _disputes(reading) for each in pair}
    return [
        item.memory_id in disputed or (item.status == "superseded" and _ended_while_true(reading, item))
        for item in reading.lived.items
        if reading.labels(item.memory_id)
    ]


def _superseded_items(reading: Reading) -> Iterator[MemoryItem]:
    for item in reading.lived.items:
        if item.status == "superseded" and reading.labels(item.memory_id):
            yield item


def _ended_while_true(reading: Reading, item: MemoryItem) -> bool:
    """Whether a memory was ended while every label that it meets still held."""
    conversation, by = reading.lived.conversation, _successor(reading, item)
    at = by.observed_at if by else item.updated_at
    return not any(conversation.past(label, at) for label in reading.labels(item.memory_id))


def _successor(reading: Reading, item: MemoryItem) -> MemoryItem | None:
    return next((each for each in reading.lived.items if each.memory_id == item.superseded_by), None)


def _disputes(reading: Reading) -> Iterator[tuple[UUID, UUID]]:
    """Conflicts between memories that, by their labels, are true side by side."""
    for conflict in reading.lived.conflicts:
        conversation, at = reading.lived.conversation, conflict.opened_at
        sides = [reading.labels(conflict.held_id), reading.labels(conflict.new_id)]
        if all(side and not any(conversation.past(label, at) for label in side) for side in sides):
            yield conflict.held_id, conflict.new_id


def _ended_beliefs(reading: Reading) -> list[bool]:
    """Of what was remembered and is over, what does not live on as if it were true."""
    at = max(reading.lived.conversation.said_at.values())
    over = [label for label in reading.wanted if reading.lived.conversation.past(label, at)]
    held = [items for label in over if (items := reading.holders(label))]
    return [not any(item.status == "active" for item in items) for items in held]


def _fresh_answers(reading: Reading, asked: Iterable[Asked], *, held_only: bool = False) -> list[bool]:
    """Whether the first memory that bears on a question says what is true now."""
    answers: list[bool] = []
    for each in asked:
        now = _current_labels(reading, each)
        if now and (reading.held(now) or not held_only):
            answers.append(bool(now & _first_relevant_labels(reading, each)))
    return answers


def _answers_in_reach(reading: Reading) -> list[bool]:
    """Whether a true memory, or the turn that says so, is among the best of everything."""
    return [
        bool(reading.evidence(now) & set(each.best)) or any(now & reading.names(found) for found in each.facts)
        for each in reading.lived.asked
        if (now := _current_labels(reading, each))
    ]


def _stale_answers(reading: Reading) -> list[bool]:
    """Of the questions whose answer has changed, those that still bring an old one as current."""
    verdicts: list[bool] = []
    for each in reading.lived.asked:
        over = {label.label for label in _labels_of(reading, each) if reading.lived.conversation.past(label, each.at)}
        if over:
            brought = [reading.names(found) for found in each.facts]
            verdicts.append(any(said & over and not said & _current_labels(reading, each) for said in brought))
    return verdicts


def _old_before_new(reading: Reading) -> list[bool]:
    """Of the questions whose answer has changed, those for which the old is told before the new, by turn or fact."""
    verdicts: list[bool] = []
    for each in reading.lived.asked:
        now, about = _current_labels(reading, each), _labels_of(reading, each)
        over = {label.label for label in about if reading.lived.conversation.past(label, each.at)}
        if now and over:
            told = (reading.tells(name, about) for name in each.best)
            first = next((labels for labels in told if labels & (now | over)), set[str]())
            verdicts.append(bool(first & over) and not first & now)
    return verdicts


def _complete_histories(reading: Reading) -> list[bool]:
    """Chains of which the history leaves out nothing."""
    return [told == asked for told, asked in _count_links(reading)]


def _history_links(reading: Reading) -> list[bool]:
    return [number < told for told, asked in _count_links(reading) for number in range(asked)]


def _count_links(reading: Reading) -> Iterator[tuple[int, int]]:
    for each in reading.lived.histories:
        chain = [label for label in _labels_of(reading, each) if reading.lived.conversation.known(label, each.at)]
        brought = {name for found in each.facts for name in reading.names(found)}
        if len(chain) > 1 and _is_chain(chain):
            yield sum(label.label in brought for label in chain), len(chain)


def _is_chain(labels: Sequence[Label]) -> bool:
    return any(label.replaces or label.ended_by for label in labels)


def _labels_of(reading: Reading, asked: Asked) -> list[Label]:
    return [reading.lived.conversation.label_of[name] for name in asked.question.about]


def _current_labels(reading: Reading, asked: Asked) -> set[str]:
    about = _labels_of(reading, asked)
    return {label.label for label in about if reading.lived.conversation.current(label, asked.at)}


def _first_relevant_labels(reading: Reading, asked: Asked) -> set[str]:
    about = set(asked.question.about)
    return next((both for found in asked.facts if (both := about & reading.names(found))), set[str]())


OF_TIME: Mapping[str, Verdicts] = {
    "supersede_precision": _right_endings,
    "false_conflicts": _false_conflicts,
    "let_go": _ended_beliefs,
    "stale_leak": _stale_answers,
    "old_first": _old_before_new,
    "fresh": lambda reading: _fresh_answers(reading, reading.lived.asked),
    "fresh_if_held": lambda reading: _fresh_answers(reading, reading.lived.asked, held_only=True),
    "in_reach": _answers_in_reach,
    "as_of": lambda reading: _fresh_answers(reading, reading.lived.as_of, held_only=True),
    "history": _complete_histories,
    "history_links": _history_links,
}
