"""The settings of several databases."""

import re
from collections.abc import Mapping

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings

from brain.settings_database import is_postgres_address

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,30}")
HOME = "home"
"""The name of the first database."""


class CellSettings(BaseSettings):
    """Where the cells beside the first database are: ``NAME=postgresql://OWNER:PASSWORD@HOST/DATABASE``, by spaces."""

    cells: str | None = Field(None, repr=False)

    @property
    def cell_urls(self) -> Mapping[str, str]:
        """The owner's address of each cell, by its name."""
        return dict(_parse(each) for each in (self.cells or "").split())

    @field_validator("cells")
    @classmethod
    def _check_cells(cls, value: str | None) -> str | None:
        names = [_parse(each)[0] for each in (value or "").split()]
        if len(set(names)) < len(names):
            raise ValueError("two cells have the same name")
        return value


def _parse(text: str) -> tuple[str, str]:
    name, _, url = text.partition("=")
    if not _NAME.fullmatch(name) or name == HOME or not is_postgres_address(url):
        raise ValueError(
            "it must look like NAME=postgresql://user:password@host:5432/database, with spaces between several;"
            f" a name is lower-case letters, digits, - and _, and not {HOME}"
        )
    return name, url
