"""Acts that wait for the decision of the person who types: shown, and answered line by line."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from brain.approval import Action, ActionRequest, ApprovalRequest, Decision
from language.tables import words_of_all
from memory.errors import bad_request

HINT = "y: do it; n: leave it; e …: change it first{how}. Any other line goes on without it."
_EDIT = re.compile(r"(?:e|edit)\s+(?P<told>.+)", re.IGNORECASE | re.DOTALL)
_HOW = {
    "memories": " (the numbers of the memories to go: e 1 3)",
    "content": " (what is true: e I live in Ghent)",
    "": " (the arguments as JSON)",
}


@dataclass
class ApprovalDialog:
    """A request, and the decisions on its first acts."""

    request: ApprovalRequest
    decisions: list[Decision] = field(default_factory=list[Decision])

    @property
    def action(self) -> ActionRequest:
        """The act that is to be decided next."""
        return self.request["action_requests"][len(self.decisions)]

    @property
    def is_decided(self) -> bool:
        """Whether every act has its decision."""
        return len(self.decisions) == len(self.request["action_requests"])

    def decide(self, line: str) -> bool:
        """Take a line as the decision on the next act; False when it is none. ``E_BAD_REQUEST`` for an unfit edit."""
        decision = read_decision(line, self.action)
        if decision is None:
            return False
        self.decisions.append(decision)
        return True

    def describe(self) -> str:
        """The next act with its diff, its memories numbered, and what can be typed."""
        how = _HOW[_editable(self.action)]
        places = iter(range(1, len(self.action["description"])))
        numbered = _editable(self.action) == "memories"
        lines = [
            f"{next(places)}. {line[2:]}" if numbered and line.startswith("- ") else line
            for line in self.action["description"].splitlines()
        ]
        return "\n".join((*lines, HINT.format(how=how)))


def read_decision(line: str, action: ActionRequest) -> Decision | None:
    """The decision that a line is; None for any other line. ``E_BAD_REQUEST`` for an unfit edit."""
    told = line.strip().lower().rstrip(".!。！")
    if told in words_of_all("doors.yes"):
        return Decision(type="approve")
    if told in words_of_all("doors.no"):
        return Decision(type="reject")
    edit = _EDIT.fullmatch(line.strip())
    if edit is None:
        return None
    return Decision(type="edit", edited_action=Action(name=action["name"], args=_edited_args(edit["told"], action)))


def _editable(action: ActionRequest) -> str:
    """The argument that an edit is about; empty when it is all of them."""
    return next((name for name in ("memories", "content") if action["args"].keys() == {name}), "")


def _edited_args(told: str, action: ActionRequest) -> dict[str, Any]:
    match _editable(action):
        case "content":
            return {"content": told}
        case "memories":
            return {"memories": "\n".join(_numbered_lines(told, str(action["args"]["memories"]).splitlines()))}
        case _:
            return _read_json(told)


def _numbered_lines(told: str, lines: list[str]) -> list[str]:
    numbers = [int(each) for each in re.findall(r"\d+", told)]
    if not numbers or not all(1 <= each <= len(lines) for each in numbers):
        raise bad_request(f"Name memories by their numbers, 1 to {len(lines)}.", "Such as: e 1 3")
    return [lines[each - 1] for each in dict.fromkeys(numbers)]


def _read_json(told: str) -> dict[str, Any]:
    try:
        args = json.loads(told)
    except ValueError:
        args = None
    if not isinstance(args, dict):
        raise bad_request("The arguments must be a JSON object.", 'Such as: e {"text": "I like tea"}')
    return {str(name): value for name, value in args.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
