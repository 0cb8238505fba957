"""Schematics of the documentation: one module a topic, one function a drawing.

A function named ``cylindrical`` returns the drawing that ``docs/make_schematics.py`` writes to
``docs/figures/schematic_cylindrical.svg``.
"""
