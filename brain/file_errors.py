"""What a file system refuses, in Brain's words: what passes may be tried again, the rest a person mends."""

import errno
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from memory.errors import BrainError, config_error, timeout_error, unavailable

_ROOM, _DESCRIPTORS = "Make room, then try again.", "Try again, or raise the limit of open files."
_PASSING: Mapping[int, str] = {
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EMFILE: _DESCRIPTORS,
    errno.ENFILE: _DESCRIPTORS,
}
"""What is well again once there is room on the disk, or a file can be opened; and what to do meanwhile."""


@contextmanager
def translate_file_errors(path: Path, hint: str) -> Generator[None]:
    """Raise ours instead of the system's; ``hint`` is what to do where trying again does not help."""
    try:
        yield
    except OSError as error:
        raise file_error(path, error, hint) from error


def passing_error(error: BaseException) -> BrainError | None:
    """The error of what failed because of a full disk or too many open files, however deep; None for other reasons."""
    reason: BaseException | None = error
    while reason is not None:
        if isinstance(reason, OSError) and (hint := _PASSING.get(reason.errno or 0)):
            return unavailable(f"A file cannot be opened or written: {reason.strerror}.", hint)
        reason = reason.__cause__ or reason.__context__
    return None


def file_error(path: Path, error: OSError, hint: str) -> BrainError:
    """The error of a file or folder that cannot be used: ``E_CONFIG``, or ``E_DEP_*`` for what passes."""
    told = f"{path} cannot be used: {error.strerror or type(error).__name__}."
    if passing := _PASSING.get(error.errno or 0):
        return unavailable(told, passing)
    return timeout_error(told, "Try again.") if isinstance(error, TimeoutError) else config_error(told, hint)
