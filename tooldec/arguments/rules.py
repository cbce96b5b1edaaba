"""Which schemas the value of a member has to satisfy, by the member's name."""

from __future__ import annotations

from collections.abc import Sequence

from tooldec.arguments.facts import Members, Spot
from tooldec.arguments.patterns import lacks, reads


def rules(groups: Sequence[Members], name: str) -> list[Spot] | None:
    """The schemas that a member's value has to satisfy; None where there can't be such a member.

    Raises SchemaError for a pattern that isn't followed.
    """
    spots: list[Spot] = []
    for group in groups:
        if name not in group.named and not group.patterns and group.others is None:
            continue  # it says nothing: of a hundred groups one or two do
        found = rules_of(group, name)
        if found is None or any(spot.impossible for spot in found):
            return None
        spots += found
    return spots


def rules_of(group: Members, name: str) -> list[Spot] | None:
    """What one schema says of a member's value; None where readers of its patterns disagree about the name."""
    known = [(pattern, spot, reads(pattern, name)) for pattern, spot in group.patterns]
    if any(not read and not lacks(pattern, name) for pattern, _, read in known):
        return None
    matched = [spot for _, spot, read in known if read]
    if name in group.named:
        return [*matched, group.named[name]]
    return matched or ([] if group.others is None else [group.others])
