"""Closed forms of films: short and long bearings, a ball in a socket."""
