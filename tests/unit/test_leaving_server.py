"""A server that is told to end says so first, and one secret signs the panel's sessions in all processes of a home."""

import asyncio
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette

from apps.panel import session_cookie
from apps.servers.serve import LeavingServer


def a_server(notice: float) -> tuple[LeavingServer, Any]:
    app = Starlette()
    app.state.process = SimpleNamespace(is_leaving=False)
    return LeavingServer(uvicorn.Config(app), notice, patience=1.0), app.state.process


async def test_it_listens_on_for_its_notice_and_is_not_ready_meanwhile():
    server, process = a_server(0.05)
    server.handle_exit(signal.SIGTERM, None)
    assert (process.is_leaving, server.should_exit, await server.on_tick(1)) == (True, False, False)
    await asyncio.sleep(0.06)
    assert await server.on_tick(1)


@pytest.mark.parametrize(
    ("notice", "signals"),
    [(0.0, [signal.SIGTERM]), (60.0, [signal.SIGINT]), (60.0, [signal.SIGTERM, signal.SIGTERM])],
)
async def test_ctrl_c_and_a_second_signal_end_it_at_once(notice: float, signals: list[signal.Signals]):
    server, _ = a_server(notice)
    for each in signals:
        server.handle_exit(each, None)
    assert await server.on_tick(1)


def test_the_secret_of_a_home_is_made_once_and_for_its_user_alone(tmp_path: Path):
    file = tmp_path / "home" / "panel.secret"
    made = session_cookie._secret_of_home(file)  # pyright: ignore[reportPrivateUsage]
    session_cookie._secret_of_home.cache_clear()  # pyright: ignore[reportPrivateUsage]
    assert session_cookie._secret_of_home(file) == made  # pyright: ignore[reportPrivateUsage]
    assert file.stat().st_mode & 0o777 == 0o600
    assert len(made) >= session_cookie.SECRET_CHARACTERS


@pytest.mark.parametrize("kept", ["", "short", "\xff" * 40])
def test_a_home_without_a_usable_secret_signs_for_this_process_alone(tmp_path: Path, kept: str):
    file = tmp_path / "panel.secret"
    file.write_text(kept, "latin-1")
    assert len(session_cookie._secret_of_home(file)) >= session_cookie.SECRET_CHARACTERS  # pyright: ignore[reportPrivateUsage]
    assert file.read_text("latin-1") == kept
