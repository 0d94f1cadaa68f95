"""The gate over what is injected: precision **and** recall hold, in every kind and language, against what was reached.

A baseline keeps the counts of each world, so that a part of the worlds is held against the same part of it.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple

from evals.evaluation.baseline import BaselinePart
from evals.evaluation.injection import ALL, Tally, WorldTallies, sum_groups
from evals.evaluation.injection_data import Kind, World
from memory.errors import bad_request

TOLERANCE = 0.01
"""How far a share may fall, as a part of what it was."""
SLACK = 2
"""Memories (or messages) that may be lost however small the group: two of equal score may change places."""
_ROUNDING = 1e-9


class WorldBaseline(BaselinePart):
    """The counts of one world by kind, in the order of ``Tally``; ``sha256`` is that of the world."""

    sha256: str
    kinds: Mapping[Kind, tuple[int, ...]]


class InjectionBaseline(BaselinePart):
    """What a later run is held against, and how it was measured."""

    policy: str
    truncation: str
    embeddings: str
    worlds: Mapping[str, WorldBaseline]


def baseline_of(measured: Sequence[WorldTallies], policy: str, truncation: str, embeddings: str) -> InjectionBaseline:
    """What this run promises to later ones."""
    worlds = {
        each.world.world: WorldBaseline(
            sha256=hash_world(each.world), kinds={kind: astuple(tally) for kind, tally in sorted(each.kinds.items())}
        )
        for each in measured
    }
    return InjectionBaseline(policy=policy, truncation=truncation, embeddings=embeddings, worlds=worlds)


def hash_world(world: World) -> str:
    """By which a world is known to be the same."""
    return hashlib.sha256(world.model_dump_json().encode()).hexdigest()[:16]


def falls(measured: Sequence[WorldTallies], baseline: InjectionBaseline) -> list[str]:
    """What fell by more than it may, one line each; empty when the gate is open.

    Raises ``E_BAD_REQUEST`` for a world that the baseline does not know as it is now.
    """
    before = sum_groups(_stored(each.world, baseline) for each in measured)
    now = sum_groups(measured)
    held = [name for name in before if name.startswith(f"{ALL} ")]
    return [fall for name in held for fall in _find_falls(name.removeprefix(f"{ALL} "), before[name], now[name])]


def _stored(world: World, baseline: InjectionBaseline) -> WorldTallies:
    stored = baseline.worlds.get(world.world)
    if stored is None or stored.sha256 != hash_world(world):
        raise bad_request(
            f"The baseline does not know the world {world.world} as it is now.",
            "Measure the same data, or save a new baseline.",
        )
    return WorldTallies(world, {kind: Tally(*counts) for kind, counts in stored.kinds.items()})


def _find_falls(group: str, before: Tally, now: Tally) -> Iterator[str]:
    shares: Mapping[str, tuple[float | None, float | None, int]] = {
        "precision": (before.precision, now.precision, before.labelled),
        "recall": (before.recall, now.recall, before.needed),
    }
    if not before.needed:
        left = 1 - before.wrong_messages / before.messages, 1 - now.wrong_messages / now.messages
        shares = {"messages without a wrong memory": (*left, before.messages)}
    for name, (was, is_now, count) in shares.items():
        if was is None or is_now is None:
            continue
        if was - is_now > max(TOLERANCE * was, SLACK / count) + _ROUNDING:
            yield f"injection, {group}: {name} fell from {was:.1%} to {is_now:.1%} (of {count})"
