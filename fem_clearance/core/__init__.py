"""Forms on cells joined by a dof map: unknowns, kernels, state, Newton's method, energy account."""
