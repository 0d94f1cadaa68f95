"""``/v1/embeddings``: vectors of a client's texts, by the embedder of Brain's memory. Nothing of them is kept."""

import asyncio
from base64 import b64encode
from struct import pack
from typing import Annotated, Any, Literal

from pydantic import Field

from apps.chat_api.reading import FieldGroup, read_fields
from brain.prompting.tokens import count_tokens
from brain.resources import Resources
from memory.embedding import Vector
from memory.errors import BrainError, bad_field

INPUTS = 2_048
"""Texts in one request."""
TEXT_CHARACTERS = 4_000
"""Of one text: the encoder reads no more of it."""

Text = Annotated[str, Field(min_length=1, max_length=TEXT_CHARACTERS)]


class EmbeddingRequest(FieldGroup):
    """The body. Any model may be named; the answer tells which one there is. ``user`` changes nothing of a vector."""

    input: Text | Annotated[list[Text], Field(min_length=1, max_length=INPUTS)]
    model: str = ""
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: Annotated[int, Field(ge=1)] | None = None
    user: str | None = None

    @property
    def texts(self) -> list[str]:
        """One or many."""
        return [self.input] if isinstance(self.input, str) else self.input


def parse_embedding_request(body: bytes) -> EmbeddingRequest:
    """The request. Raises ``E_BAD_REQUEST`` that names the field."""
    return read_fields(body, EmbeddingRequest, {})


async def embed_texts(asked: EmbeddingRequest, resources: Resources) -> dict[str, Any]:
    """Raises ``E_NOT_FOUND`` without an embedder, ``E_BAD_REQUEST`` for another number of dimensions."""
    embedder = resources.embedder
    if embedder is None:
        raise BrainError("E_NOT_FOUND", "There is no embedding model.", "BRAIN_EMBEDDINGS names one.", "model")
    async with asyncio.timeout(resources.settings.request_timeout):
        vectors = await embedder.embed(asked.texts)
    if asked.dimensions not in (None, len(vectors[0])):
        raise bad_field("dimensions", f"The vectors of this model have {len(vectors[0])}.")
    tokens = sum(count_tokens(text) for text in asked.texts)
    return {
        "object": "list",
        "data": [
            {"object": "embedding", "index": place, "embedding": _encode(vector, asked.encoding_format)}
            for place, vector in enumerate(vectors)
        ],
        "model": embedder.name,
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def _encode(vector: Vector, form: Literal["float", "base64"]) -> list[float] | str:
    """Base64 is of little-endian floats of four bytes, as OpenAI's clients read it."""
    return list(vector) if form == "float" else b64encode(pack(f"<{len(vector)}f", *vector)).decode()
