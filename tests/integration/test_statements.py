"""Every statement that ships is one PostgreSQL understands, and each stays inside one tenant by its own words."""

import json
import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from memory.postgres.roles import Addresses
from memory.postgres.sql import SqlStatement, statements

SEARCHES = {"Seq Scan", "Index Scan", "Index Only Scan", "Bitmap Heap Scan"}


def numbered(statement: SqlStatement) -> str:
    """The statement with ``$1`` … where psycopg would put them."""
    names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", statement.text)))
    text = statement.text.replace("%%", "%")
    for number, name in enumerate(names, 1):
        text = text.replace(f"%({name})s", f"${number}")
    return text


def plan_of(connection: psycopg.Connection[Any], statement: SqlStatement) -> dict[str, Any]:
    row = connection.execute(f"explain (generic_plan, verbose, format json) {numbered(statement)}".encode()).fetchone()
    assert row is not None
    return row[0][0]["Plan"] if not isinstance(row[0], str) else json.loads(row[0])[0]["Plan"]


def nodes_of(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes_of(child)


@pytest.fixture(scope="module")
def as_owner(test_addresses: Addresses) -> Iterator[psycopg.Connection[Any]]:
    """The owner is a superuser here: no row-level security helps the statements."""
    path = "-c search_path=brain,queue,checkpoint,public"
    with psycopg.connect(test_addresses.owner, autocommit=True, options=path) as it:
        it.execute("set enable_seqscan = off")
        yield it


SHIPPED = {**statements(), **statements("knowledge.queries")}


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_a_statement_can_be_planned_and_bounds_every_search_by_the_tenant(as_owner: psycopg.Connection[Any], name: str):
    for node in nodes_of(plan_of(as_owner, SHIPPED[name])):
        if node["Node Type"] in SEARCHES and node["Schema"] == "brain":
            bounds = " ".join(str(node.get(part, "")) for part in ("Index Cond", "Filter", "Recheck Cond"))
            assert "tenant_id" in bounds, (name, node["Relation Name"], bounds)
