"""Experiments on PostgreSQL."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from memory.experiments import (
    EndedBy,
    Experiment,
    ExperimentTurn,
    Measure,
    RunningExperiment,
    Variant,
    VariantCounts,
)
from memory.postgres.database import Database, scope_params
from memory.postgres.model_usage import PARTS
from memory.scope import Scope


@dataclass(frozen=True, kw_only=True)
class _ExperimentRow:
    experiment_id: UUID
    name: str
    variants: list[dict[str, Any]]
    guard: Measure
    started_at: datetime
    ended_at: datetime | None
    ended_by: EndedBy | None
    finding: dict[str, Any] | None


@dataclass(frozen=True)
class PostgresExperiments:
    """The promises are those of the port."""

    database: Database

    async def start(self, scope: Scope, experiment: Experiment) -> bool:
        params = scope_params(scope) | {
            "experiment_id": experiment.experiment_id,
            "name": experiment.name,
            "variants": Jsonb([asdict(each) for each in experiment.variants]),
            "guard": experiment.guard,
            "started_at": experiment.started_at,
        }
        async with self.database.scope_session(scope) as session:
            return bool(await session.fetch("start_experiment", params, _ExperimentRow))

    async def end(
        self, scope: Scope, experiment_id: UUID, at: datetime, finding: Mapping[str, object] | None = None
    ) -> Experiment | None:
        params = scope_params(scope) | {
            "experiment_id": experiment_id,
            "ended_at": at,
            "ended_by": "operator" if finding is None else "guard",
            "finding": None if finding is None else Jsonb(dict(finding)),
        }
        async with self.database.scope_session(scope) as session:
            row = await session.fetch_one("end_experiment", params, _ExperimentRow)
        return _experiment(row) if row else None

    async def list_newest(self, scope: Scope) -> Sequence[Experiment]:
        async with self.database.scope_session(scope) as session:
            rows = await session.fetch("newest_experiments", scope_params(scope), _ExperimentRow)
        return [_experiment(row) for row in rows]

    async def find(self, scope: Scope, name: str) -> Experiment | None:
        async with self.database.scope_session(scope) as session:
            row = await session.fetch_one("experiment_by_name", scope_params(scope) | {"name": name}, _ExperimentRow)
        return _experiment(row) if row else None

    async def counts(self, scope: Scope, experiment_id: UUID) -> Sequence[VariantCounts]:
        params = scope_params(scope) | {"experiment_id": experiment_id}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("experiment_counts", params, VariantCounts)


def turn_of_experiment_params(scope: Scope, turn: ExperimentTurn) -> dict[str, object]:
    """The parameters of ``count_turn_of_experiment``; who speaks decides the part, and cannot be told from it."""
    return {**vars(turn), "part": scope.user_id.int % PARTS}


def running_from_json(data: dict[str, Any]) -> RunningExperiment:
    """The experiment that runs, as ``open_session`` reads it."""
    return RunningExperiment(
        experiment=Experiment(
            experiment_id=UUID(data["experiment_id"]),
            name=data["name"],
            variants=_variants(data["variants"]),
            guard=data["guard"],
            started_at=datetime.fromisoformat(data["started_at"]),
        ),
        place=data["place"],
        counts=tuple(VariantCounts(**each) for each in data["counts"]),
    )


def _experiment(row: _ExperimentRow) -> Experiment:
    return Experiment(
        experiment_id=row.experiment_id,
        name=row.name,
        variants=_variants(row.variants),
        guard=row.guard,
        started_at=row.started_at,
        ended_at=row.ended_at,
        ended_by=row.ended_by,
        finding=row.finding,
    )


def _variants(rows: Sequence[Mapping[str, Any]]) -> tuple[Variant, ...]:
    return tuple(Variant(**each) for each in rows)
