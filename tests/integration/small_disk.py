"""A small disk of a test's own that can be filled to the last byte, for who may mount one."""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

import pytest


@dataclass(frozen=True)
class SmallDisk:
    """Where it is mounted."""

    folder: Path

    def fill(self) -> None:
        """Until not a page more fits; what else is written there meanwhile has to stop by itself."""
        with (self.folder / "ballast").open("ab", buffering=0) as ballast, suppress(OSError):
            while ballast.write(bytes(1 << 16)):
                pass

    def fill_but(self, room: int) -> None:
        """Until only so many bytes fit."""
        spare = self.folder / "spare"
        spare.write_bytes(bytes(room))
        self.fill()
        spare.unlink()

    def make_room(self) -> None:
        """All that was filled is free again."""
        (self.folder / "ballast").unlink(missing_ok=True)


@contextmanager
def a_small_disk(size: str) -> Generator[SmallDisk]:
    """A disk in memory, of as many bytes as ``mount`` is told. Skips the test where nothing can be mounted."""
    folder = Path(mkdtemp(prefix="brain-full-"))
    folder.chmod(0o711)
    options = f"size={size},mode=0711"
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=False)
    if done.returncode:
        folder.rmdir()
        pytest.skip("Nothing can be mounted here.")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()
