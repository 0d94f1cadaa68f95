"""The prompts, read once from the Markdown files beside this module: ``<name>.<variant>.md``.

A file opens with a few ``key: value`` lines between ``---`` rules (``purpose``, ``variables``); the prose follows, with
``{{name}}`` where a variable goes. Requests only ever choose among what was read: no path is built from a name.
"""

import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

DEFAULT = "default"

_FILE = re.compile(r"(?P<name>[a-z][a-z0-9_]*)\.(?P<variant>[a-z][a-z0-9_-]*)\.md")
_FRONT = re.compile(r"---\n(?P<lines>.*?)\n---\n+(?P<body>.+)", re.DOTALL)
_VARIABLE = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}")
_OPENS = re.compile(r"^<[a-z_]+>$", re.MULTILINE)
_TAG = re.compile(r"^</([a-z_]+)>$", re.MULTILINE)
_KEYS = {"purpose", "variables"}


class PromptError(Exception):
    """A prompt cannot be used. ``code`` is ``prompt_unknown``, ``prompt_variables`` or ``prompt_malformed``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """Prose for a model. ``variables`` are exactly the ones that the body names."""

    name: str
    variant: str
    purpose: str
    variables: frozenset[str]
    body: str

    def render(self, **values: str) -> str:
        """The prose with its variables filled in, once: a value is not expanded again and cannot close its tags."""
        self._check_variables(values)
        return self._fill(self.body, values)

    def ask(self, **values: str) -> list[BaseMessage]:
        """The prose as a request: instructions are the system's, and from the first tag on everything is the user's.

        So nothing that people said stands among the instructions, and these are the same in every request.
        """
        self._check_variables(values)
        begins = _OPENS.search(self.body)
        if begins is None:
            raise PromptError("prompt_malformed", f"{self.name}.{self.variant} has no tag that holds what is asked.")
        instructions, data = self.body[: begins.start()], self.body[begins.start() :]
        return [SystemMessage(self._fill(instructions, values).strip()), HumanMessage(self._fill(data, values).strip())]

    def _fill(self, text: str, values: Mapping[str, str]) -> str:
        return _VARIABLE.sub(lambda match: self._escape_tags(values[match[1]]), text)

    def _escape_tags(self, value: str) -> str:
        tags = "|".join(_TAG.findall(self.body))
        if not tags:
            return value
        return re.sub(rf"<(?=\s*/?\s*(?:{tags})\b)", "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", value, flags=re.I)

    def _check_variables(self, values: Mapping[str, str]) -> None:
        missing, unknown = sorted(self.variables - values.keys()), sorted(values.keys() - self.variables)
        if missing or unknown:
            gap = f"lacks {missing or 'nothing'} and does not know {unknown or 'nothing'}"
            raise PromptError("prompt_variables", f"{self.name}.{self.variant} {gap}.")


def load_prompt(name: str, variant: str = DEFAULT) -> Prompt:
    """The prompt in this variant. Raises ``prompt_unknown`` and says what there is instead."""
    try:
        return _PROMPTS[name, variant]
    except KeyError:
        known = list_variants(name) or list_prompts()
        message = f"There is no prompt {name!r} in variant {variant!r}; choose one of {', '.join(known)}."
        raise PromptError("prompt_unknown", message) from None


def list_prompts() -> tuple[str, ...]:
    """Every prompt, in alphabetical order."""
    return tuple(sorted({name for name, _ in _PROMPTS}))


def list_variants(name: str) -> tuple[str, ...]:
    """The variants of a prompt, the default first; empty for an unknown prompt."""
    found = (variant for known, variant in _PROMPTS if known == name)
    return tuple(sorted(found, key=lambda variant: (variant != DEFAULT, variant)))


def parse_prompt(name: str, variant: str, text: str) -> Prompt:
    """Read a prompt from its file's text; for trying out a variant that is not in the package."""
    front = _FRONT.fullmatch(text)
    if front is None:
        raise _malformed_error(name, variant, "it must open with its purpose and variables between two --- lines.")
    fields = _parse_fields(name, variant, front["lines"])
    declared = frozenset(fields.get("variables", "").replace(",", " ").split())
    body = front["body"].strip() + "\n"
    if declared ^ {match[1] for match in _VARIABLE.finditer(body)}:
        raise _malformed_error(name, variant, f"it declares {sorted(declared)}, and its body names others.")
    return Prompt(name=name, variant=variant, purpose=fields["purpose"], variables=declared, body=body)


@contextmanager
def try_prompt(prompt: Prompt) -> Generator[None]:
    """Let runs of this process choose a prompt that is not in the package, as long as an experiment lasts."""
    key = (prompt.name, prompt.variant)
    if key in _PROMPTS:
        raise PromptError("prompt_malformed", f"{prompt.name}.{prompt.variant} is in the package; take another name.")
    _PROMPTS[key] = prompt
    try:
        yield
    finally:
        del _PROMPTS[key]


def _parse_fields(name: str, variant: str, lines: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in lines.splitlines())
    fields = {key.strip(): value.strip() for key, _, value in pairs}
    if not fields.get("purpose") or fields.keys() - _KEYS:
        raise _malformed_error(name, variant, "it needs a purpose, may list variables, and nothing else.")
    return fields


def _malformed_error(name: str, variant: str, reason: str) -> PromptError:
    return PromptError("prompt_malformed", f"{name}.{variant}: {reason}")


def _read_all() -> Iterator[tuple[tuple[str, str], Prompt]]:
    for file in files("prompts").iterdir():
        match = _FILE.fullmatch(file.name)
        if match:
            name, variant = match["name"], match["variant"]
            yield (name, variant), parse_prompt(name, variant, file.read_text("utf-8"))


_PROMPTS: dict[tuple[str, str], Prompt] = dict(_read_all())
"""Read at import: reading a file inside a node would block the event loop."""
