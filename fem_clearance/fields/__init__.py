"""What bodies and films look like at one instant: surfaces, stresses, pressures, as arrays."""
