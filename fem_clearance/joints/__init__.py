"""Joints: what connects bodies."""
