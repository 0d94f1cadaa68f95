"""Which tools are offered for what people ask: needed ones withheld, how many are offered, and tokens saved by that.

``python -m evals.skills`` prints a line for the tuned half (odd ids) and the unseen half (even ids) of
``evals/data/skills_requests.jsonl``, by meaning and by words alone; ``--wrong`` also what was withheld.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from brain.identity import Identity
from brain.intent_rules import classify
from brain.prompting.tokens import count_tokens
from brain.settings_skills import parse_servers
from language.encoder import sentence_encoder
from language.skill_words import pieces_of
from memory.scope import Speaker, scope_of
from skills.builtin import builtin_skills
from skills.context import ToolContext, ToolResult
from skills.mcp_tools import AnyArguments
from skills.registry import Registry
from skills.skill import Skill, SkillRequest
from skills.tool import Tool

DATA = Path(__file__).parent / "data" / "skills_requests.jsonl"
EXAMPLES = Path(__file__).parents[1] / "examples" / "skills"

SOMEBODY = Identity(scope=scope_of(Speaker(tenant="evals", user="me")), tenant="evals", user="me")


@dataclass(frozen=True)
class Request:
    """A message, and the tools that it needs."""

    id: str
    text: str
    needs: frozenset[str]

    @property
    def is_tuned_on(self) -> bool:
        """Whether thresholds and cues were chosen with it in view."""
        return int(self.id[1:]) % 2 == 1


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What became of some requests. ``withheld`` names the request and the tool."""

    requests: int
    needed: int
    withheld: list[tuple[str, str, str]]
    offered: float
    tokens_offered: float
    tokens_of_all: int

    def line(self) -> str:
        """For a person."""
        saved = 1 - self.tokens_offered / self.tokens_of_all
        return (
            f"needed tools withheld {len(self.withheld)} of {self.needed}; offered {self.offered:.2f} tools on average;"
            f" {self.tokens_offered:.0f} of {self.tokens_of_all} tokens of tools ({saved:.0%} saved);"
            f" {self.requests} requests"
        )


def measure(registry: Registry, requests: Iterable[Request], *, by_meaning: bool) -> Figures:
    """What is offered for each request."""
    tokens = {name: _tokens_of(tool) for name, tool in registry.tools.items()}
    withheld, offered, needed, cost, count = list[tuple[str, str, str]](), 0, 0, 0, 0
    for request in requests:
        names = {tool.name for tool in registry.select_tools(SOMEBODY, _asked(request.text, by_meaning))}
        withheld += [(request.id, name, request.text) for name in sorted(request.needs - names)]
        needed, offered, count = needed + len(request.needs), offered + len(names), count + 1
        cost += sum(tokens[name] for name in names)
    return Figures(
        requests=count,
        needed=needed,
        withheld=withheld,
        offered=offered / count,
        tokens_offered=cost / count,
        tokens_of_all=sum(tokens.values()),
    )


def read_requests() -> list[Request]:
    """All of the set."""
    rows = map(json.loads, DATA.read_text("utf-8").splitlines())
    return [Request(id=row["id"], text=row["text"], needs=frozenset(row["needs"])) for row in rows]


def registry_of_all() -> Registry:
    """Brain's skills, that of the agent's character, and the two examples, without starting a server."""
    return Registry.of((*builtin_skills(), *_examples()))


def _examples() -> Iterator[Skill]:
    sys.path.insert(0, str(EXAMPLES))
    from convert_units import CONVERT_UNITS  # pyright: ignore  # a file of an example, in no package

    yield cast("Skill", CONVERT_UNITS)
    (server,) = parse_servers(str(EXAMPLES / "mcp_servers.json")).values()
    yield Skill(name="plan_dates", tools=(_stand_in("plan_dates"),), sentences=server.sentences)


def _stand_in(name: str) -> Tool[Any]:
    async def run(arguments: AnyArguments, context: ToolContext) -> ToolResult:
        return ToolResult(text="")

    return Tool(name=name, description=name.replace("_", " "), arguments=AnyArguments, run=run)


def _asked(text: str, by_meaning: bool) -> SkillRequest:
    pieces = pieces_of(text)
    vectors = sentence_encoder().encode(pieces) if by_meaning else None
    return SkillRequest(pieces=pieces, intent=classify(text), vectors=vectors)


def _tokens_of(tool: Tool[Any]) -> int:
    return count_tokens(json.dumps(tool.spec.as_openai(), ensure_ascii=False))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", action="store_true", help="also print what was withheld")
    wrong = parser.parse_args().wrong
    sentence_encoder().load()
    registry, requests = registry_of_all(), read_requests()
    for half in (True, False):
        chosen = [each for each in requests if each.is_tuned_on is half]
        for by_meaning in (True, False):
            found = measure(registry, chosen, by_meaning=by_meaning)
            print(f"{'tuned on' if half else 'unseen'}, {'by meaning' if by_meaning else 'by words'}: {found.line()}")
            if wrong:
                print(*(f"  {id_} {name}: {text}" for id_, name, text in found.withheld), sep="\n")


if __name__ == "__main__":
    main()
