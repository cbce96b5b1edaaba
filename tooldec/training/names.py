"""Names of tools in the styles that people use: find_user, findUser, user.find, FindUser, find-user."""

from __future__ import annotations

from tooldec.training.draw import Draw


def style(draw: Draw, name: str) -> str:
    """A snake_case name, in one of five styles; mostly it stays as it is."""
    words = [word for word in name.split("_") if word]
    chosen = draw.rng.random()
    if len(words) < 2 or chosen < 0.62 or not draw.listed:
        return "_".join(words)
    if chosen < 0.83:
        return words[0] + "".join(word.capitalize() for word in words[1:])
    if chosen < 0.91:
        return f"{words[-1]}.{'_'.join(words[:-1])}" if draw.chance(0.6) else ".".join(words)
    if chosen < 0.96:
        return "".join(word.capitalize() for word in words)
    return "-".join(words)
