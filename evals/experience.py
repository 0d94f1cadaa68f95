"""What is learnt of outcomes, corrections and feedback: ``python -m evals.experience [--show]``.

Every case of ``data/experience_cases.jsonl`` is played three times over by two people, in the shape in which turns keep
how calls ended: the name of the tool, whether it worked, and a code of ours. What a tool answered and what a person
wrote is not kept, so a failure without a code of ours counts as one that tells nothing. Wrong lessons come first.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from evolution.experience.lessons import learn_lessons
from language.experience import tell_lesson
from memory.experience import TurnOutcomes

FILE = Path(__file__).parent / "data" / "experience_cases.jsonl"
TIMES, PEOPLE = 3, 2
UNKNOWN = "E_INTERNAL"
"""The code of a tool that failed in its own words."""


def outcomes_of(case: Mapping[str, Any]) -> Iterator[TurnOutcomes]:
    """A case as turns keep it: in each conversation all of its calls, and whether anything was corrected."""
    calls = [each for each in case["events"] if each["kind"] == "tool_result"]
    tools = [{"tool": each["tool"], "ok": each["ok"], "code": "" if each["ok"] else UNKNOWN} for each in calls]
    corrected = any(each["kind"] == "correction" for each in case["events"])
    for person in range(PEOPLE):
        for _ in range(TIMES):
            yield TurnOutcomes(
                user_id=UUID(int=person), session_id=uuid4(), at=datetime.now(UTC), tools=tools, corrected=corrected
            )


def words_in(lessons: Sequence[str], case: Mapping[str, Any]) -> list[str]:
    """Whole texts of the case's events that a lesson repeats."""
    return [each["text"] for each in case["events"] if any(each["text"] in lesson for lesson in lessons)]


def measure(*, show: bool) -> None:
    """Print the figures, wrong lessons first."""
    cases = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    learnt = {case["id"]: [each.lesson for each in learn_lessons(list(outcomes_of(case)))] for case in cases}
    quoted = sum(bool(words_in([tell_lesson(each, "en") for each in learnt[case["id"]]], case)) for case in cases)
    print(f"lessons with somebody's words: {quoted} of {len(cases)}")
    for name, wanted in (("wrong lessons", False), ("lessons found", True)):
        told = [case["id"] for case in cases if case["learn"] is wanted]
        found = [key for key in told if learnt[key]]
        print(f"{name}: {len(found)} of {len(told)}")
        for key in found if show else ():
            print(f"  {key}: {', '.join(learnt[key])}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="also the lessons behind each figure")
    measure(show=parser.parse_args().show)
