"""Do many people who chat at once through ``brain serve`` each get their own answer, and is nothing lost?

``python -m evals.served_people --people 200 --minutes 10 --json out.json``

Everybody has a conversation of their own with OpenAI's chat API, tells a name that nobody else has, talks, and asks for
that name again. Nothing calls a model; the server's own worker makes memories meanwhile. Counted are refused and failed
requests, turns that were answered but are not in the log, and replies that hold somebody else's name.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, perf_counter

import httpx
import psycopg
from rich.console import Console

from apps.calibration.measurement import a_database
from evals.evaluation.metrics import percentile
from evals.evaluation.scratch import a_server
from evals.served import Person, Served, a_served
from memory.postgres.roles import Addresses

TENANT_SIZE = 10
SAMPLE = 10.0
"""Seconds between two looks at the process."""
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
TALK = (
    "It rained all day here.",
    "I had soup for lunch today.",
    "My brother came by yesterday and we cooked together.",
    "What should I read next?",
    "今天地铁很挤。",
    "I am learning to play the cello.",
    "Thanks, that helps.",
    "我周末想去爬山。",
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """``pause``: seconds between an answer and the next message, at least and at most."""

    people: int
    minutes: float
    pause: tuple[float, float]


@dataclass
class Talk:
    """One person's conversation and what came of it."""

    person: Person
    name: str
    random: Random
    messages: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    answered: int = 0
    asked: int = 0
    known: int = 0


@dataclass
class Observed:
    """What all of them met. Seconds, and megabytes over time."""

    seconds: list[float] = field(default_factory=list[float])
    failures: Counter[str] = field(default_factory=Counter[str])
    strangers: int = 0
    resident: list[float] = field(default_factory=list[float])


async def measure(options: Options, url: str | None) -> dict[str, object]:
    """Let them talk; the figures."""
    talks = people(options.people)
    with a_server(url) as server:
        async with a_database(server) as where:
            with a_served(where, tenant_requests="0") as served:
                observed = await _let_talk(served, talks, options)
            return report(talks, observed, _count_lost(where, talks), options)


def people(count: int) -> list[Talk]:
    """So many people, ten to a tenant, each with a name of five syllables to tell."""
    names = sorted({_name(Random(number)) for number in range(2 * count)})[:count]
    return [
        Talk(Person(f"tenant {number // TENANT_SIZE}", f"person {number}"), name, Random(number))
        for number, name in enumerate(names)
    ]


def report(talks: Sequence[Talk], observed: Observed, lost: int, options: Options) -> dict[str, object]:
    """The figures. Memory is the median of the second and of the last fifth of the time: the first fifth warms up."""
    fifth = max(1, len(observed.resident) // 5)
    return {
        **asdict(options),
        "turns": len(observed.seconds),
        "per_second": len(observed.seconds) / (options.minutes * 60),
        "p50_ms": percentile(observed.seconds, 0.5) * 1000,
        "p95_ms": percentile(observed.seconds, 0.95) * 1000,
        "failures": dict(observed.failures),
        "lost_turns": lost,
        "replies_with_somebody_elses_name": observed.strangers,
        "own_name_known": sum(each.known for each in talks) / max(1, sum(each.asked for each in talks)),
        "resident_mb_early": median(observed.resident[fifth : 2 * fifth] or [float("nan")]),
        "resident_mb_late": median(observed.resident[-fifth:]),
    }


async def _let_talk(served: Served, talks: Sequence[Talk], options: Options) -> Observed:
    observed, until = Observed(), monotonic() + options.minutes * 60
    names = {each.name for each in talks}
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=served.url, timeout=60, limits=limits) as client:
        watching = asyncio.create_task(_watch(served, observed))
        await asyncio.gather(*(_talk(client, each, names, observed, (until, options)) for each in talks))
        watching.cancel()
    return observed


async def _watch(served: Served, observed: Observed) -> None:
    while True:
        observed.resident.append(served.resident_mb)
        await asyncio.sleep(SAMPLE)


async def _talk(
    client: httpx.AsyncClient, talk: Talk, names: set[str], observed: Observed, timing: tuple[float, Options]
) -> None:
    until, options = timing
    headers = talk.person.headers
    await asyncio.sleep(talk.random.uniform(0, options.pause[1]))
    while monotonic() < until:
        text = _next_message(talk)
        reply = await _say(client, talk, text, headers, observed)
        if reply is not None:
            observed.strangers += any(name in reply for name in names - {talk.name})
            talk.known += text.endswith("called?") and talk.name in reply
        await asyncio.sleep(talk.random.uniform(*options.pause))


def _next_message(talk: Talk) -> str:
    if not talk.answered:
        return f"My cat is called {talk.name}."
    if talk.answered % 3 == 0:
        talk.asked += 1
        return "What is my cat called?"
    return talk.random.choice(TALK)


async def _say(
    client: httpx.AsyncClient, talk: Talk, text: str, headers: dict[str, str], observed: Observed
) -> str | None:
    """The reply; None when there was none, which is counted."""
    messages = [*talk.messages, {"role": "user", "content": text}]
    body = {"model": "brain", "messages": messages}
    begun = perf_counter()
    try:
        answer = await client.post("/v1/chat/completions", json=body, headers=headers)
        answer.raise_for_status()
    except httpx.HTTPStatusError as error:
        observed.failures[str(error.response.status_code)] += 1
        return None
    except httpx.HTTPError as error:
        observed.failures[type(error).__name__] += 1
        return None
    observed.seconds.append(perf_counter() - begun)
    reply = str(answer.json()["choices"][0]["message"]["content"])
    talk.messages = [*messages, {"role": "assistant", "content": reply}]
    talk.answered += 1
    return reply


def _count_lost(where: Addresses, talks: Sequence[Talk]) -> int:
    """Turns that were answered and are not in the log."""
    query = """select count(*) from brain.conversation_events
               where tenant_id = %s and user_id = %s and role = 'user'"""
    lost = 0
    with psycopg.connect(where.owner) as connection:
        for each in talks:
            row = connection.execute(query, (each.person.scope.tenant_id, each.person.scope.user_id)).fetchone()
            lost += max(0, each.answered - (row[0] if row else 0))
    return lost


def _name(random: Random) -> str:
    return "".join(random.choice(CONSONANTS) + random.choice(VOWELS) for _ in range(5)).capitalize()


def main() -> None:
    """Measure, print, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.served_people", description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--pause", type=float, nargs=2, default=[15.0, 45.0], help="seconds before the next message")
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = parser.parse_args()
    options = Options(people=told.people, minutes=told.minutes, pause=(told.pause[0], told.pause[1]))
    figures = asyncio.run(measure(options, told.url))
    Console().print_json(data=figures)
    if told.json:
        told.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
