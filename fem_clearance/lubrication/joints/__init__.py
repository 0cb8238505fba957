"""Joints with films."""
