"""Forms on cells glued by incidence into one system: unknowns, kernels, state, Newton, ledger."""
