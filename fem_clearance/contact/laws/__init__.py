"""Laws of contact: normal forces and friction."""
