"""The image and the compose file, as far as that goes without Docker: what they name exists, what they start runs."""

import json
import os
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from apps.cli.commands import COMMANDS
from brain.settings import Settings
from memory.postgres.roles import Addresses
from tests.conftest import a_database
from tests.integration.brain_process import COMMAND, as_url
from tests.integration.server import free_port
from tests.integration.serving import BrainServe
from tests.integration.test_wheel import ROOMS
from tests.unit.test_documentation import setting_names

ROOT = Path(__file__).parents[2]
COMPOSE: Any = yaml.safe_load((ROOT / "compose.yaml").read_text())
BRAIN: Any = COMPOSE["services"]["brain"]
DATABASE: Any = COMPOSE["services"]["database"]
HOST = "database:5432"


def instructions() -> list[tuple[str, str]]:
    """Each instruction of the Dockerfile with its text, continued lines joined."""
    text = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", (ROOT / "Dockerfile").read_text()))
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in text.splitlines() if line.strip()]


def last(name: str) -> str:
    return [text for instruction, text in instructions() if instruction == name][-1]


def image_environment() -> dict[str, str]:
    return dict(part.split("=", 1) for part in shlex.split(last("ENV")))


def seconds(text: str) -> float:
    return float(text.removesuffix("s"))


def test_the_context_holds_what_the_package_is_made_of_and_no_secret():
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert (lines[0], lines[-1]) == ("*", "**/__pycache__")
    kept = {line.removeprefix("!") for line in lines[1:-1]}
    assert kept == ROOMS | {"pyproject.toml", "constraints.txt", "README.md", "LICENSE"}
    assert all((ROOT / name).exists() for name in kept)


def test_every_setting_that_is_named_exists_and_none_holds_a_password():
    named = {name for name in (*image_environment(), *BRAIN["environment"]) if name.startswith("BRAIN_")}
    assert named <= setting_names()
    assert DATABASE["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    assert ":${POSTGRES_PASSWORD}@" in BRAIN["environment"]["BRAIN_DATABASE_URL"]
    assert not re.search(r"password|secret|key=", (ROOT / "Dockerfile").read_text(), re.IGNORECASE)


def test_it_runs_a_command_that_there_is_as_somebody_who_is_not_root():
    entry, command = json.loads(last("ENTRYPOINT")), json.loads(last("CMD"))
    assert entry == [*tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]]
    assert command[0] in COMMANDS
    (made,) = [text for name, text in instructions() if name == "RUN" and text.startswith("useradd")]
    assert made.split()[-1] == last("USER") == "brain"
    assert last("VOLUME") == image_environment()["BRAIN_HOME"] == last("WORKDIR")


def test_ports_volumes_and_times_agree():
    environment = image_environment() | BRAIN["environment"]
    assert last("EXPOSE") == environment["BRAIN_PORT"]
    assert BRAIN["ports"] == [f"127.0.0.1:{environment['BRAIN_PORT']}:{last('EXPOSE')}"]
    mounted = [volume.split(":")[0] for service in (BRAIN, DATABASE) for volume in service["volumes"]]
    assert sorted(mounted) == sorted(COMPOSE["volumes"])
    assert BRAIN["volumes"] == [f"brain:{environment['BRAIN_HOME']}"]
    assert seconds(BRAIN["stop_grace_period"]) > Settings.model_fields["stop_patience"].default
    assert BRAIN["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert BRAIN["env_file"] == [{"path": ".env", "required": False}]


@pytest.fixture(scope="module")
def where(server_url: str) -> Iterator[Addresses]:
    with a_database(server_url) as addresses:
        yield addresses


def container_environment(where: Addresses, port: int, home: Path) -> dict[str, str]:
    """What the process sees, with this machine's database, port and folder in the places of the container's."""
    settings = image_environment() | BRAIN["environment"]
    assert HOST in settings["BRAIN_DATABASE_URL"]
    ours = {"BRAIN_DATABASE_URL": as_url(where.owner), "BRAIN_PORT": str(port), "BRAIN_HOME": str(home)}
    return settings | ours | {"PATH": f"{COMMAND.parent}:{os.environ['PATH']}"}


def test_what_the_image_starts_is_healthy_and_serves_whoever_has_a_key(where: Addresses, tmp_path: Path):
    port = free_port()
    environment = container_environment(where, port, tmp_path)
    server = BrainServe(tmp_path, environment, port)
    server.start(json.loads(last("CMD"))[1:])
    try:
        server.wait()
        process = server.process
        test = json.loads(last("HEALTHCHECK").partition("CMD ")[2])
        checked = [part.replace(f":{last('EXPOSE')}/", f":{port}/") for part in test]
        assert subprocess.run(checked, env=environment, cwd=tmp_path, check=False).returncode == 0
        made = ["brain", "keys", "create", "--tenant", "acme", "--user", "ann", "--json"]
        key = json.loads(subprocess.check_output(made, env=environment, cwd=tmp_path))["key"]
        with httpx.Client(base_url=server.url, timeout=60) as client:
            assert client.get("/v1/models").status_code == 401
            listed = client.get("/v1/models", headers={"Authorization": f"Bearer {key}"})
        assert listed.json()["data"][0]["id"] == "brain"
    finally:
        server.stop()
    assert process is not None
    assert process.returncode == 0, server.log
