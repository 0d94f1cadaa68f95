"""Work beside other work does end, also when something took its cancellation for its own."""

import asyncio
from contextlib import suppress

import pytest

from brain import background
from brain.background import cancel_until_done, run_beside


@pytest.mark.parametrize("times", [0, 1, 3])
async def test_work_that_loses_a_cancellation_is_cancelled_again(times: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(background, "_AGAIN", 0.01)
    ended = asyncio.Event()

    async def deaf(left: int) -> None:
        """Swallows so many cancellations, as a pool does that makes its connections anew."""
        try:
            while left:
                try:
                    await asyncio.sleep(600)
                except asyncio.CancelledError:
                    left -= 1
            await asyncio.sleep(600)
        finally:
            ended.set()

    async with asyncio.timeout(60):
        async with run_beside(deaf(times)):
            await asyncio.sleep(0)
            assert not ended.is_set()
    assert ended.is_set()


async def test_work_that_failed_before_the_end_is_told_and_hides_nothing_else(capsys: pytest.CaptureFixture[str]):
    async def fails() -> None:
        raise ValueError("what nobody foresaw")

    async with run_beside(fails()):
        await asyncio.sleep(0)
    assert "background_work_ended" in capsys.readouterr().out


async def test_who_is_cancelled_while_ending_others_leaves_none_of_them_running():
    async def live_on() -> None:
        for _ in range(2):
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    stubborn = asyncio.create_task(live_on())
    await asyncio.sleep(0)
    ending = asyncio.create_task(cancel_until_done([stubborn], 60.0))
    await asyncio.sleep(0.01)
    assert not stubborn.done()
    ending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ending
    assert stubborn.done()
