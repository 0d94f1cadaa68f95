"""Budgets of a turn's stages, and what a turn does without while they are not kept: one ladder, up fast, down slowly.

Safety, isolation and the capture of what was said are no rungs of it. A dependency that fails by itself is no load: its
timeout and its circuit breaker answer for it.
"""

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic, process_time
from typing import Literal

Stage = Literal["open", "intent", "retrieval", "context"]
Relief = Literal["load_rewrites", "load_reranking", "load_vectors", "load_knowledge", "load_candidates"]

LADDER: tuple[Relief, ...] = ("load_rewrites", "load_reranking", "load_vectors", "load_knowledge", "load_candidates")
"""What is left out under load, one after the other, each together with those before it."""
STEPS: Mapping[str, Stage] = {
    "open_session": "open",
    "classify_intent": "intent",
    "retrieve": "retrieval",
    "consult_knowledge": "retrieval",
    "rerank": "context",
    "sanitize": "context",
    "assemble": "context",
    "check_guard": "context",
}
"""The steps before the model, by stage. Those of ``retrieval`` run side by side, those of ``context`` in a row."""
OVERRUN = 1.2
"""A stage that takes a fifth longer than its budget, and goes on so, is relieved."""
CALM = 0.7
"""The part of the whole budget below which the path has room for what was left out."""
MIN_TURNS = 20
"""In a window of fewer turns a 95th percentile says nothing."""
EASED = 0.7
"""The part of the turns a second at which something was left out below which it comes back: a turn costs more again."""
PERSISTENCE = 16
"""How many times longer than with fewer turns recovery waits until it tries the same load again."""
BUSY = 0.7
"""The part of a window in which a process computes from which on it is under load, however few turns it has at once."""
SAMPLES = 2_000
"""Times of a step that are kept at most."""


@dataclass(frozen=True, kw_only=True)
class StageBudgets:
    """Milliseconds of each stage, and seconds of the rules that hold them.

    Above the sum of all, ``jitter`` included, something is left out after a ``window``; where one stage alone is above
    its own for ``patience``, too. After ``recovery`` without either, at fewer turns, the last thing comes back.
    ``load``: turns before the model at once, on average, from which on it counts as load at all; so does a process that
    hardly does anything but compute.
    """

    open: int = 20
    intent: int = 30
    retrieval: int = 220
    context: int = 60
    jitter: int = 70
    window: float = 5.0
    patience: float = 600.0
    recovery: float = 30.0
    load: int = 8

    @property
    def total(self) -> int:
        """Of everything before the model."""
        return self.open + self.intent + self.retrieval + self.context + self.jitter


