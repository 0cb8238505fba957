"""Wear of journals and bearings: Archard's law, worn profiles, their overlap."""
