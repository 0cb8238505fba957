"""Files of a run: case files, results, checkpoints, fields."""
