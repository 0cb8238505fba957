"""Bodies and films at one instant: surfaces, stresses and pressures as arrays and files."""
