"""``/memories``, ``/correct``, ``/forget`` and ``/undo``: memory read and changed beside the conversation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Literal

from apps.cli.chat_session import ChatSession
from apps.cli.output import emit, say, show_table
from brain.overview import KnownKind
from evolution.requests.change_targets import ChangeTarget
from evolution.requests.target_fit import meant_by
from evolution.requests.target_ranking import likely_targets, pick_clear_target
from evolution.requests.undoing import RecentAct, last_asked_for
from language.detection import language_of
from language.secrets import mask_secrets
from language.tables import text, texts
from memory.errors import BrainError, bad_request

_LIST_FIRST = "/memories lists them with their numbers."
_DIGITS = 6
"""Of the greatest number that is read."""


@dataclass
class MemoryCommands:
    """Numbers are those of the list that was shown last: ``listed`` memories, or ``changes`` that can be undone."""

    talk: ChatSession
    json: bool
    listed: list[ChangeTarget] = field(default_factory=list[ChangeTarget])
    changes: list[RecentAct] = field(default_factory=list[RecentAct])

    def show_list(self, words: str) -> None:
        """List memories with numbers."""
        found = self.talk.run(self.talk.memories.list_memories(words))
        otherwise = "Nothing is remembered about that." if words else "No memories yet."
        self._show_choices(found.targets, otherwise, found.kinds)
        if found.more and not self.json:
            say(text("phrases.more", language_of(found.targets[0].text)).format(count=found.more))

    def forget(self, words: str) -> None:
        """Forget what a number or words mean; where that is not clear, list what they may mean."""
        target = self._numbered(words) if words.isdecimal() else self._find_clear("forget", words)
        if target is not None:
            self.talk.run(self.talk.memories.forget(target))
            self._report("forgotten", f"Forgotten: {mask_secrets(target.text)}", target)

    def correct(self, words: str) -> None:
        """Put a sentence in the place of a listed memory, or of what it clearly means."""
        number, _, sentence = words.partition(" ")
        target = self._numbered(number) if number.isdecimal() else self._find_clear("correct", words)
        content = sentence.strip() if number.isdecimal() else words
        if not content:
            raise bad_request("What is true instead is missing.", f"Such as: /correct {number} I live in Ghent.")
        if target is not None:
            self.talk.run(self.talk.memories.correct(target, content))
            self._report("corrected", f"Corrected: {mask_secrets(target.text)} → {mask_secrets(content)}", target)

    def undo(self, words: str) -> None:
        """Take the last change that was asked for back, or the one with a number; without any, list them."""
        changes = self.changes if words.isdecimal() else self.talk.run(self.talk.memories.list_changes())
        chosen = _numbered_change(changes, words) if words.isdecimal() else last_asked_for(changes)
        if chosen is None or (words and not words.isdecimal()):
            self._show_changes(changes)
            return
        said = self.talk.run(self.talk.memories.take_back(chosen))
        if self.json:
            emit({"restored": said})
        else:
            say("\n".join(f"Restored: {mask_secrets(each)}" for each in said))

    def _show_changes(self, changes: list[RecentAct]) -> None:
        self.changes = changes
        rows = [(at, f"{each.at:%Y-%m-%d %H:%M}", _told(each)) for at, each in enumerate(changes, 1)]
        if self.json:
            emit({"changes": [{"number": at, "at": when, "text": text} for at, when, text in rows]})
        elif rows:
            show_table(("no.", "changed", "what stood before"), rows)
            say("Type /undo with a number of these.")
        else:
            say("Nothing was changed within the last day.")

    def _find_clear(self, act: Literal["forget", "correct"], words: str) -> ChangeTarget | None:
        found = self.talk.run(self.talk.memories.rank_targets(act, words))
        meant = meant_by(words, "", found)
        one = pick_clear_target(found) if act == "correct" else meant.targets[0] if meant.sure else None
        if one is None:
            likely = likely_targets(found) if act == "correct" else list(meant.targets)
            self._show_choices(likely, "Nothing in memory says that; nothing was changed.")
            if likely and not self.json:
                say(f"Nothing was changed. Type /{act} with a number of these.")
        return one

    def _numbered(self, number: str) -> ChangeTarget:
        if len(number) > _DIGITS or not 1 <= int(number) <= len(self.listed):
            raise BrainError("E_NOT_FOUND", f"No list that was shown has the number {number[:20]}.", _LIST_FIRST)
        return self.listed[int(number) - 1]

    def _show_choices(self, found: list[ChangeTarget], otherwise: str, kinds: Sequence[KnownKind] = ()) -> None:
        self.listed = found or self.listed
        rows = [_row(at, each) for at, each in enumerate(found, 1)]
        if self.json:
            emit({"memories": [{"number": at, **_describe(each)} for at, each in enumerate(found, 1)]})
        elif found and len(set(kinds)) > 1:
            _show_by_kind(rows, kinds, language_of(found[0].text))
        elif found:
            show_table(("no.", "since", "memory"), rows)
        else:
            say(otherwise)

    def _report(self, done: str, text: str, target: ChangeTarget) -> None:
        if self.json:
            emit({done: _describe(target)})
        else:
            say(f"{text} (/undo takes it back.)")


def _show_by_kind(rows: Sequence[tuple[object, ...]], kinds: Sequence[KnownKind], language: str) -> None:
    headings = texts("phrases.kinds", language)
    for kind, group in groupby(zip(kinds, rows, strict=True), itemgetter(0)):
        say(headings[kind])
        show_table(("no.", "since", "memory"), [row for _, row in group])


def _numbered_change(changes: list[RecentAct], number: str) -> RecentAct:
    if len(number) > _DIGITS or not 1 <= int(number) <= len(changes):
        raise BrainError("E_NOT_FOUND", f"No list that was shown has the number {number[:20]}.", "/undo list shows it.")
    return changes[int(number) - 1]


def _told(act: RecentAct) -> str:
    return " · ".join(mask_secrets(each) for each in act.told)


def _row(number: int, target: ChangeTarget) -> tuple[object, ...]:
    text = mask_secrets(target.text)
    return number, _since(target), text if target.use == "auto" else f"({target.use}) {text}"


def _describe(target: ChangeTarget) -> dict[str, object]:
    ids = [str(each) for each in target.memory_ids]
    return {"ids": ids, "since": _since(target), "text": mask_secrets(target.text), "use": target.use}


def _since(target: ChangeTarget) -> str:
    return f"{min(target.moments):%Y-%m-%d}" if target.moments else ""
