"""A bearing by itself: film states at given places, equilibria, coefficients, orbits."""
