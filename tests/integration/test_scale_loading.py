"""The loader of great tables at a small size: every row there, scattered, with its vector and the indexes as before."""

import psycopg
import pytest

from apps.calibration.measurement import a_database
from evals.scale.loading import CROWD, Layout, index_definitions, load
from evals.scale.recalling import Table, explain_twice, questions
from evals.scale.upkeep import measure_partitions, measure_vacuum, sizes
from memory.postgres.sql import statement


@pytest.mark.asyncio
async def test_a_small_table_is_loaded_whole(server_url: str):
    layout = Layout(rows=4_000, dimensions=4, sizes=(100,), texts=1_500)
    async with a_database(server_url) as where:
        with psycopg.connect(where.owner) as connection:
            before = index_definitions(connection, "brain.recall_index")
        load(where.owner, layout, lambda _: None)
        with psycopg.connect(where.owner) as connection:
            assert index_definitions(connection, "brain.recall_index") == before
            row = connection.execute(
                "select count(*), count(distinct source_id), count(embedding), count(distinct text) > 1000,"
                " count(distinct ctid::text) from brain.recall_index"
            ).fetchone()
            whose = connection.execute(
                "select count(*) from brain.recall_index where user_id = %s", [layout.asked[0].scope.user_id]
            ).fetchone()
        assert row == (4_000, 4_000, 4_000, True, 4_000)
        assert whose == (100,)
        table = Table(where, layout)
        person = table.people(CROWD, 100)[0]
        cold, _ = explain_twice(where, person.scope, questions(layout)[0], statement("recall"))
        assert cold.hit + cold.read > 0
        assert sizes(where.owner)["recall_index_pkey"] > 0
        hashed = measure_partitions(table, 4, 100)
        assert (hashed.rows, hashed.partitions) == (4_000, 4)
        assert 2_000 <= hashed.greatest < 4_000
        vacuumed = measure_vacuum(where.owner, 4_000)
        assert 200 < vacuumed.updated < 800
        assert vacuumed.after["table"] > vacuumed.before["table"]
