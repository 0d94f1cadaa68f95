"""The tenant's own anchors and constraints in the stable prefix, behind those of the package."""

from brain.safety.contract import SafetyContract, added_points, packaged_contract

_TITLE = "# What never changes"


def state_contract(system: str, contract: SafetyContract | None) -> str:
    """The system prompt with what a tenant adds: the same bytes for the same contract.

    The points follow the last one of the package; a prompt that lacks that gets the section at its end. What stands
    there as a point already, as in a SOUL, is not said twice.
    """
    stated_lines = frozenset(system.splitlines())
    points = [each for each in added_points(contract) if f"- {each}" not in stated_lines] if contract else []
    if not points:
        return system
    stated = "".join(f"- {point}\n" for point in points)
    own = packaged_contract()
    last = f"- {own.points[-1]}\n" if own else ""
    if last and system.count(last) == 1:
        return system.replace(last, last + stated)
    return f"{system.rstrip()}\n\n{_TITLE}\n\n{stated}"
