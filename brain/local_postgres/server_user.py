"""Run programs that refuse to be root: as ourselves, or when we are root as a user without rights."""

import os
import pwd
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from brain.file_errors import file_error
from memory.errors import config_error, unavailable

_PREFERRED = ("postgres", "nobody")
_SWITCH = """
import os, sys, warnings
uid, gid, *command = sys.argv[1:]
os.setgroups([])
os.setgid(int(gid))
os.setuid(int(uid))
try:
    os.execvp(command[0], command)
except OSError as error:
    sys.exit(f"{command[0]} cannot be run: {error.strerror}.")
"""
"""Python code that goes on as another user's command; all that it needs is imported while it may still be read."""

Finished = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class ServerUser:
    """The user to whom one folder and everything run from it belongs."""

    folder: Path
    timeout: float

    @cached_property
    def _account(self) -> pwd.struct_passwd | None:
        """Someone else when we are root, for an existing folder its owner; None means we ourselves."""
        if os.geteuid() != 0:
            return None
        if self.folder.exists() and (owner := self.folder.stat().st_uid) != 0:
            return pwd.getpwuid(owner)
        return _find_unprivileged_user()

    def prepare_folder(self) -> None:
        """Have the folder, reachable for its user. Raises ``E_CONFIG`` when that is impossible."""
        try:
            if self._account is not None:
                self.folder.parent.chmod(self.folder.parent.stat().st_mode | 0o011)
            self.make_folder(self.folder)
        except OSError as error:
            raise file_error(self.folder, error, "Set BRAIN_HOME to a folder that you may write.") from None
        if self._account is not None and self._spawn(["test", "-w", str(self.folder)], self.folder, "/").returncode:
            raise config_error(
                f"{self.folder} is out of reach for the user {self._account.pw_name}, as whom PostgreSQL runs.",
                "Set BRAIN_HOME to a folder outside /root that others may enter.",
            )

    def make_folder(self, folder: Path) -> None:
        """A folder of the user's own."""
        folder.mkdir(exist_ok=True, mode=0o700)
        self._change_owner(folder)

    def write_secret(self, path: Path, text: str) -> None:
        """A file that only the user can read."""
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(text)
        self._change_owner(path)

    def run(self, command: Sequence[str], home: Path) -> Finished:
        """Run to the end as the user. Raises ``E_DEP_UNAVAILABLE`` when it never ends."""
        try:
            return self._spawn(command, home, str(self.folder))
        except subprocess.TimeoutExpired:
            raise unavailable(f"{Path(command[0]).name} did not end within {self.timeout:.0f} seconds.") from None
        except OSError as error:
            raise unavailable(f"{command[0]} cannot be run: {error.strerror}.") from None

    def _spawn(self, command: Sequence[str], home: Path, cwd: str) -> Finished:
        return subprocess.run(
            [*self._switch, *command],
            env=_environment(home),
            cwd=cwd,
            umask=0o077,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=self.timeout,
            check=False,
        )

    @property
    def _switch(self) -> list[str]:
        """What becomes the user and then the command, in a process of its own.

        Asked to switch users itself, ``subprocess`` copies this whole process, and libraries that keep threads, as
        numpy's does while a text is encoded, then wait for each other without end.
        """
        user = self._account
        return [sys.executable, "-IS", "-c", _SWITCH, str(user.pw_uid), str(user.pw_gid)] if user else []

    def _change_owner(self, path: Path) -> None:
        if self._account is not None:
            os.chown(path, self._account.pw_uid, self._account.pw_gid)


def _environment(home: Path) -> dict[str, str]:
    """Nothing of ours but the path; the unpacked programs find their libraries beside themselves."""
    libraries = ":".join(str(folder) for folder in home.glob(".pg0/installation/*/lib"))
    return {
        "HOME": str(home),
        "TMPDIR": str(home),
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",
        "TZ": "UTC",
        **({"LD_LIBRARY_PATH": libraries} if libraries else {}),
    }


def _find_unprivileged_user() -> pwd.struct_passwd:
    for name in _PREFERRED:
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    for user in pwd.getpwall():
        if user.pw_uid != 0:
            return user
    raise config_error(
        "PostgreSQL will not run as root and there is no other user.", "Create one, or set BRAIN_DATABASE_URL."
    )
