"""The model: a system, its ground and frames, what connects two bodies, loads and probes."""
