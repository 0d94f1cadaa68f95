"""The one bridge from a command, which is synchronous, to Brain, which is not."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TypeVar

from apps.cli.logs import log_to_stderr
from apps.cli.step_spinner import StepSpinner
from brain.resources import Resources
from brain.settings import Settings

T = TypeVar("T")


def load_settings() -> Settings:
    """The settings of this process, with its log on stderr at their level."""
    settings = Settings()
    log_to_stderr(settings.log_level)
    return settings


def run(work: Callable[[Resources], Awaitable[T]], settings: Settings | None = None) -> T:
    """Open Brain's resources, do the work on a loop of its own, and give everything back whatever happened."""
    return asyncio.run(_with_resources(work, settings or load_settings()))


async def _with_resources(work: Callable[[Resources], Awaitable[T]], settings: Settings) -> T:
    from brain.wiring import (
        build_resources,
    )  # the database's side takes 0.4 s to import, which --help need not wait for

    async with AsyncExitStack() as stack:
        spinner = stack.enter_context(StepSpinner("opening the database"))
        resources = build_resources(settings, spinner.show)
        stack.push_async_callback(resources.close)
        if spinner.is_running:  # otherwise first use opens it
            await resources.open()
            spinner.stop()
        return await work(resources)
