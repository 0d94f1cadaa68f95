"""Do many people who chat at once through ``brain serve`` each get their own answer, and is nothing lost?

``python -m evals.served_people --people 200 --minutes 10 --json out.json``
``python -m evals.served_people --people 40 --minutes 5 --pause 1 3 --accidents 5``: four processes behind
HAProxy, one of which is killed or told to end every five seconds.

Everybody has a conversation of their own with OpenAI's chat API, tells a name that nobody else has, talks, and asks for
that name again; a message that got no answer is repeated until it does. Nothing calls a model; the server's own worker
makes memories meanwhile. Counted are refused and failed requests, messages that are not in the log, or more than once,
or in another conversation than their person's only one, and replies that hold somebody else's name.
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
from evals.balanced import Balanced, a_balanced
from evals.evaluation.metrics import percentile
from evals.evaluation.scratch import a_server
from evals.served import Person, Served, a_served
from memory.postgres.roles import Addresses

TENANT_SIZE = 10
REPEAT = 0.5
"""Seconds after which a message that got no answer is sent again."""
STREAMED = 0.5
"""The part of answers that is asked for as a stream."""
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
    """``pause``: seconds between an answer and the next message, at least and at most; ``accidents``: between two."""

    people: int
    minutes: float
    pause: tuple[float, float]
    accidents: float = 0.0


@dataclass
class Talk:
    """One person's conversation and what came of it."""

    person: Person
    name: str
    random: Random
    messages: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    told: list[str] = field(default_factory=list[str])
    asked: int = 0
    known: int = 0


@dataclass
class Observed:
    """What all of them met. Seconds, and megabytes over time."""

    seconds: list[float] = field(default_factory=list[float])
    failures: Counter[str] = field(default_factory=Counter[str])
    strangers: int = 0
    ended: dict[str, int] = field(default_factory=dict[str, int])
    resident: list[float] = field(default_factory=list[float])


@dataclass(frozen=True)
class Logged:
    """What became of messages that were answered: not in the log, in it again, or not in one conversation."""

    lost_turns: int
    doubled_turns: int
    further_conversations: int


async def measure(options: Options, url: str | None) -> dict[str, object]:
    """Let them talk; the figures."""
    talks = people(options.people)
    with a_server(url) as server:
        async with a_database(server) as where:
            serving = a_balanced if options.accidents else a_served
            with serving(where, tenant_requests="0") as served:
                observed = await _let_talk(served, talks, options)
            return report(talks, observed, count_in_log(where, talks), options)


def people(count: int) -> list[Talk]:
    """So many people, ten to a tenant, each with a name of five syllables to tell."""
    names = sorted({_name(Random(number)) for number in range(2 * count)})[:count]
    return [
        Talk(Person(f"tenant {number // TENANT_SIZE}", f"person {number}"), name, Random(number))
        for number, name in enumerate(names)
    ]


def report(talks: Sequence[Talk], observed: Observed, logged: Logged, options: Options) -> dict[str, object]:
    """The figures. Memory is the median of the second and of the last fifth of the time: the first fifth warms up."""
    fifth = max(1, len(observed.resident) // 5)
    return {
        **asdict(options),
        "turns": len(observed.seconds),
        "per_second": len(observed.seconds) / (options.minutes * 60),
        "p50_ms": percentile(observed.seconds, 0.5) * 1000,
        "p95_ms": percentile(observed.seconds, 0.95) * 1000,
        "failures": dict(observed.failures),
        **asdict(logged),
        "ended": observed.ended,
        "replies_with_somebody_elses_name": observed.strangers,
        "own_name_known": sum(each.known for each in talks) / max(1, sum(each.asked for each in talks)),
        "resident_mb_early": median(observed.resident[fifth : 2 * fifth] or [float("nan")]),
        "resident_mb_late": median(observed.resident[-fifth:]),
    }


async def _let_talk(served: Served | Balanced, talks: Sequence[Talk], options: Options) -> Observed:
    observed, until = Observed(), monotonic() + options.minutes * 60
    names = {each.name for each in talks}
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=served.url, timeout=60, limits=limits) as client:
        watching = [asyncio.create_task(_watch(served, observed))]
        if isinstance(served, Balanced):
            observed.ended = served.ended
            watching.append(asyncio.create_task(served.cause_accidents(options.accidents, Random(len(talks)))))
        await asyncio.gather(*(_talk(client, each, names, observed, (until, options)) for each in talks))
        for each in watching:
            each.cancel()
    return observed


