"""Forms on cells glued by a dof map into one system: unknowns, kernels, state, Newton, ledger."""
