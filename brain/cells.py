"""The cells of an installation as settings: whatever runs in one of them is given that one's, and knows of no other."""

from collections.abc import Mapping

from brain.local_postgres.server import OnStep
from brain.local_postgres.startup import app_url, ignore_step, pool_limits
from brain.settings import Settings
from memory.postgres.cells import HOME, CellDatabase
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database

_APART = {"cells": None, "app_database_url": None, "direct_database_url": None}
"""What says where the first database is, and nothing of the others."""


def settings_by_cell(settings: Settings) -> Mapping[str, Settings]:
    """The settings of each database, home first; where there is one database, it alone."""
    return {HOME: settings.model_copy(update={"cells": None})} | {
        name: settings.model_copy(update=_APART | {"database_url": url}) for name, url in settings.cell_urls.items()
    }


def open_databases(settings: Settings, corpora: CorpusCache, on_step: OnStep = ignore_step) -> Database:
    """The way to the database, or to all of them. ``corpora``: what is kept of tenants, forgotten when they move."""
    limits = pool_limits(settings)
    home, *cells = [(name, each) for name, each in settings_by_cell(settings).items()]
    database = Database(app_url(home[1], on_step), limits)
    if not cells:
        return database
    others = {name: Database(app_url(each), limits) for name, each in cells}
    return CellDatabase(database, others, [corpora.forget])
