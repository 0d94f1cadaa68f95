"""Tiny ONNX models, made on the spot: an embedding model of two languages, and a cross-encoder with a taste."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

CONCEPTS: Sequence[Sequence[str]] = (
    ("sister", "sisters", "妹", "姐"),
    ("work", "works", "job", "工", "作"),
    ("bakery", "bread", "面", "包"),
    ("cat", "cats", "猫"),
    ("rain", "rains", "雨"),
    ("tea", "茶"),
)
"""Words of both languages that mean the same to the embedding model; all others mean nothing to it."""
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def embedding_model(folder: Path) -> Path:
    """A folder that fastembed loads: each word is its concept's direction, all others share one more."""
    vocabulary = [*_SPECIAL, *(word for concept in CONCEPTS for word in concept)]
    directions = np.full((len(vocabulary), len(CONCEPTS) + 1), 0.0, np.float32)
    directions[: len(_SPECIAL), -1] = 0.1
    for number, concept in enumerate(CONCEPTS):
        directions[[vocabulary.index(word) for word in concept], number] = 1.0
    gather = helper.make_node("Gather", ["directions", "input_ids"], ["last_hidden_state"])
    return _written(folder, vocabulary, [gather], {"directions": directions}, ["batch", "tokens", len(CONCEPTS) + 1])


def cross_encoder(folder: Path, liked: Mapping[str, float]) -> Path:
    """A folder that fastembed loads: the score of a pair is the sum of what its words are liked."""
    vocabulary = [*_SPECIAL, *liked]
    worth = np.array([*(0.0 for _ in _SPECIAL), *liked.values()], np.float32)[:, None]
    gather = helper.make_node("Gather", ["worth", "input_ids"], ["each"])
    total = helper.make_node("ReduceSum", ["each", "tokens"], ["logits"], keepdims=0)
    constants = {"worth": worth, "tokens": np.array([1], np.int64)}
    return _written(folder, vocabulary, [gather, total], constants, ["batch", 1])


def _written(
    folder: Path,
    vocabulary: Sequence[str],
    nodes: Sequence[NodeProto],
    constants: Mapping[str, NDArray[np.float32] | NDArray[np.int64]],
    shape: Sequence[str | int],
) -> Path:
    folder.mkdir(parents=True)
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])],
        [helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    _tokenizer(vocabulary).save(str(folder / "tokenizer.json"))
    for name, told in {
        "config.json": {"pad_token_id": 0},
        "tokenizer_config.json": {"model_max_length": 128, "pad_token": "[PAD]"},
        "special_tokens_map.json": {"pad_token": "[PAD]", "unk_token": "[UNK]"},
    }.items():
        (folder / name).write_text(json.dumps(told))
    return folder


def _tokenizer(vocabulary: Sequence[str]) -> Tokenizer:
    """Words in small letters, and each Chinese character by itself."""
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(vocabulary)}, "[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(handle_chinese_chars=True, lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    cls, sep = ("[CLS]", vocabulary.index("[CLS]")), ("[SEP]", vocabulary.index("[SEP]"))
    tokenizer.post_processor = processors.BertProcessing(sep, cls)
    return tokenizer
