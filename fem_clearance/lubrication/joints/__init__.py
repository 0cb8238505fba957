"""Joints that hold a film."""
