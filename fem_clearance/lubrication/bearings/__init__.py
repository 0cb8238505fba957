"""Bearings alone: films at prescribed motions, equilibria, dynamic coefficients, orbits."""
