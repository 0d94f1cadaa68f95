"""Arrays and vectors as PostgreSQL spells them, there and back."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.postings import Ints

_ARRAY_HEADER, _VECTOR_HEADER = 20, 4


def int_array(values: Iterable[int]) -> str:
    """PostgreSQL's own spelling of an integer array: rows of different length travel in one parameter."""
    return "{" + ",".join(map(str, values)) + "}"


def vector_text(vector: Sequence[float]) -> str:
    """A vector in pgvector's own spelling."""
    return f"[{','.join(map(str, vector))}]"


def decode_ints(sent: bytes) -> Ints:
    """An integer array as ``array_send`` spells it: a header, then each number behind its length."""
    return np.frombuffer(sent, ">i4", offset=min(_ARRAY_HEADER, len(sent)))[1::2].astype(np.int32)


def decode_halves(sent: bytes) -> NDArray[np.float32]:
    """A vector as ``halfvec_send`` spells it: a header, then half-precision numbers."""
    return np.frombuffer(sent, ">f2", offset=_VECTOR_HEADER).astype(np.float32)
