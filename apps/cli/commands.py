"""The words that may follow ``brain``. A run imports where its own word is done and nothing else: all take seconds."""

from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

import typer
from typer.core import TyperCommand
from typer.main import get_group

from apps.additions import load_addition
from apps.cli.entry_point import EntryPoint


@dataclass(frozen=True)
class CommandEntry:
    """A command, or a group of them: the Typer of the group or the function that adds it to one, and its help.

    One without a home is brought by another package, as the entry point of its name in ``ADDED``.
    """

    home: str
    help: str


ADDED = "brain.commands"


COMMANDS = {
    "chat": CommandEntry(
        "apps.cli.chat:register",
        "Talk to Brain. Without --message it reads what is typed, or the lines of a pipe.",
    ),
    "serve": CommandEntry(
        "apps.cli.serve:register",
        "Serve chat clients over HTTP until SIGTERM or Ctrl-C, finishing the answers at hand.",
    ),
    "mcp": CommandEntry(
        "apps.cli.mcp:register",
        "Serve one person's memory to a client of MCP over stdin and stdout, until the client closes them.",
    ),
    "cells": CommandEntry("apps.cli.cells:cells", "Several databases, and which tenants live in which."),
    "keys": CommandEntry("apps.cli.keys:keys", "Keys by which programs prove for whom they speak."),
    "recall": CommandEntry(
        "apps.cli.recall:register", "Find memories that bear on a question, without a conversation."
    ),
    "ingest": CommandEntry(
        "apps.cli.ingest:register",
        "Read recorded conversations into memory. Running it again adds only what is missing.",
    ),
    "past": CommandEntry("apps.cli.past:past", "Bring along what was said to other assistants, and take it back."),
    "export": CommandEntry(
        "apps.cli.portability:register",
        "Write everything that is kept of a person into a new folder: Markdown to read, JSON Lines to bring back.",
    ),
    "import": CommandEntry(
        "apps.cli.portability:register",
        "Bring such a folder into a Brain that keeps nothing of the person, all of it or nothing.",
    ),
    "rebuild": CommandEntry(
        "apps.cli.rebuild:register",
        "Derive a person's whole index again from the log and the memories, or with --memories these from the log.",
    ),
    "worker": CommandEntry(
        "apps.cli.work:register",
        "Do the work behind conversations until SIGTERM or Ctrl-C, finishing the jobs at hand.",
    ),
    "migrate": CommandEntry(
        "apps.cli.database:register",
        "Bring the database to what this Brain needs, and restore lost roles and grants; again changes nothing.",
    ),
    "backup": CommandEntry(
        "apps.cli.backup:register",
        "Copy the whole database into a new folder, while Brain goes on; a folder in .partial is no backup.",
    ),
    "restore": CommandEntry("apps.cli.backup:register", "Put a backup into an empty database, all of it or nothing."),
    "verify": CommandEntry(
        "apps.cli.verify:register",
        "Tell whether the audit chain holds; exit code 1 with the first position that does not.",
    ),
    "doctor": CommandEntry(
        "apps.cli.doctor:register",
        "Tell what is configured, reachable and degraded, and what to do; exit code 1 when Brain cannot work.",
    ),
    "usage": CommandEntry(
        "apps.cli.usage:register",
        "Tell what the tenant's models cost, in tokens by UTC day, purpose and role; nothing tells who spoke.",
    ),
    "soul": CommandEntry("apps.cli.soul:soul", "How Brain is here: its SOUL, proposals, decisions and versions."),
    "experiments": CommandEntry(
        "apps.cli.experiments:experiments", "Try variants of Brain on shares of the people, and compare them."
    ),
    "alerts": CommandEntry(
        "apps.cli.alerts:alerts", "Alerts about how the service does: what burns now, and what ended."
    ),
    "levels": CommandEntry("apps.cli.levels:levels", "Where figures of service levels pass and fail, and drills."),
    "report": CommandEntry(
        "apps.cli.report:register", "Measure a tenant's service levels: PASS, FAIL or OBSERVE for each figure."
    ),
    "memories": CommandEntry(
        "apps.cli.memory_repair:memories", "See, trace, correct, confirm, forget, restore, pin and exclude memories."
    ),
    "remembering": CommandEntry(
        "apps.cli.remembering:remembering", "Whether what you say is remembered: stop that for a time or for good."
    ),
    "erase": CommandEntry(
        "apps.cli.erase:register",
        "Erase everything that is kept of a person, for good, and show the certificate.",
    ),
    "erasures": CommandEntry("apps.cli.erase:erasures", "How far erasures are, legal holds, and what is promised."),
    "contract": CommandEntry(
        "apps.cli.contract:contract", "What Brain keeps to whoever asks, and what your organisation adds to it."
    ),
    "skills": CommandEntry("apps.cli.skills:skills", "What Brain can do when asked to, and where that comes from."),
    "promotions": CommandEntry(
        "apps.cli.promotions:promotions", "What several people told, proposed to the organisation: decide, or object."
    ),
    "experience": CommandEntry("apps.cli.experience:experience", "What the agent has learnt of how its tools end."),
    "operations": CommandEntry("apps.cli.work:operations", "What became of accepted turns."),
    "jobs": CommandEntry("apps.cli.jobs:jobs", "See the work behind conversations, and bring back what failed."),
    "db": CommandEntry("apps.cli.database:db", "The embedded database."),
    "eval": CommandEntry("", "Measure how well Brain does."),
    "embed": CommandEntry("apps.cli.calibration:embed", "The vectors behind recall, and the model that makes them."),
    "upkeep": CommandEntry("apps.cli.upkeep:upkeep", "Tidy a person's memories: everything it changes can go back."),
    "sessions": CommandEntry("apps.cli.sessions:sessions", "See conversations and the blocks that sum them up."),
    "knowledge": CommandEntry("apps.cli.knowledge:knowledge", "What the organisation knows, beside what people told."),
    "documents": CommandEntry("apps.cli.documents:documents", "See, trace, restore, export and import documents."),
}


class Commands(EntryPoint):
    """``brain`` itself: it lists every word, and imports where one is done when it is typed."""

    def __init__(self, **attributes: Any) -> None:
        """Every word with its help and nothing behind it yet."""
        super().__init__(**attributes)
        for name, entry in COMMANDS.items():
            self.add_command(TyperCommand(name, help=entry.help))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names."""
        if args[0] in COMMANDS:
            self.add_command(load_command(args[0]))
        return super().resolve_command(ctx, args)


def load_command(name: str) -> Any:
    """One of ``COMMANDS`` with all that it needs."""
    home = COMMANDS[name].home
    found = resolve_name(home) if home else load_addition(ADDED, name)
    shelf = typer.Typer()
    if isinstance(found, typer.Typer):
        shelf.add_typer(found, name=name)
    else:
        found(shelf)
    return get_group(shelf).commands[name]