async def _watch(served: Served | Balanced, observed: Observed) -> None:
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
        talk.told.append(text)
        while (reply := await _say(client, talk, text, headers, observed)) is None:  # noqa: ASYNC110 -- asked anew
            await asyncio.sleep(REPEAT)
        observed.strangers += any(name in reply for name in names - {talk.name})
        talk.known += text.endswith("called?") and talk.name in reply
        await asyncio.sleep(talk.random.uniform(*options.pause))


def _next_message(talk: Talk) -> str:
    if not talk.told:
        return f"My cat is called {talk.name}."
    if len(talk.told) % 3 == 0:
        talk.asked += 1
        return "What is my cat called?"
    return talk.random.choice(TALK)


async def _say(
    client: httpx.AsyncClient, talk: Talk, text: str, headers: dict[str, str], observed: Observed
) -> str | None:
    """The reply; None when there was none, which is counted."""
    messages = [*talk.messages, {"role": "user", "content": text}]
    body = {"model": "brain", "messages": messages, "stream": talk.random.random() < STREAMED}
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
    reply = _read_stream(answer.text) if body["stream"] else answer.json()["choices"][0]["message"]["content"]
    if reply is None:
        observed.failures["broken_stream"] += 1
        return None
    observed.seconds.append(perf_counter() - begun)
    talk.messages = [*messages, {"role": "assistant", "content": reply}]
    return str(reply)


def _read_stream(events: str) -> str | None:
    """The words of a streamed answer; None for one that did not come to its end."""
    told = [line.removeprefix("data: ") for line in events.splitlines() if line.startswith("data: ")]
    if not told or told[-1] != "[DONE]":
        return None
    pieces = [json.loads(each) for each in told[:-1]]
    if any("error" in each for each in pieces):
        return None
    return "".join(choice["delta"].get("content") or "" for each in pieces for choice in each.get("choices", []))


def count_in_log(where: Addresses, talks: Sequence[Talk]) -> Logged:
    """The log against what was told."""
    query = """select e.text, e.session_id::text from brain.conversation_events e
               where tenant_id = %s and user_id = %s and role = 'user'"""
    lost = doubled = further = 0
    with psycopg.connect(where.owner) as connection:
        for each in talks:
            rows = connection.execute(query, (each.person.scope.tenant_id, each.person.scope.user_id)).fetchall()
            logged, told = Counter(str(text) for text, _ in rows), Counter(each.told)
            lost += (told - logged).total()
            doubled += (logged - told).total()
            further += max(0, len({session for _, session in rows}) - 1)
    return Logged(lost, doubled, further)


def _name(random: Random) -> str:
    return "".join(random.choice(CONSONANTS) + random.choice(VOWELS) for _ in range(5)).capitalize()


def main() -> None:
    """Measure, print, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.served_people", description=__doc__)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--pause", type=float, nargs=2, default=[15.0, 45.0], help="seconds before the next message")
    parser.add_argument("--accidents", type=float, default=0.0, help="four processes; seconds between two accidents")
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = parser.parse_args()
    options = Options(
        people=told.people, minutes=told.minutes, pause=(told.pause[0], told.pause[1]), accidents=told.accidents
    )
    figures = asyncio.run(measure(options, told.url))
    Console().print_json(data=figures)
    if told.json:
        told.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
