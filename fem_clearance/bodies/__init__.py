"""Bodies: what has mass, rigid bodies, beams, solids."""
