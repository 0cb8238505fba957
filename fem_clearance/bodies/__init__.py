"""Bodies: rigid bodies, beams and solids."""
