"""Solids: elements, loads, condensation, recovered stresses."""
