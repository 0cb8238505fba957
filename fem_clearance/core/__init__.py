"""From forms on cells to one system that steps through time."""
