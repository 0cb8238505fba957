"""Reduced flexible bodies that move: a few shapes of a solid, and one constant mass matrix."""
