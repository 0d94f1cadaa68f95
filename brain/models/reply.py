"""Joins streamed pieces into one message; an answer that broke off is never taken for a finished one."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage, AIMessageChunk, InvalidToolCall, ToolCall
from langchain_core.messages.ai import UsageMetadata, add_ai_message_chunks
from langchain_core.messages.tool import ToolCallChunk
from pydantic import TypeAdapter, ValidationError

from brain.models.errors import (
    INTERRUPTED,
    Interruption,
    ModelInterrupted,
    ModelMalformed,
    ModelRefused,
    ModelUnavailable,
)

_ARGUMENTS = TypeAdapter(dict[str, object])


@dataclass
class ReplyBuffer:
    """The pieces of one answer so far."""

    pieces: list[AIMessageChunk] = field(default_factory=list[AIMessageChunk])

    @property
    def has_reached_user(self) -> bool:
        """Whether words have been streamed, so that the answer can no longer be started over."""
        return any(piece.text for piece in self.pieces)

    @property
    def words(self) -> str:
        """The text and the arguments so far."""
        whole = _join_pieces(self.pieces)
        return "".join((whole.text, *(chunk["args"] or "" for chunk in whole.tool_call_chunks)))

    @property
    def usage(self) -> UsageMetadata | None:
        """The provider's last figures: some send running sums, so joined pieces would count twice."""
        return next((piece.usage_metadata for piece in reversed(self.pieces) if piece.usage_metadata), None)

    def interruption(self, reason: Interruption) -> ModelInterrupted:
        """The words so far, without tool calls: half an argument may look like a whole one."""
        return ModelInterrupted(self.partial_message(), reason)

    def partial_message(self) -> AIMessage:
        """The words so far as a message that says it broke off."""
        whole = _join_pieces(self.pieces)
        return AIMessage(repair_text(whole.text), id=whole.id, response_metadata={"finish_reason": INTERRUPTED})

    def message(self) -> AIMessage:
        """The finished answer. Raises the error that fits a refused, broken-off or unreadable one."""
        whole, ending = _join_pieces(self.pieces), _finish_reason(self.pieces)
        refusal = _refusal(whole, ending)
        if refusal is not None:
            raise refusal
        if ending is None:
            raise (
                self.interruption("model_interrupted")
                if self.has_reached_user
                else ModelUnavailable("model_interrupted")
            )
        calls, dropped = _tool_calls(whole)
        if not whole.text and not calls:
            raise ModelMalformed(f"Neither words nor a readable tool call ({_describe_calls(dropped)}).")
        return AIMessage(
            repair_text(whole.text),
            id=whole.id,
            tool_calls=calls,
            usage_metadata=self.usage,
            response_metadata=_metadata(whole, ending, dropped),
        )


def repair_text(text: str) -> str:
    """Text that any store takes: split surrogate pairs joined again, stray halves and NUL replaced."""
    paired = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return paired.replace("\x00", "\N{REPLACEMENT CHARACTER}")


def _join_pieces(pieces: Sequence[AIMessageChunk]) -> AIMessageChunk:
    return add_ai_message_chunks(pieces[0], *pieces[1:]) if pieces else AIMessageChunk(content="")


def _finish_reason(pieces: Sequence[AIMessageChunk]) -> str | None:
    """Why the model stopped. Read piece by piece: joining would run repeated endings together."""
    endings = (piece.response_metadata.get("finish_reason") for piece in reversed(pieces))
    return next((str(ending) for ending in endings if ending), None)


def _refusal(whole: AIMessageChunk, ending: str | None) -> ModelRefused | None:
    refused = whole.additional_kwargs.get("refusal")
    if refused:
        return ModelRefused(repair_text(str(refused)))
    if ending == "content_filter":
        return ModelRefused(repair_text(whole.text) or "The provider's content filter stopped the answer.")
    return None


def _tool_calls(whole: AIMessageChunk) -> tuple[list[ToolCall], list[InvalidToolCall]]:
    calls: list[ToolCall] = []
    dropped: list[InvalidToolCall] = []
    for position, chunk in enumerate(whole.tool_call_chunks):
        try:
            calls.append(_tool_call(chunk, f"{whole.id}-{position}"))
        except ValidationError as misfit:
            dropped.append(_invalid_call(chunk, misfit.errors()[0]["msg"]))
    return calls, dropped


def _tool_call(chunk: ToolCallChunk, spare_id: str) -> ToolCall:
    """LangChain completes cut-off JSON by guessing; a tool must never run on a guess, so it is parsed again here."""
    arguments = _ARGUMENTS.validate_json(chunk["args"] or "{}")
    return ToolCall(name=chunk["name"] or "", args=arguments, id=chunk["id"] or spare_id, type="tool_call")


def _invalid_call(chunk: ToolCallChunk, error: str) -> InvalidToolCall:
    return InvalidToolCall(
        name=chunk["name"], args=chunk["args"], id=chunk["id"], error=error, type="invalid_tool_call"
    )


def _describe_calls(dropped: Sequence[InvalidToolCall]) -> str:
    return "; ".join(f"{call['name']}: {call['error']}" for call in dropped) or "empty"


def _metadata(whole: AIMessageChunk, ending: str, dropped: Sequence[InvalidToolCall]) -> dict[str, object]:
    metadata: dict[str, object] = {"finish_reason": ending, "model_name": whole.response_metadata.get("model_name", "")}
    if dropped:
        metadata["dropped_tool_calls"] = [{"name": call["name"], "reason": call["error"]} for call in dropped]
    return metadata
