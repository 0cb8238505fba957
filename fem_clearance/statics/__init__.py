"""Systems at rest or in steady rotation: equilibrium, linearisation, modes."""
