"""The functions of the time loop in C, their compilation, and what Python shares with them."""
