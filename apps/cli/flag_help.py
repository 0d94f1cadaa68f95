"""How help shows flags."""

from typing import Any

from typer.core import TyperOption

_shown_by_typer = TyperOption.display_type_rich


def hide_flag_types() -> None:
    """Typer writes <bool> behind every flag, as if something had to be typed there; help goes without it."""
    TyperOption.display_type_rich = _type_to_type  # type: ignore[method-assign]


def _type_to_type(option: TyperOption, ctx: Any) -> str | None:
    return None if option.is_bool_flag else _shown_by_typer(option, ctx)
