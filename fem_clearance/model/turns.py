"""Angles over any number of turns, as UFL expressions."""

import ufl


def turned_since(before, x, y):
    """Angle of the direction (x, y) from the angle ``before``, rad, which is at most half a turn:
    ``before`` counts the turns, and is moved on after each step."""
    c, s = ufl.cos(before), ufl.sin(before)
    return ufl.atan2(y * c - x * s, x * c + y * s)
