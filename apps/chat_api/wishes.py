"""How a client wishes its reply: each field reaches the model that replies, in the words of the chat API."""

from typing import Annotated, Any, Literal

from pydantic import Field

from apps.chat_api.reading import FieldGroup
from brain.models.port import ModelWishes, ToolSpec
from memory.errors import bad_field

TOOLS = 128
"""How many a request may bring."""

Word = Annotated[str, Field(min_length=1, max_length=1_000)]
_NO_PARAMETERS = {"type": "object", "properties": dict[str, Any]()}


class FunctionForm(FieldGroup):
    """A function as the client describes it."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,128}$")]
    description: str | None = None
    parameters: dict[str, Any] | None = None
    strict: bool | None = None


class ToolForm(FieldGroup):
    """A tool of the client's own; it runs there, not here."""

    type: Literal["function"]
    function: FunctionForm

    @property
    def spec(self) -> ToolSpec:
        """As a model sees it."""
        form = self.function
        return ToolSpec(
            name=form.name,
            description=form.description or "",
            parameters=form.parameters or _NO_PARAMETERS,
            strict=form.strict,
        )


class ChosenName(FieldGroup):
    """Which function has to be called."""

    name: str


class ToolChosen(FieldGroup):
    """One of the client's tools that has to be called."""

    type: Literal["function"]
    function: ChosenName


class ReplyForm(FieldGroup):
    """The form of the reply: words, any JSON object, or JSON that fits a schema."""

    type: Literal["text", "json_object", "json_schema"]
    json_schema: dict[str, Any] | None = None

    @property
    def is_json(self) -> bool:
        """Whether a program reads the reply."""
        return self.type != "text"


class Sampling(FieldGroup):
    """What the chat and the responses API call by the same name."""

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    parallel_tool_calls: bool | None = None
    service_tier: Word | None = None
    safety_identifier: Word | None = None
    prompt_cache_key: Word | None = None
    prompt_cache_retention: Word | None = None
    prompt_cache_options: dict[str, Any] | None = None


class ReplyWishes(Sampling):
    """What the chat API can wish of a reply."""

    presence_penalty: Annotated[float, Field(ge=-2, le=2)] | None = None
    frequency_penalty: Annotated[float, Field(ge=-2, le=2)] | None = None
    seed: int | None = None
    stop: str | Annotated[list[str], Field(max_length=4)] | None = None
    logit_bias: dict[str, Annotated[float, Field(ge=-100, le=100)]] | None = None
    reasoning_effort: Word | None = None
    verbosity: Word | None = None
    prediction: dict[str, Any] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1)] | None = None
    tools: Annotated[list[ToolForm], Field(max_length=TOOLS)] | None = None
    tool_choice: Literal["none", "auto", "required"] | ToolChosen | None = None
    response_format: ReplyForm | None = None

    @property
    def offered(self) -> tuple[ToolSpec, ...]:
        """The client's tools that the model may call."""
        return () if self.tool_choice == "none" else tuple(tool.spec for tool in self.tools or ())

    @property
    def wishes(self) -> ModelWishes:
        """How the model is to reply."""
        longest = self.max_completion_tokens or self.max_tokens
        told = self.model_dump(include=_SAMPLED, exclude_none=True)
        form = self.response_format if self.response_format and self.response_format.is_json else None
        chosen = self.tool_choice if self.tools and self.tool_choice not in ("none", "auto") else None
        return ModelWishes(
            options={
                **told,
                **({"max_completion_tokens": longest} if longest else {}),
                **({"response_format": form.model_dump(exclude_none=True)} if form else {}),
            },
            tool_choice=chosen.model_dump() if isinstance(chosen, ToolChosen) else chosen,
        )

    def check_tools(self) -> None:
        """Raises ``E_BAD_REQUEST`` for a form without its schema, or a choice among tools that does not fit them."""
        form, chosen = self.response_format, self.tool_choice
        if form and form.type == "json_schema" and not (form.json_schema and form.json_schema.get("name")):
            raise bad_field("response_format.json_schema", "It needs a name and a schema.")
        names = [tool.function.name for tool in self.tools or ()]
        if len(names) != len(set(names)):
            raise bad_field("tools", "Two tools have the same name.")
        if isinstance(chosen, ToolChosen) and chosen.function.name not in names:
            raise bad_field("tool_choice", "It names a tool that is not offered.")
        if chosen == "required" and not names:
            raise bad_field("tool_choice", "It is required, and there are no tools.")


_SAMPLED = {
    *Sampling.model_fields,
    "presence_penalty",
    "frequency_penalty",
    "seed",
    "stop",
    "logit_bias",
    "reasoning_effort",
    "verbosity",
    "prediction",
}
"""What goes to the model under its own name."""
