"""What belongs to the test that runs: a tenant of its own, and the memory that its fixture opened."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from itertools import count
from typing import Any
from uuid import uuid4

from memory.ports import MemoryCore
from memory.scope import Scope, Speaker, scope_of


class Unopened:
    """A port of a test that asked for no memory: whatever uses it fails, and says what to do."""

    def __getattr__(self, name: str) -> Any:
        raise LookupError(f"{name}: this test needs the fixture `memory`.")


@dataclass
class ThisTest:
    """Kept here, because builders need it as well as fixtures."""

    tenant: str = ""
    memory: MemoryCore | None = None
    numbers: Iterator[int] = field(default_factory=count)
    """What the ids of its rows are made of, so that no two are alike in its tenant."""

    def begin(self) -> None:
        """A tenant that no other test has, and no memory yet."""
        self.tenant, self.memory, self.numbers = f"tenant {uuid4()}", None, count(1)


THIS_TEST = ThisTest()


def own_tenant() -> str:
    """The name of the test's tenant."""
    assert THIS_TEST.tenant, "There is no tenant while tests are collected."
    return THIS_TEST.tenant


def move_to_fresh_tenant() -> None:
    """Go on where nothing has been said yet."""
    THIS_TEST.tenant = f"tenant {uuid4()}"


def me(user: str = "me") -> Scope:
    """A person of the test's tenant; without a name the one whom ``a_run`` is about."""
    return scope_of(Speaker(tenant=own_tenant(), user=user))


def own_memory() -> MemoryCore:
    """The memory that the fixture ``memory`` opened, or one that fails at its first use."""
    ports: dict[str, Any] = {each.name: Unopened() for each in fields(MemoryCore)}
    return THIS_TEST.memory or MemoryCore(**ports)
