"""What is configured, reachable and degraded, and what to do about it. Looks only, unless it is asked to repair."""

import asyncio
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from dotenv import dotenv_values
from pydantic import AliasChoices

from apps.additions import load_addition
from apps.doctor.aptitude import aptitude_finding
from apps.doctor.cells import cells_finding
from apps.doctor.database import database_findings
from apps.doctor.findings import Finding, degraded_finding, ok_finding
from apps.doctor.memory import branches_finding, index_finding, words_finding
from apps.doctor.model import model_finding
from apps.doctor.readiness import storage_findings
from apps.doctor.tenant import alerts_finding, refusals_finding, spending_finding
from brain.cells import answers_of, ask_each, require_answers, settings_by_cell
from brain.embeddings.factory import build_embedder
from brain.reranking.cross_encoder import build_cross_encoder
from brain.settings import Settings
from brain.settings_cells import HOME
from memory.errors import BrainError

EMBEDDING_SECONDS = 20.0
"""A local embedding model is read from disk first."""
_TRACING = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2")
_WORDS_ALONE = "Check the provider and BRAIN_EMBEDDINGS; recall works on words alone until then."
_POLICY_ALONE = "Check BRAIN_CROSS_ENCODER; the ranking policy decides alone until then."
PREFIX = "BRAIN_"
_ELSEWHERE = ("BRAIN_TEST_", "BRAIN_EVAL_")
"""Variables of the tests and of the measurements."""


@dataclass(frozen=True, kw_only=True)
class DoctorRequest:
    """Whose tokens, turns and memories to look at; whether to ask the model, which costs some; whether to repair."""

    tenant: str = "local"
    user: str = "me"
    deep: bool = False
    repair: bool = False


async def examine(
    settings: Settings, asked: DoctorRequest = DoctorRequest(), environment: Mapping[str, str] = os.environ
) -> list[Finding]:
    """Every check, in the order in which a person should read them; each has its own time limit."""
    cells, model, embeddings, reranking, tokens = await asyncio.gather(
        examine_cells(settings),
        model_finding(settings),
        embedding_finding(settings),
        reranking_finding(settings),
        spending_finding(settings, asked.tenant),
    )
    examined = [await aptitude_finding(settings), await rehearsal_finding(settings)] if asked.deep else []
    is_ready = _is_migrated([each for each in cells if each.cell == HOME])
    moves = await cells_finding(settings) if is_ready else None
    left = await branches_finding(settings, asked.tenant, repair=asked.repair) if is_ready else None
    unfound = await index_finding(settings, asked.tenant) if is_ready else None
    words = await words_finding(settings, asked.tenant, asked.user) if is_ready else None
    refusals = await refusals_finding(settings, asked.tenant) if is_ready and settings.has_authentication else None
    models = [each for each in (model, *examined, tokens) if each]
    access = [each for each in (access_finding(settings), refusals) if each]
    last = [each for each in (telemetry_finding(environment), unknown_settings_finding(environment)) if each]
    alerts = await alerts_finding(settings, asked.tenant) if is_ready else None
    told = [each for each in (moves, left, unfound, words, alerts) if each]
    return [*cells, *told, *models, embeddings, reranking, *access, *last]


async def examine_cells(settings: Settings) -> list[Finding]:
    """Each database by itself, home first."""
    asked = await ask_each(settings_by_cell(settings), _examine_database)
    require_answers(asked)
    return [replace(each, cell=cell) for cell, found in answers_of(asked).items() for each in found]


async def _examine_database(settings: Settings) -> list[Finding]:
    found = await database_findings(settings)
    return [*found, *(await storage_findings(settings) if _is_migrated(found) else [])]


async def rehearsal_finding(settings: Settings) -> Finding:
    """What the fast model leaves of our conversations, where they are installed."""
    try:
        return await load_addition("brain.doctor", "rehearsal")(settings)
    except BrainError as error:
        return ok_finding("rehearsal", error.message)


