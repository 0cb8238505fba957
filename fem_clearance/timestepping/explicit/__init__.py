"""Central differences: the method, its inertia, the largest stable step."""
