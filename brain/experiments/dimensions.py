"""What a variant may change, and which values there are."""

from collections.abc import Callable, Mapping

from brain.prompting.truncation import truncation_policy
from brain.settings_routing import require_routing
from memory.errors import bad_request
from memory.experiments import DIMENSIONS, Dimension
from memory.recall.policies.registry import find_policy
from prompts.registry import PromptError, load_prompt


def check_dimensions(dimensions: Mapping[str, str]) -> None:
    """Raises ``E_BAD_REQUEST`` for a dimension or a value that there is not."""
    for name, value in dimensions.items():
        if name not in DIMENSIONS:
            raise bad_request(f"{name!r} is nothing that a variant can change.", f"Use {', '.join(DIMENSIONS)}.")
        _CHECKS[name](value)


def _check_prompt(variant: str) -> None:
    try:
        load_prompt("system", variant)
    except PromptError as unknown:
        raise bad_request(str(unknown), "Name a variant of the system prompt.") from None


_CHECKS: Mapping[Dimension, Callable[[str], object]] = {
    "prompt_variant": _check_prompt,
    "ranking_policy": find_policy,
    "truncation": truncation_policy,
    "routing": require_routing,
}
