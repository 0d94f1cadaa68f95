"""What a picture costs a model, and in which form it goes."""

import pytest

from brain.media.wire import estimate_tokens, wire_block
from brain.settings_media import MediaSettings
from memory.errors import BrainError
from memory.media import MediaBlock, StoredMedia
from tests.contract.builders import at
from tests.fakes import a_settings
from tests.pictures import a_pdf, a_wav


def stored(media_type: str, data: bytes = b"x") -> StoredMedia:
    return StoredMedia(sha256="0" * 64, media_type=media_type, created_at=at(), bytes=data)


def cost(width: int, height: int) -> int:
    block = MediaBlock(kind="image", sha256="0" * 64, media_type="image/png", size=1, width=width, height=height)
    return estimate_tokens(block, stored("image/png"))


@pytest.mark.parametrize(
    ("width", "height", "tokens"),
    [(512, 512, 255), (1, 1, 255), (1_024, 1_024, 765), (2_048, 4_096, 1_105), (40_000, 1, 765), (0, 0, 765)],
)
def test_a_picture_costs_what_openai_says_of_its_tiles(width: int, height: int, tokens: int):
    assert cost(width, height) == tokens


def test_each_kind_goes_in_openais_form_and_what_has_none_does_not_go():
    sound = wire_block(stored("audio/wav", a_wav()), "")
    assert sound is not None
    assert (sound["type"], sound["input_audio"]["format"]) == ("input_audio", "wav")
    paper = wire_block(stored("application/pdf", a_pdf()), "bill.pdf")
    assert paper is not None
    assert paper["file"]["filename"] == "bill.pdf"
    assert paper["file"]["file_data"].startswith("data:application/pdf;base64,")
    assert wire_block(stored("audio/ogg"), "") is None
    assert wire_block(stored("text/plain"), "") is None


def test_the_kinds_that_a_model_sees_are_named_in_a_setting():
    settings: MediaSettings = a_settings(model_sees=" image, file ")
    assert settings.seen_kinds == {"image", "file"}
    assert a_settings().seen_kinds == frozenset()
    with pytest.raises(BrainError, match="BRAIN_MODEL_SEES: video is not among image, audio, file"):
        a_settings(model_sees="image,video")
