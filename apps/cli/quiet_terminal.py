"""A terminal that keeps what is typed ahead: it is read by the next prompt, and not written into the answer."""

import sys
from collections.abc import Generator
from contextlib import contextmanager

_INPUT_MODES, _LOCAL_MODES = 0, 3
"""Places in a terminal's settings."""


@contextmanager
def quiet_terminal() -> Generator[None]:
    """Nothing that is typed shows until a prompt reads it; a half-typed line waits as its keys. Ctrl-C works as ever.

    The editor of lines finds the terminal so and leaves it so. On Windows nothing changes.
    """
    try:
        import termios  # which Windows lacks
    except ImportError:
        yield
        return
    here = sys.stdin.fileno()
    found = termios.tcgetattr(here)
    quiet = [*found]
    quiet[_INPUT_MODES] &= ~termios.ICRNL  # Enter stays Enter
    quiet[_LOCAL_MODES] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(here, termios.TCSANOW, quiet)
    try:
        yield
    finally:
        termios.tcsetattr(here, termios.TCSADRAIN, found)
