"""Which members of what was handed over hold something, and of which system they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import IO

from apps.past.archive import Archive, Member
from apps.past.formats.okf import MAX_BYTES, RESERVED, parse_concept
from apps.past.formats.registry import FORMATS, OKF, Format, recognise
from apps.past.json_values import read_values
from memory.errors import bad_request

LOOKED_AT = 3
"""Values of a member that are looked at before it is taken for something else."""
_PAGE = "myactivity.html"


@dataclass(frozen=True)
class Recognised:
    """The members of one system, in their order."""

    format: Format
    members: tuple[Member, ...]

    @property
    def size(self) -> int:
        """Bytes that are to be read."""
        return sum(each.size for each in self.members)


def recognise_archive(archive: Archive) -> Recognised:
    """Find what can be read. Raises ``E_BAD_REQUEST`` where that is nothing, or of several systems at once."""
    found = [(each, which) for each in archive.members if (which := _format_of(each))]
    formats = {which.name: which for _, which in found if which is not OKF} or {which.name: which for _, which in found}
    if not formats:
        raise _unknown(archive)
    if len(formats) > 1:
        named = " and ".join(sorted(each.title for each in formats.values()))
        raise bad_request(f"There are exports of {named} in it.", "Import one after the other.")
    chosen = next(iter(formats.values()))
    return Recognised(chosen, tuple(member for member, which in found if which is chosen))


def values_of(member: Member, source: IO[bytes]) -> Iterator[object]:
    """What a member holds, one value after the other."""
    if member.ending == ".md":
        concept = parse_concept(source.read(MAX_BYTES + 1))
        return iter(() if concept is None else (concept,))
    return read_values(source, member.name)


def _format_of(member: Member) -> Format | None:
    name = PurePosixPath(member.name).name.lower()
    if member.ending == ".html" or name in RESERVED:
        return None
    with member.open() as source:
        if member.ending == ".md":
            return OKF if any(values_of(member, source)) else None
        return next(filter(None, map(recognise, islice(values_of(member, source), LOOKED_AT))), None)


def _unknown(archive: Archive) -> Exception:
    if any(PurePosixPath(each.name).name.lower().replace(" ", "") == _PAGE for each in archive.members):
        return bad_request(
            "This activity was exported as HTML, which is not read.", "In Google Takeout choose JSON as its format."
        )
    known = ", ".join(each.title for each in FORMATS)
    return bad_request(f"{archive.name[:200]!r} is no export that Brain knows.", f"It reads those of {known}.")
