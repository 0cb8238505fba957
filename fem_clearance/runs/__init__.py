"""What users call: simulations, statics, modes, cases with parameters, results."""
