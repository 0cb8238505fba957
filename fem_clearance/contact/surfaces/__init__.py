"""Analytic surfaces of frames, on which facets of solids and points of bodies lie."""
