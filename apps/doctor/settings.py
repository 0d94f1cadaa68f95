"""Unknown settings: a misspelt name has no effect, and only the doctor reports it."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from dotenv import dotenv_values
from pydantic import AliasChoices

from apps.doctor.findings import Finding, degraded_finding
from brain.settings import Settings

PREFIX = "BRAIN_"
_ELSEWHERE = ("BRAIN_TEST_", "BRAIN_EVAL_")
"""Variables of the tests and of the measurements."""


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
