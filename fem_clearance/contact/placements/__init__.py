"""How two bodies can touch: where, how deep, and how their surfaces slide."""
