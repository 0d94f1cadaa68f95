"""A worker that dies has a successor; a conversation or server that ends has none."""

import threading
from collections.abc import Callable

from apps.jobs.supervisor import WorkerSupervisor


class Mortal:
    """Dies when told to."""

    def __init__(self) -> None:
        self.failure: BaseException | None = None
        self.is_alive = False
        self.stopped = False

    def start(self) -> None:
        self.is_alive = True

    def stop(self) -> None:
        self.is_alive, self.stopped = False, True

    def die(self) -> None:
        self.is_alive, self.failure = False, RuntimeError("the database went away")


def test_a_dead_worker_has_a_successor_until_the_end():
    hired: list[Mortal] = []

    def hire() -> Mortal:
        hired.append(Mortal())
        return hired[-1]

    attended = WorkerSupervisor(hire, look=0.001, rest=0.001)
    assert not attended.is_alive
    attended.start()
    _until(lambda: attended.is_alive)
    hired[0].die()
    _until(lambda: len(hired) > 1 and attended.is_alive)
    attended.stop()
    assert [worker.stopped for worker in hired] == [False, True]
    assert not attended.is_alive


def test_one_that_never_began_can_be_stopped():
    attended = WorkerSupervisor(Mortal)
    attended.stop()
    assert not attended.is_alive


def _until(holds: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(60_000):
        if holds():
            return
        pause.wait(0.001)
    raise AssertionError("it never came")
