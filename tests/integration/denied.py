"""Statements that the application may not run, whichever tenant it acts for."""

from collections.abc import Iterable
from uuid import UUID

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from memory.postgres.roles import Addresses


def assert_denied(where: Addresses, tenant_id: UUID, statements: Iterable[str]) -> None:
    """Each of them is refused to the application's role; ``%(tenant)s`` in them is the tenant."""
    with psycopg.connect(where.app, autocommit=True) as connection:
        connection.execute("select set_config('brain.tenant_id', %s, false)", (str(tenant_id),))
        for statement in statements:
            with pytest.raises(InsufficientPrivilege):
                connection.execute(statement.encode(), {"tenant": tenant_id})
