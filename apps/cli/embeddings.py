"""``brain embed``: the vectors behind recall, and the change from one embedding model to another beside live reads."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings, run
from apps.people import fetch_people
from brain.embeddings.backfill import OnProgress, embed_pending
from brain.embeddings.factory import select_embedding_model
from brain.embeddings.model_switch import prepare_vectors, switch_model, with_retries
from brain.resources import Resources
from brain.settings import Settings
from memory.calibration import VectorWeight
from memory.errors import config_error
from memory.index import VectorCount
from memory.recall.query import NO_MODEL
from memory.scope import Scope

SWITCH_TIMEOUT_SECONDS = 600.0
"""Seconds that one person's switch may take in the database; it rewrites every row of that person."""

embed = typer.Typer(no_args_is_help=True, help="The vectors behind recall, and the model that makes them.")

Work = Callable[[Resources, Scope, OnProgress], Awaitable[int]]


@dataclass(frozen=True, kw_only=True)
class EmbedOptions(PersonOptions):
    """Whose vectors."""

    everybody: Annotated[bool, typer.Option("--everybody", help="Everybody's private memory in this tenant.")] = False
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class SwitchOptions(EmbedOptions):
    """Whose vectors, and which model makes them from now on."""

    model: Annotated[str, typer.Argument(help="As in BRAIN_EMBEDDINGS, such as openai:text-embedding-3-small.")]


@dataclass(frozen=True, kw_only=True)
class ModelCoverage:
    """Over all people asked about: so many rows of so many people have a vector of this model."""

    model: str
    staged: bool
    rows: int
    people: int


@command(embed, "status")
def status(options: EmbedOptions) -> None:
    """Tell which models serve how many rows, how many wait for a vector, and what is laid ready for a switch."""
    settings = load_settings()
    found = run(
        lambda resources: _fetch_status(resources, options), settings.model_copy(update={"embeddings": NO_MODEL})
    )
    counts, weights = found
    held = coverage_by_model(counts)
    if options.json:
        emit({"configured": _model(settings), "people": len(counts), "models": held, "weights": weights})
        return
    say(f"Configured: {_model(settings)}.")
    rows = [(each.model, each.rows, each.people, _state(each, _model(settings))) for each in held]
    show_table(("model", "rows", "people", ""), rows)
    for each in weights:
        say(f"In {each.language} {each.model} counts {each.weight:g} ({each.questions} questions).")


@command(embed, "run")
def run_(options: EmbedOptions) -> None:
    """Give every row that waits its vector now, instead of after the next turn."""
    settings = load_settings()
    if _model(settings) == NO_MODEL:
        raise config_error("No embedding model is configured.", "Set BRAIN_EMBEDDINGS.")
    done = run(lambda resources: _embed_waiting_rows(resources, options), settings)
    _print_done(options, done, f"{done} rows took their vectors from {_model(settings)}.")


@command(embed, "switch")
def switch_(options: SwitchOptions) -> None:
    """Replace the model: its vectors are laid ready beside live reads, then each person is switched at once.

    Cut off anywhere, the same command goes on there.
    """
    settings = load_settings()
    chosen = select_embedding_model(options.model, settings).model_copy(
        update={"database_timeout": SWITCH_TIMEOUT_SECONDS}
    )
    done = run(lambda resources: _switch_model(resources, options), chosen)
    _print_done(options, done, f"{done} rows are served by {options.model} now.")
    if not options.json and options.model != _model(settings):
        say(f"Set BRAIN_EMBEDDINGS={options.model} and restart what runs: until then recall works on words alone.")


def coverage_by_model(counts: Sequence[Sequence[VectorCount]]) -> list[ModelCoverage]:
    """The counts of several people added up, in the order of the models' names."""
    rows, people = Counter[tuple[str, bool]](), Counter[tuple[str, bool]]()
    for each in (count for of_person in counts for count in of_person):
        rows[each.model, each.staged] += each.rows
        people[each.model, each.staged] += 1
    return [ModelCoverage(model=key[0], staged=key[1], rows=rows[key], people=people[key]) for key in sorted(rows)]


async def _fetch_status(
    resources: Resources, options: EmbedOptions
) -> tuple[list[list[VectorCount]], list[VectorWeight]]:
    scope = scope_from(options, resources.settings.dm_scope)
    return await _fetch_counts(resources, options), await resources.memory.calibration.vector_weights(scope)


async def _fetch_counts(resources: Resources, options: EmbedOptions) -> list[list[VectorCount]]:
    return [await resources.memory.index.vector_counts(scope) for scope in await _scopes(resources, options)]


async def _embed_waiting_rows(resources: Resources, options: EmbedOptions) -> int:
    scopes = await _scopes(resources, options)
    return await _run_with_progress(with_retries(resources), scopes, embed_pending)


async def _switch_model(resources: Resources, options: EmbedOptions) -> int:
    """Everybody is laid ready before the first is switched: who still asks with the model of before loses it late."""
    scopes, patient = await _scopes(resources, options), with_retries(resources)
    await _run_with_progress(patient, scopes, prepare_vectors)
    with _progress_bar() as progress:
        return sum(
            [await switch_model(patient, scope) for scope in progress.track(scopes, description="switching people")]
        )


async def _run_with_progress(resources: Resources, scopes: Sequence[Scope], work: Work) -> int:
    done = 0
    with _progress_bar() as progress:
        total = None if progress.disable else await _count_waiting_rows(resources, scopes)
        task = progress.add_task("embedding rows", total=total)
        for scope in scopes:
            done += await work(resources, scope, lambda rows: progress.advance(task, rows))
    return done


def _progress_bar() -> Progress:
    """On stderr; nothing when nobody is looking."""
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=screen, disable=not screen.is_terminal)


async def _count_waiting_rows(resources: Resources, scopes: Sequence[Scope]) -> int:
    assert resources.embedder is not None
    model = resources.embedder.name
    counts = [count for scope in scopes for count in await resources.memory.index.vector_counts(scope)]
    others = sum(each.rows for each in counts if not each.staged and each.model != model)
    return max(others - sum(each.rows for each in counts if each.staged and each.model == model), 0)


async def _scopes(resources: Resources, options: EmbedOptions) -> list[Scope]:
    everybody = options.everybody and not options.channel
    names = await fetch_people(resources.settings, options.tenant) if everybody else [options.user]
    return [scope_from(replace(options, user=name), resources.settings.dm_scope) for name in names]


def _model(settings: Settings) -> str:
    kind, name = settings.embedding_model
    return f"{kind}:{name}" if name else kind


def _state(held: ModelCoverage, configured_model: str) -> str:
    if held.staged:
        return "laid ready for a switch"
    if held.model != NO_MODEL:
        return "in use"
    return "found by their words alone" if configured_model == NO_MODEL else "waiting for a vector"


def _print_done(options: EmbedOptions, rows: int, text: str) -> None:
    if options.json:
        emit({"rows": rows})
    else:
        say(text)
