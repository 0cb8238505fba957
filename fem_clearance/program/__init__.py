"""The program ``fem-clearance``: its commands, sweeps, jobs over ranks; its exit codes."""

from .._signals import STOPPED

__all__ = ["BAD_INPUT", "BROKEN", "DONE", "STOPPED", "UNREAD"]

#: all went well; an error in the program; bad input; ``STOPPED``: early, results so far are kept
DONE, BROKEN, BAD_INPUT = 0, 1, 2
#: what the shell says of a program that SIGPIPE has ended: nobody reads the output any more
UNREAD = 141
