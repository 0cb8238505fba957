"""Figures of channels (matplotlib) and pictures of the moving bodies (VTK, HTML)."""
