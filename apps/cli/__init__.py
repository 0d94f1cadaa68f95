"""The command line: ``brain``."""

import typer

from apps.cli import (
    chat,
    database,
    doctor,
    documents,
    embeddings,
    evaluate,
    evaluate_memory,
    ingest,
    jobs,
    memory_changes,
    recall,
    sessions,
    upkeep,
    usage,
    work,
)
from apps.cli.door import Door

app = typer.Typer(
    cls=Door,
    name="brain",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A chat agent that really remembers.",
)
for group in (chat, recall, ingest, work, database, doctor, usage):
    group.register(app)
app.add_typer(memory_changes.memories, name="memories")
app.add_typer(work.operations, name="operations")
app.add_typer(jobs.jobs, name="jobs")
app.add_typer(database.db, name="db")
app.add_typer(evaluate.evaluations, name="eval")
evaluate_memory.register(evaluate.evaluations)
app.add_typer(embeddings.embed, name="embed")
app.add_typer(upkeep.upkeep, name="upkeep")
app.add_typer(sessions.sessions, name="sessions")
app.add_typer(documents.documents, name="documents")
