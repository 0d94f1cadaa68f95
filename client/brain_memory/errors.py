"""Why a memory server gave no answer."""


class BrainError(Exception):
    """What all errors of this package share. ``code`` is the server's, or one of this package's own."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


class BrainUnavailable(BrainError):
    """The server is down, slow or overloaded, or is left alone after such failures. The same call may succeed later."""


class BrainRefused(BrainError):
    """The server refused the call: its key, its scope or its content. The same call will be refused again."""
