"""A worker that ends does end, also when something took its cancellation for its own."""

import asyncio

import pytest

from apps.jobs import worker
from apps.jobs.worker import _cancel_until_done  # pyright: ignore[reportPrivateUsage]


async def _deaf(times: int) -> None:
    """Swallows so many cancellations, as a pool does that makes its connections anew."""
    while times:
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            times -= 1
    await asyncio.sleep(600)


@pytest.mark.parametrize("times", [0, 1, 3])
async def test_a_watch_that_loses_a_cancellation_is_cancelled_again(times: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker, "_AGAIN", 0.01)
    watching = asyncio.create_task(_deaf(times))
    await asyncio.sleep(0)
    async with asyncio.timeout(60):
        await _cancel_until_done(watching)
    assert watching.cancelled()


async def test_a_watch_that_failed_before_the_end_is_told_and_hides_nothing_else(capsys: pytest.CaptureFixture[str]):
    async def fails() -> None:
        raise ValueError("what nobody foresaw")

    watching = asyncio.create_task(fails())
    await asyncio.wait((watching,))
    await _cancel_until_done(watching)
    assert "takeover_ended" in capsys.readouterr().out
