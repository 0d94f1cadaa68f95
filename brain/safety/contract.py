"""The Core Safety Contract: what must stay visible and what must not happen, out of the documents that state it.

The package's own document always counts. A tenant adds to it by a document of its own, and by what its SOUL holds under
the same headings; nothing takes anything away.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Literal

from brain.soul_document import PACKAGED_VERSION, MalformedSoulError, packaged_soul
from language.tables import pattern_of_all
from memory.safety_contracts import ContractDocument
from memory.session_state import SessionState
from prompts.registry import PromptError, load_prompt

Kind = Literal["anchors", "constraints"]
Refusal = Literal[
    "contract_heading_twice",
    "contract_not_a_point",
    "contract_point_too_short",
    "contract_point_too_long",
    "contract_too_many_points",
    "contract_html",
    "contract_empty",
    "contract_steers",
    "contract_contradicts",
]

_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*")
_BULLET = re.compile(r"[-*]\s+(.+)")


class ContractRefused(Exception):
    """A document cannot be a part of the contract. ``code`` says why, ``point`` where."""

    def __init__(self, code: Refusal, message: str, point: str = "") -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.point = code, message, point


@dataclass(frozen=True)
class SafetyContract:
    """What must stay visible (``anchors``) and what must not happen (``constraints``)."""

    anchors: tuple[str, ...]
    constraints: tuple[str, ...]
    source_hash: str

    @property
    def points(self) -> tuple[str, ...]:
        """All of it."""
        return self.anchors + self.constraints


@lru_cache(maxsize=256)
def read_points(document: str) -> SafetyContract:
    """What a document states under "Anchors" and "Constraints", in either language; other sections are not looked at.

    Raises ``ContractRefused`` for what cannot be read without doubt.
    """
    found: dict[Kind, list[str]] = {}
    for kind, lines in _sections(document):
        if kind in found:
            raise ContractRefused("contract_heading_twice", f"There are two headings for {kind}.")
        found[kind] = list(_points(lines))
    anchors, constraints = (tuple(found.get(kind, ())) for kind in ("anchors", "constraints"))
    return SafetyContract(anchors, constraints, sha256(document.encode()).hexdigest())


def packaged_contract() -> SafetyContract | None:
    """The package's own document; None when it cannot be read or lacks either list."""
    try:
        own = read_points(load_prompt("safety_contract").body)
    except (PromptError, ContractRefused):
        return None
    return own if own.anchors and own.constraints else None


def contract_in_force(added: Iterable[ContractDocument]) -> SafetyContract | None:
    """The package's contract with what a tenant adds; None when any part of it cannot be read as it was written."""
    own, documents = packaged_contract(), tuple(added)
    if own is None or not all(each.is_intact for each in documents):
        return None
    try:
        return _join(own, tuple(each.text for each in documents))
    except ContractRefused:
        return None


def contract_of_turn(opened: SessionState | None) -> SafetyContract | None:
    """The contract of the tenant whose session was opened; None where that was not read."""
    return None if opened is None else contract_of_documents(opened.contract, opened.soul)


def contract_of_documents(added: ContractDocument | None, soul: ContractDocument | None) -> SafetyContract | None:
    """The contract by what a tenant adds and by its SOUL, the packaged one where nobody changed that."""
    try:
        return contract_in_force(each for each in (added, soul or _packaged_soul()) if each)
    except (PromptError, MalformedSoulError):
        return None


def _packaged_soul() -> ContractDocument:
    text = packaged_soul()
    return ContractDocument(version=PACKAGED_VERSION, text=text, sha256=sha256(text.encode()).hexdigest())


def added_points(contract: SafetyContract) -> tuple[str, ...]:
    """What the tenant added, in order."""
    own = packaged_contract()
    return tuple(point for point in contract.points if own is None or point not in own.points)


@lru_cache(maxsize=256)
def _join(own: SafetyContract, texts: tuple[str, ...]) -> SafetyContract:
    parts = [own, *(read_points(text) for text in texts)]
    if len(parts) == 1:
        return own
    return SafetyContract(
        anchors=tuple(dict.fromkeys(point for part in parts for point in part.anchors)),
        constraints=tuple(dict.fromkeys(point for part in parts for point in part.constraints)),
        source_hash=sha256("\n".join(part.source_hash for part in parts).encode()).hexdigest(),
    )


def _sections(document: str) -> Iterator[tuple[Kind, list[str]]]:
    """The lines under each heading that belongs to the contract, as far as the next heading."""
    kind: Kind | None = None
    lines = list[str]()
    for line in document.splitlines():
        heading = _HEADING.fullmatch(line)
        if heading is None:
            lines.append(line)
            continue
        if kind:
            yield kind, lines
        kind, lines = _kind_of(heading[2]), []
    if kind:
        yield kind, lines


def _kind_of(heading: str) -> Kind | None:
    if pattern_of_all("guardrail.anchors").fullmatch(heading):
        return "anchors"
    return "constraints" if pattern_of_all("guardrail.constraints").fullmatch(heading) else None


def _points(lines: Iterable[str]) -> Iterator[str]:
    """One point for each bullet, with its indented lines, its spaces made one."""
    point = ""
    for line in lines:
        if bullet := _BULLET.fullmatch(line):
            if point:
                yield " ".join(point.split())
            point = bullet[1].strip()
        elif line.strip() and point and line[0].isspace():
            point += f" {line.strip()}"
        elif line.strip():
            raise ContractRefused("contract_not_a_point", "Every line under these headings is a bullet.", line.strip())
    if point:
        yield " ".join(point.split())
