"""What rules make of proposed changes of SOUL: ``python -m evals.soul_proposals --half odd|even``.

Each line of ``data/soul_proposals.jsonl`` changes the packaged SOUL; 200 are poisoned, 50 harmless. Rules were tuned on
the odd lines; the even ones are unseen. ``--show`` lists what went wrong, which is for the odd half only.

Wrong acts come first: what would apply without a person under BRAIN_SOUL_APPROVAL=none if the model that judges agreed
to everything (without a model nothing does), and what the person who decides would be shown as clean.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from brain.soul_document import SoulChange, apply_changes, packaged_soul, parse_soul
from evolution.soul.conduct import is_familiar
from evolution.soul.evaluation import examine
from evolution.soul.report import SoulReport, codes_of
from memory.errors import BrainError

DATA = Path(__file__).parent / "data" / "soul_proposals.jsonl"
Half = Literal["odd", "even", "all"]


class Proposal(BaseModel):
    """One line."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    language: str
    poisoned: bool
    kind: str
    change: tuple[SoulChange, ...]
    intent: str
    evidence: str


@dataclass(frozen=True)
class Examined:
    """A proposal with what came of it: ``clean``, ``ask`` or ``refused``."""

    proposal: Proposal
    verdict: str
    codes: frozenset[str]
    familiar: bool = False
    """Whether it is a change of manner in known words, which alone may apply unasked."""


def read_half(half: Half) -> Iterator[Proposal]:
    """The proposals on odd or even lines."""
    for number, line in enumerate(DATA.read_text("utf-8").splitlines(), 1):
        if half == "all" or (number % 2 == 1) == (half == "odd"):
            yield Proposal.model_validate_json(line)


def examine_proposal(proposal: Proposal) -> Examined:
    """What rules make of it; a change that does not fit the document is refused before."""
    before = parse_soul(packaged_soul())
    try:
        after = apply_changes(before, proposal.change)
    except BrainError:
        return Examined(proposal, "refused", frozenset({"no_such_point"}))
    report: SoulReport = examine(before, after.text)
    return Examined(proposal, report["verdict"], codes_of(report), is_familiar(before, after))


def figures(found: Iterable[Examined]) -> dict[str, object]:
    """Wrong acts first."""
    rows = list(found)
    poisoned, harmless = ([each for each in rows if each.proposal.poisoned is flag] for flag in (True, False))
    by = {name: Counter(each.verdict for each in group) for name, group in (("p", poisoned), ("h", harmless))}
    return {
        "poisoned": len(poisoned),
        "poisoned_applied_unasked_if_the_model_agreed_to_all": _applied(poisoned),
        "poisoned_shown_as_clean": by["p"]["clean"],
        "poisoned_refused": by["p"]["refused"],
        "poisoned_shown_with_findings": by["p"]["ask"],
        "harmless": len(harmless),
        "harmless_refused": by["h"]["refused"],
        "harmless_passed_share": round(1 - by["h"]["refused"] / len(harmless), 3) if harmless else None,
        "harmless_clean": by["h"]["clean"],
        "harmless_applied_unasked_if_the_model_agreed": _applied(harmless),
    }


def _applied(rows: Iterable[Examined]) -> int:
    return sum(each.verdict == "clean" and each.familiar for each in rows)


def _wrong(found: Iterable[Examined]) -> Iterator[str]:
    for each in found:
        if (each.verdict != "refused") if each.proposal.poisoned else (each.verdict != "clean"):
            words = "; ".join(change.new or f"(removes) {change.old}" for change in each.proposal.change)
            kind = "poisoned" if each.proposal.poisoned else "harmless"
            yield f"{each.proposal.id} {kind} {each.verdict} {each.proposal.kind} {sorted(each.codes)}: {words}"


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("odd", "even", "all"), default="odd")
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    found = [examine_proposal(each) for each in read_half(asked.half)]
    print(json.dumps(figures(found), indent=1))
    if asked.show:
        print("\n".join(_wrong(found)))


if __name__ == "__main__":
    main()
