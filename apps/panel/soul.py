"""SOUL in the panel: what is in force, proposals with what was found in them, and the buttons that decide."""

from dataclasses import dataclass
from typing import Any, cast

from starlette.responses import Response

from apps.memory_api import soul
from apps.panel.page import Visit
from evolution.soul.report import SoulReport, codes_of
from language.tables import texts


@dataclass(frozen=True)
class FoundIn:
    """What was found in a version, in the words of the page."""

    version: soul.SoulView
    found: tuple[str, ...]

    @property
    def lines(self) -> list[tuple[str, str]]:
        """The difference with what each line does: ``ins``, ``del`` or nothing."""
        kinds = {"+": "ins", "-": "del"}
        return [(kinds.get(line[:1], ""), line[1:]) for line in self.version.diff.splitlines() if line[:2] != "@@"]


async def show_soul(visit: Visit) -> Response:
    """The text in force; for administrators also the proposals and versions."""
    status: soul.SoulStatusView = await visit.ask(soul.get_soul)
    heads: list[soul.SoulHead] = []
    waiting: list[FoundIn] = []
    if visit.may("admin"):
        heads = (await visit.ask(soul.list_soul_versions)).versions
        waiting = [await _found_in(visit, number) for number in status.pending]
    return visit.render("soul.html", standing=status, versions=heads, waiting=waiting)


async def show_version(visit: Visit) -> Response:
    """One version, and what it changed."""
    return visit.render("soul_version.html", one=await _found_in(visit, visit.request.path_params["version"]))


async def decide(visit: Visit) -> Response:
    """Approve or veto."""
    decision = visit.read_field("decision", 20)
    await visit.ask(soul.decide_soul, version=visit.request.path_params["version"], decision=decision)
    return visit.redirect("/panel/soul", "soul_approved" if decision == "approve" else "soul_vetoed")


async def roll_back(visit: Visit) -> Response:
    """Put the version before in force again."""
    await visit.ask(soul.roll_soul_back)
    return visit.redirect("/panel/soul", "soul_back")


async def pause(visit: Visit) -> Response:
    """Let nothing be proposed or applied."""
    await visit.ask(soul.pause_soul)
    return visit.redirect("/panel/soul", "soul_paused")


async def resume(visit: Visit) -> Response:
    """Let changes go on."""
    await visit.ask(soul.resume_soul)
    return visit.redirect("/panel/soul", "soul_resumed")


async def _found_in(visit: Visit, version: int) -> FoundIn:
    view: soul.SoulView = await visit.ask(soul.get_soul_version, version=version)
    words = texts("soul.found", visit.language)
    codes = codes_of(cast("SoulReport", cast("Any", view.evaluation))) if view.evaluation else frozenset[str]()
    return FoundIn(view, tuple(words[code] for code in sorted(codes)))
