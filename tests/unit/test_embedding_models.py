"""Which embedder the configuration means, and what a local model that fails looks like from outside."""

import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec

import pytest

from brain.embeddings.factory import build_embedder, select_embedding_model
from brain.embeddings.local import OnnxEmbedder, TorchEmbedder
from brain.embeddings.openai import OpenAIEmbedder
from memory.errors import BrainError
from tests.fakes import a_settings


class Numbers(list[float]):
    """An array as the libraries return it."""

    def tolist(self) -> list[float]:
        return list(self)


class FakeModel:
    """A model of either library: two dimensions, by length and first letter."""

    def __init__(self, name: str, device: str = "") -> None:
        if name == "unknown":
            raise OSError("no such model")

    def encode(self, texts: list[str], **options: object) -> Iterable[Numbers]:
        if "boom" in texts:
            raise RuntimeError("out of memory")
        return [Numbers([float(len(text)), float(ord(text[0]))]) for text in texts]

    def embed(self, texts: list[str], batch_size: int) -> Iterable[Numbers]:
        return iter(self.encode(texts))


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both libraries, without their weight."""
    for name, attributes in {
        "sentence_transformers": {"SentenceTransformer": FakeModel},
        "fastembed": {"TextEmbedding": FakeModel},
        "transformers.utils.logging": {"disable_progress_bar": lambda: None},
    }.items():
        module = module_from_spec(ModuleSpec(name, None))
        module.__dict__.update(attributes)
        monkeypatch.setitem(sys.modules, name, module)


def test_nothing_configured_means_no_embedder():
    assert build_embedder(a_settings(embeddings="none")) is None


@pytest.mark.parametrize(
    ("configured", "kind"),
    [("openai:m", OpenAIEmbedder), ("torch:some/model", TorchEmbedder), ("local:m", OnnxEmbedder)],
)
@pytest.mark.usefixtures("libraries")
def test_the_configuration_names_the_embedder(configured: str, kind: type):
    embedder = build_embedder(a_settings(embeddings=configured))
    assert embedder is not None
    assert (type(embedder), embedder.name) == (kind, configured)


@pytest.mark.parametrize(("kind", "library"), [("torch", "sentence_transformers"), ("local", "fastembed")])
def test_a_provider_that_is_not_installed_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, kind: str, library: str
):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(BrainError, match="E_CONFIG") as refused:
        build_embedder(a_settings(embeddings=f"{kind}:m"))
    assert refused.value.hint == f"Run pip install 'brain[{kind}]' first."


@pytest.mark.parametrize("kind", [TorchEmbedder, OnnxEmbedder])
@pytest.mark.usefixtures("libraries")
async def test_a_local_model_makes_unit_vectors_in_order(kind: type[TorchEmbedder] | type[OnnxEmbedder]):
    first, second = await kind("m").embed(["abc", "abcdef"])
    assert first == pytest.approx((3 / (9 + 97**2) ** 0.5, 97 / (9 + 97**2) ** 0.5))
    assert second[0] > first[0]


@pytest.mark.parametrize(("name", "text"), [("unknown", "x"), ("m", "boom")])
@pytest.mark.usefixtures("libraries")
async def test_a_local_model_that_fails_is_a_dependency_that_is_away(name: str, text: str):
    with pytest.raises(BrainError, match="E_DEP_UNAVAILABLE"):
        await TorchEmbedder(name).embed([text])


@pytest.mark.usefixtures("libraries")
async def test_a_local_model_that_failed_once_is_asked_again():
    embedder = TorchEmbedder("m")
    with pytest.raises(BrainError):
        await embedder.embed(["boom"])
    assert len(await embedder.embed(["x"])) == 1


def test_another_model_is_chosen_as_it_is_configured():
    settings = select_embedding_model("torch:other", a_settings(embeddings="openai:m", ranking_policy="s0-rrf@1"))
    assert (settings.embedding_model, settings.ranking_policy) == (("torch", "other"), "s0-rrf@1")


@pytest.mark.parametrize("model", ["none", "word2vec", "openai:", ""])
def test_what_names_no_model_cannot_be_chosen(model: str):
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        select_embedding_model(model, a_settings(embeddings="openai:m"))
