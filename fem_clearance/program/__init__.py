"""The command ``fem-clearance``: its subcommands and exit codes."""

from .._signals import STOPPED

__all__ = ["BAD_INPUT", "BROKEN", "DONE", "STOPPED", "UNREAD"]

#: success; an error in the program; bad input (``STOPPED``: stopped early, results so far are kept)
DONE, BROKEN, BAD_INPUT = 0, 1, 2
#: exit code of a program ended by SIGPIPE: nobody reads the output any more
UNREAD = 141
