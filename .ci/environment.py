"""Create or refresh the environment ``.venv``: ``python3 .ci/environment.py runtime|dev``. Standard library only.

Safe to run twice at once: the second waits for the first and finds the work done. A stamp in ``.venv`` says which
requirements it was made for, so that nothing is installed when nothing has changed.
"""

import fcntl
import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
SOURCES = (ROOT / "pyproject.toml", ROOT / "constraints.txt", ROOT / "evals" / "pyproject.toml")
WHAT = {"runtime": ("-e", ".", "-e", "./evals"), "dev": ("-e", ".[dev]", "-e", "./evals")}
NEEDED = (3, 11)


def main(kind: str) -> int:
    """Exit code: 0 when the environment is ready."""
    if sys.version_info < NEEDED:
        return refuse(
            f"Python {sys.version_info.major}.{sys.version_info.minor} is too old; Brain needs 3.11 or newer.",
            "Name another one: make PYTHON=python3.12 …",
        )
    with SOURCES[0].open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return 0 if is_ready(kind) else build(kind)


def is_ready(kind: str) -> bool:
    """Whether the environment was made for these requirements; one for development can do all that others can."""
    return python().exists() and any(stamp(each).is_file() for each in {kind, "dev"})


def build(kind: str) -> int:
    """Install what is missing. Interrupted, it leaves no stamp, so that the next run does it again."""
    print(f"Setting up the environment ({kind}); this happens once.", file=sys.stderr, flush=True)
    if not works() and subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=False).returncode:
        return refuse("The environment cannot be created.", "On Debian or Ubuntu: apt-get install python3-venv")
    quiet = ["--quiet", "--no-compile", "--disable-pip-version-check", "--root-user-action=ignore", "--use-pep517"]
    install = [python(), "-m", "pip", "install", *quiet, "-c", "constraints.txt", *WHAT[kind]]
    if subprocess.run(install, cwd=ROOT, check=False).returncode:
        return refuse("The packages cannot be installed.", "Check the network, or the package index of pip.")
    if kind == "dev":
        lay_path()
    for old in VENV.glob(".made-for-*"):
        old.unlink()
    stamp(kind).touch()
    return 0


def lay_path() -> None:
    """Make what is not installed importable as well: ``tests``, and the package in ``client/``."""
    for packages in VENV.glob("lib/python*/site-packages"):
        (packages / "brain_development.pth").write_text(f"{ROOT}\n{ROOT / 'client'}\n")


def works() -> bool:
    """Whether the environment that is there can be built upon."""
    asked = [python(), "-c", f"import pip, sys; sys.exit(sys.version_info < {NEEDED})"]
    return python().exists() and subprocess.run(asked, capture_output=True, check=False).returncode == 0


def python() -> Path:
    """The environment's own interpreter."""
    return VENV / "bin" / "python"


def stamp(kind: str) -> Path:
    """A file that exists when the environment holds what ``kind`` needs, as the sources say it now."""
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in SOURCES)).hexdigest()
    return VENV / f".made-for-{kind}-{digest[:16]}"


def refuse(what: str, advice: str) -> int:
    """One line, and the exit code of failure."""
    print(f"{what} {advice}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
