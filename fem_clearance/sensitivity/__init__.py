"""Derivatives of results with respect to the parameters of a model."""
