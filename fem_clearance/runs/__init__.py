"""What users call: simulations, statics, modes, cases with their parameters, sweeps, results."""
