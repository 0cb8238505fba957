"""Derivatives of results by the numbers that a user sets."""
