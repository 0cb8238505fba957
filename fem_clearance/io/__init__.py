"""File formats, independent of mechanics: run folders, rows, checkpoints, case files, VTK."""
