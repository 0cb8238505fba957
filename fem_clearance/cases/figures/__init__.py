"""Figures of the cases, a module a mechanism."""
