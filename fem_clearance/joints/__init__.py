"""Joints: constraints, drivers, springs, attachments between bodies."""
