"""Everything that is kept of a person as one zip archive, handed out piece by piece."""

import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

from apps.portability.export_person import export_person
from brain.identity import Identity
from brain.resources import Resources

CHUNK_BYTES = 1 << 16


class _Sink:
    """What a zip writer wrote and nobody took yet; it cannot be wound back."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits anywhere else."""

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


async def stage_export(resources: Resources, owner: Identity) -> Path:
    """Write the export into a folder of its own that nobody else may look into; ``drop_export`` removes it."""
    place = Path(mkdtemp(prefix="brain-export-"))
    try:
        await export_person(resources, owner, place / "export")
    except BaseException:
        drop_export(place)
        raise
    return place


def drop_export(place: Path) -> None:
    """Remove what was staged."""
    shutil.rmtree(place, ignore_errors=True)


def stream_export(place: Path) -> Iterator[bytes]:
    """The staged export as an archive, a piece of it in memory at a time; the same export gives the same bytes."""
    folder, sink = place / "export", _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as packed:  # pyright: ignore[reportArgumentType, reportCallIssue]
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
            with path.open("rb") as source, packed.open(entry, "w", force_zip64=True) as target:
                while piece := source.read(CHUNK_BYTES):
                    target.write(piece)
                    yield sink.take()
    yield sink.take()
