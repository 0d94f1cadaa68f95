"""A worker that dies has a successor; a server that ends has none."""

import asyncio
from collections.abc import Callable

from apps.attended_worker import AttendedWorker


class Mortal:
    """Dies when told to."""

    def __init__(self) -> None:
        self.failure: BaseException | None = None
        self.alive = False
        self.stopped = False

    def start(self) -> None:
        self.alive = True

    def stop(self) -> None:
        self.alive, self.stopped = False, True

    def die(self) -> None:
        self.alive, self.failure = False, RuntimeError("the database went away")


async def test_a_dead_worker_has_a_successor_until_the_end():
    hired: list[Mortal] = []

    def hire() -> Mortal:
        hired.append(Mortal())
        return hired[-1]

    attended = AttendedWorker(hire, look=0.001, rest=0.001)
    assert not attended.alive
    async with attended.at_work():
        await _until(lambda: attended.alive)
        hired[0].die()
        assert not attended.alive
        await _until(lambda: attended.alive)
    assert [worker.stopped for worker in hired] == [False, True]
    assert not attended.alive


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110 - nothing tells when
            await asyncio.sleep(0.001)
