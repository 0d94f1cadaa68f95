"""What weak, odd and broken models leave in memory, beside no model at all: ``python -m evals.model_zoo [BEHAVIOUR…]``.

Each behaviour answers the requests for notes of the recorded conversations in its own way, over OpenAI's wire format:
it spoils the recorded answer, or fails. Wrong acts come first: what a model put under a real quote that nobody said.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import httpx2  # the client that the OpenAI library is made with

from brain.settings import Settings
from evals.evaluation.memory import Report, Task, examined
from evals.evaluation.memory_data import read_labelled
from evals.evaluation.memory_figures import Share
from evals.evaluation.memory_recorded import Exchange, Recording, completed, read_recording
from evals.evaluation.own_data import LABELLED, RECORDED, own_data
from evals.evaluation.scratch import a_server
from evals.model_behaviours import BEHAVIOURS, Answering
from memory.provenance import provenance_level


@dataclass(frozen=True)
class Outcome:
    """What one behaviour left; ``wrong`` are the falsehoods that are told now, of all that were noted."""

    name: str
    shares: Mapping[str, Share]
    wrong: Share
    confirmed: int
    calls: float

    @property
    def row(self) -> str:
        """A line of the table."""
        cells = [self.shares[name].value or 0.0 for name in ("recall", "precision", "junk", "repeated")]
        figures = "".join(f"{cell:>11.1%}" for cell in cells)
        wrong = f"{self.wrong.part} / {self.wrong.whole}" if self.wrong.whole else "–"
        return f"{self.name:<14}{wrong:>9}{self.confirmed:>11}{figures}{self.calls:>8.2f}"


HEAD = f"{'':<14}{'wrong':>9}{'confirmed':>11}{'recall':>11}{'precision':>11}{'junk':>11}{'repeated':>11}{'calls':>8}"


async def measure(name: str, task: Task, settings: Settings) -> Outcome:
    """One behaviour over all conversations; without a recording, what no model leaves."""
    wrong: set[str] = set()

    def manner(exchange: Exchange) -> httpx2.Response:
        if exchange.form != "Notes":
            return completed(exchange.answer)
        return BEHAVIOURS[name](Answering(exchange, wrong))

    reports = await examined(settings, replace(task, manner=manner), lambda: None)
    return _outcome(name, reports, wrong)


def _outcome(name: str, reports: Sequence[Report], wrong: set[str]) -> Outcome:
    shares: dict[str, Share] = {}
    for each in reports:
        for figure, share in each.total.items():
            shares[figure] = shares.get(figure, Share()) + share
    lives = [lived for each in reports for lived in each.lived]
    false = [item for lived in lives for item in lived.items if item.content in wrong]
    turns = sum(spoken.by_person for lived in lives for one in lived.conversation.sessions for spoken in one.spoken)
    return Outcome(
        name=name,
        shares=shares,
        wrong=Share(len(false), len(wrong)),
        confirmed=sum(provenance_level(item) == "confirmed_by_user" for item in false),
        calls=sum(sum(each.requests.values()) for each in reports) / turns,
    )


def zoo_task(server: str, *, recording: Recording | None) -> Task:
    """The recorded conversations of both halves; read by rules alone where there is no recording."""
    names = read_recording(own_data(RECORDED)[0]).conversations
    files = [read_labelled(path) for path in own_data(LABELLED)]
    recorded = [
        replace(file, conversations=tuple(each for each in file.conversations if each.name in names)) for file in files
    ]
    return Task(labelled=recorded, splits=("dev", "held"), recording=recording, server=server)


async def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("behaviours", nargs="*", help="all of them if none is named")
    options = parser.parse_args()
    settings = Settings()
    recording = read_recording(own_data(RECORDED)[0])
    print(HEAD)
    with a_server(durable=False) as server:
        print((await measure("no model", zoo_task(server, recording=None), settings)).row)
        for name in options.behaviours or BEHAVIOURS:
            print((await measure(name, zoo_task(server, recording=recording), settings)).row, flush=True)


if __name__ == "__main__":
    asyncio.run(_main())
