"""Formats of files: run folders, rows, checkpoints, case files, VTK; nothing of mechanics."""
