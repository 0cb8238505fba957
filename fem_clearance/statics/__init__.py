"""Systems at rest or in steady rotation: equilibrium, paths, linearisation, eigenvalues."""