@dataclass
class StageController:
    """The rung that this process stands on, by its own load.

    ``clock`` counts seconds, and ``worked`` those that the process computed. ``rungs``: those that leave something out
    here; the others are passed over. ``level``: the rung's place on the whole ladder, from 1; 0 on the ground.
    """

    budgets: StageBudgets = field(default_factory=StageBudgets)
    clock: Callable[[], float] = field(default=monotonic, repr=False)
    worked: Callable[[], float] = field(default=process_time, repr=False)
    rungs: tuple[Relief, ...] = LADDER
    level: int = 0
    _times: dict[str, deque[tuple[float, float]]] = field(default_factory=dict[str, deque[tuple[float, float]]])
    _work: deque[tuple[float, float]] = field(default_factory=deque[tuple[float, float]])
    _looked_at: float = -math.inf
    _changed_at: float = -math.inf
    _calm_since: float | None = None
    _over_since: float | None = None
    _eased_since: float | None = None
    _left_at: dict[int, float] = field(default_factory=dict[int, float])
    """Turns a second at which each rung was stepped on."""

    def leaves_out(self, relief: Relief) -> bool:
        """Whether turns do without it now."""
        return LADDER.index(relief) < self.level

    def note(self, step: str, milliseconds: float) -> None:
        """A step of a turn took so long."""
        now = self.clock()
        self._times.setdefault(step, deque(maxlen=SAMPLES)).append((now, milliseconds))
        self.look(now)

    def look(self, now: float | None = None) -> None:
        """Judge the last window, several times in each. Also called where nothing happens, so that a lull counts."""
        now = self.clock() if now is None else now
        if now - self._looked_at < self.budgets.window / 5:
            return
        self._looked_at = now
        self._work.append((now, self.worked()))
        for times in (self._work, *self._times.values()):
            while times and times[0][0] < now - self.budgets.window:
                times.popleft()
        self._judge(now)

    def p95(self, stage: Stage) -> float:
        """The 95th percentile of a stage in the last window, in milliseconds."""
        steps = [self._p95_of(step) for step, its in STEPS.items() if its == stage]
        return sum(steps) if stage == "context" else max(steps)

    @property
    def path_p95(self) -> float:
        """Of everything before the model, as the sum of its stages: rather too much than too little."""
        return self.p95("open") + max(self.p95("intent"), self.p95("retrieval")) + self.p95("context")

    def _judge(self, now: float) -> None:
        budgets, path = self.budgets, self.path_p95
        loaded = self._turns_at_once() >= budgets.load or self._busy() >= BUSY
        counts = loaded and len(self._times.get("open_session", ())) >= MIN_TURNS
        over = counts and any(self.p95(stage) > OVERRUN * own for stage, own in self._own_budgets())
        self._over_since = (now if self._over_since is None else self._over_since) if over else None
        lasts = self._over_since is not None and now - self._over_since >= budgets.patience
        calm = not counts or (path < CALM * budgets.total and not over)
        self._calm_since = (now if self._calm_since is None else self._calm_since) if calm else None
        rate = len(self._times.get("open_session", ())) / budgets.window
        eased = calm and rate < EASED * self._left_at.get(self.level, math.inf)
        self._eased_since = (now if self._eased_since is None else self._eased_since) if eased else None
        if now - self._changed_at < budgets.window:
            return  # what the last change did does not show yet
        if (counts and path > budgets.total) or lasts:
            self._leave_out(now)
        elif self._rested(self._eased_since, now) or self._rested(self._calm_since, now, PERSISTENCE):
            self._bring_back(now)

    def _rested(self, since: float | None, now: float, times: int = 1) -> bool:
        return since is not None and now - max(since, self._changed_at) >= times * self.budgets.recovery

    def _leave_out(self, now: float) -> None:
        self._over_since = None
        if above := [each for each in self._places() if each > self.level]:
            self.level, self._changed_at = above[0], now
            turns = self._times["open_session"]  # of a part of the window only, where a process began under load
            self._left_at[self.level] = len(turns) / max(now - turns[0][0], self.budgets.window / 5)

    def _bring_back(self, now: float) -> None:
        if self.level:
            below = [each for each in self._places() if each < self.level]
            self.level, self._changed_at = below[-1] if below else 0, now

    def _places(self) -> list[int]:
        return [place for place, each in enumerate(LADDER, 1) if each in self.rungs]

    def _own_budgets(self) -> tuple[tuple[Stage, int], ...]:
        each = self.budgets
        return (("open", each.open), ("intent", each.intent), ("retrieval", each.retrieval), ("context", each.context))

    def _turns_at_once(self) -> float:
        """On average over the window, by Little's law: no turn that breaks off is counted for ever."""
        busy = sum(ms for step in ("open_session", "retrieve", "rerank") for _, ms in self._times.get(step, ()))
        return busy / 1000 / self.budgets.window

    def _busy(self) -> float:
        """The part of the window in which the process computed; more than 1 where several threads did."""
        (began, before), (now, worked) = self._work[0], self._work[-1]
        return (worked - before) / (now - began) if now > began else 0.0

    def _p95_of(self, step: str) -> float:
        times = sorted(ms for _, ms in self._times.get(step, ()))
        return times[min(len(times) - 1, int(0.95 * len(times)))] if times else 0.0
