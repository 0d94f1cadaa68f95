"""Baselines as files: what a release gate holds later runs against."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from memory.errors import bad_request


class BaselinePart(BaseModel):
    """A part of a baseline, read strictly: a field that nobody knows is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


Baseline = TypeVar("Baseline", bound=BaselinePart)


def read_baseline(kind: type[Baseline], path: Path) -> Baseline:
    """A stored baseline. Raises ``E_BAD_REQUEST`` for a file that is none."""
    try:
        return kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        raise bad_request(f"{path} is no baseline.", "--save-baseline writes one.") from None