def _is_migrated(database: list[Finding]) -> bool:
    """Whether there is something to ask: the doctor migrates nothing."""
    states = {finding.name: finding.state for finding in database}
    return states.get("schema") == "ok" and "broken" not in states.values()


def is_usable(findings: list[Finding]) -> bool:
    """Whether Brain works at all, perhaps with less than everything."""
    return all(finding.state != "broken" for finding in findings)


async def embedding_finding(settings: Settings) -> Finding:
    """Embed one word."""
    try:
        embedder = build_embedder(settings)
        if embedder is None:
            return ok_finding("embeddings", "none configured: recall works on words alone")
        async with asyncio.timeout(EMBEDDING_SECONDS):
            vectors = await embedder.embed(["hello"])
    except BrainError as error:
        return degraded_finding("embeddings", error.message, _WORDS_ALONE if error.is_retryable else error.hint)
    except TimeoutError:
        return degraded_finding("embeddings", "no answer in time", _WORDS_ALONE)
    return ok_finding("embeddings", f"{embedder.name}, {len(vectors[0])} dimensions")


async def reranking_finding(settings: Settings) -> Finding:
    """Let the cross-encoder read one pair."""
    try:
        encoder = build_cross_encoder(settings)
        if encoder is None:
            return ok_finding("reranking", "no cross-encoder configured: the ranking policy decides")
        scores = await encoder.score("hello", ["hello"], EMBEDDING_SECONDS)
    except BrainError as error:
        return degraded_finding("reranking", error.message, _POLICY_ALONE if error.is_retryable else error.hint)
    if not scores:
        return degraded_finding("reranking", "no answer in time", _POLICY_ALONE)
    return ok_finding("reranking", f"{encoder.name} reads memories again, at most {settings.rerank_timeout:g} s")


def access_finding(settings: Settings) -> Finding:
    """Who may call over HTTP. Settings refuse an open server on a public address by themselves."""
    if settings.has_authentication:
        return ok_finding("access", "callers over HTTP must present a signed token or an API key")
    return ok_finding("access", f"open to whoever reaches {settings.host}; switch authentication on before others can")


def telemetry_finding(environment: Mapping[str, str]) -> Finding:
    """Brain sends nothing anywhere; LangChain's tracing would, when its switch is set."""
    switched_on = [name for name in _TRACING if environment.get(name, "").lower() in {"1", "true", "yes"}]
    if switched_on:
        return degraded_finding(
            "telemetry", f"{switched_on[0]} sends conversations to LangSmith", f"Unset {switched_on[0]}."
        )
    return ok_finding("telemetry", "none")


def unknown_settings_finding(environment: Mapping[str, str], file: Path = Path(".env")) -> Finding | None:
    """The names that begin like a setting and are none; None where there are none."""
    strange = sorted({*unknown_settings(environment), *unknown_settings(dotenv_values(file) if file.is_file() else ())})
    if not strange:
        return None
    meant = [near[0] for name in strange if (near := get_close_matches(name, setting_names(), n=1))]
    advice = f"Did you mean {', '.join(meant)}?" if meant else "Every setting is listed in .env.example."
    return degraded_finding("settings", f"nothing reads {', '.join(strange)}", advice)


def unknown_settings(names: Iterable[str]) -> Iterator[str]:
    """Those of the names that look like a setting and are none."""
    readable = set(setting_names())
    for name in names:
        plain = name.upper()
        if plain.startswith(PREFIX) and not plain.startswith(_ELSEWHERE) and plain not in readable:
            yield name


def setting_names() -> list[str]:
    """Every name under which a setting is read."""
    found: list[str] = []
    for name, field in Settings.model_fields.items():
        match field.validation_alias:
            case AliasChoices(choices=choices):
                found += [each for each in choices if isinstance(each, str)]
            case _:
                found.append(f"{PREFIX}{name.upper()}")
    return found
