"""The program ``fem-clearance``: its commands, sweeps, jobs over ranks."""
