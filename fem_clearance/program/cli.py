"""The program ``fem-clearance``.

Exit codes: 0 done, 1 an error in the program, 2 bad input, 3 stopped early (results so far are
kept), 141 nobody reads the output any more.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence

import numpy as np

from .. import __version__, checks
from .._signals import handled, launched, over
from ..errors import InputError, Interrupted, LimitReached, SingularSystem, StepFailed
from . import BAD_INPUT, BROKEN, DONE, STOPPED, UNREAD


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code, which is the same on every rank."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if _light(arguments) and not launched():
        return _main(arguments, True, lambda code, message: (code, message))
    from .._backend import MPI
    from ..core.ends import agree

    if MPI.COMM_WORLD.size == 1:
        return _main(arguments, True, lambda code, message: (code, message))
    comm = MPI.COMM_WORLD.Dup()

    def agreed(code, message):
        try:
            return agree(comm, code, message)
        finally:
            comm.Free()

    return _main(arguments, comm.rank == 0, agreed)


def _light(arguments: list[str]) -> bool:
    """Whether no model is built or read, so that MPI, PETSc and DOLFINx need not be loaded."""
    command = _command(arguments)
    asked = {"-h", "--help", "--version"} & set(arguments)
    return bool(asked) or command not in COMMANDS or command == "list"


def _main(arguments: list[str], root: bool, agreed: Callable[[int, str], tuple[int, str]]) -> int:
    """Run a command.

    Args:
        root: whether this rank prints.
        agreed: combines exit codes and messages of all ranks.
    """
    debug = "--debug" in arguments
    screen = _screen(root, "--quiet" in arguments)
    logger = logging.getLogger("fem_clearance")
    logger.addHandler(screen)
    level = logger.level
    logger.setLevel(min(level or logging.INFO, logging.INFO))
    code, message, problem = BROKEN, "", None
    try:
        # the package gives its own warnings
        with handled(), np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="ufl")
            code = _run(_parser().parse_args(_spread(arguments)), root)
    except SystemExit as end:  # argparse has printed help
        code = end.code if isinstance(end.code, int) else DONE
    except BrokenPipeError:
        code = _unread()
    except (Exception, KeyboardInterrupt) as error:
        code, message, problem = *_explain(error), error
    finally:
        logger.removeHandler(screen)
        logger.setLevel(level)
    if problem and debug:
        traceback.print_exception(problem)
    code, message = agreed(code, message)
    over()
    try:
        if root and message:
            print(f"fem-clearance: {message}", file=sys.stderr)
        sys.stdout.flush()
    except BrokenPipeError:
        code = _unread()
    return code


def _unread() -> int:
    """The reader of the output has gone, as in ``fem-clearance list | head -1``: discard the rest
    silently."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):  # a stream without a file
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
    return UNREAD


def _explain(error: BaseException) -> tuple[int, str]:
    """Exit code and one sentence for an error."""
    if isinstance(error, InputError):
        return BAD_INPUT, str(error)
    if isinstance(error, (Interrupted, LimitReached)):
        return STOPPED, f"stopped early: {error}; 'fem-clearance resume' goes on."
    if isinstance(error, KeyboardInterrupt):
        return STOPPED, f"stopped early: {error or 'interrupted'}; run the same command again."
    if isinstance(error, (StepFailed, OSError)):
        return STOPPED, f"stopped early: {error}"
    from .._backend import PETSc
    from ..core.linear_solvers import said
    from ..user_code import described, place
    from .case_files import FOLDERS

    if isinstance(error, PETSc.Error):
        return STOPPED, f"stopped early: {said(error.ierr)}."
    if isinstance(error, SingularSystem):
        return (
            BAD_INPUT,
            f"the equations are singular at the start ({error}); does a joint hold every body?",
        )
    if isinstance(error, Exception) and (where := place(error, FOLDERS)):
        return BAD_INPUT, f"{where}: {described(error)}"
    return BROKEN, f"error in the program: {type(error).__name__}: {error} (--debug shows where)"


def _run(options, root: bool) -> int:
    if options.command == "list":
        from . import listing

        if root:
            print(*listing.lines(), sep="\n", flush=True)
        return DONE
    from . import commands

    return getattr(commands, f"do_{options.command}")(options) or DONE


# --- the command line ---------------------------------------------------------------------------
class _Parser(argparse.ArgumentParser):
    """Errors are one sentence, with a suggestion."""

    def error(self, message):
        raise InputError(f"{message}; '{self.prog} --help' shows how to call it.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="fem-clearance",
        description="Flexible multibody systems with clearance joints.",
        epilog="Exit codes: 0 done, 2 bad input, 3 stopped early (results so far are kept).",
    )
    parser.add_argument("--version", action="version", version=f"fem_clearance {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    commands.required = True
    common = _Parser(add_help=False)
    common.add_argument("--debug", action="store_true", help="show the traceback of an error")
    common.add_argument("--quiet", action="store_true", help="print warnings and errors only")
    case = _Parser(add_help=False)
    case.add_argument(
        "case", metavar="CASE", help="name of a case, a .py file with a case, or a case.toml"
    )
    setting = _Parser(add_help=False)
    setting.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a parameter (may be repeated)",
    )
    time = _Parser(add_help=False)
    time.add_argument("--t-end", metavar="T", help="end time, s")
    trust = _Parser(add_help=False)
    trust.add_argument(
        "--trust", action="store_true", help="run the Python file that the folder names as its case"
    )

    def add(name, text, *parents):
        return commands.add_parser(name, help=text, description=text, parents=[*parents, common])

    add("list", "show the cases")
    add("check", "build a case without running it; show its parameters", case, setting)
    modes = add(
        "modes", "find the equilibrium of a case, its natural frequencies and modes", case, setting
    )
    modes.add_argument("--count", default="10", metavar="N", help="number of modes (default 10)")
    modes.add_argument(
        "--damped", action="store_true", help="include forces that depend on velocities"
    )
    modes.add_argument("--out", metavar="DIR", help="write modes into this folder, for ParaView")
    run = add("run", "run a case", case, setting, time)
    run.add_argument("--out", metavar="DIR", help="folder of the run (default runs/CASE)")
    run.add_argument("--dt", metavar="H", help="fixed steps of H seconds")
    resume = add("resume", "continue a run from its last checkpoint", time, trust)
    resume.add_argument("folder", metavar="DIR", help="folder of a run")
    export = add("export", "write channels or events as CSV")
    export.add_argument("folder", metavar="DIR", help="folder of a run")
    what = export.add_mutually_exclusive_group()
    what.add_argument(
        "--channel", action="append", nargs="+", metavar="NAME", help="default: all channels"
    )
    what.add_argument(
        "--events",
        action="store_true",
        help="beginnings and ends of contacts: time, owner, kind, speed",
    )
    export.add_argument("--csv", required=True, metavar="FILE", help="the file to write")
    plot = add("plot", "draw figures into DIR/figures", trust)
    plot.add_argument("folder", metavar="DIR", help="folder of a run or sweep")
    plot.add_argument(
        "--channel", nargs="+", action="append", metavar="NAME", help="draw these channels only"
    )
    plot.add_argument(
        "--against", metavar="NAME", help="channel on the horizontal axis (default: time)"
    )
    plot.add_argument("--window", metavar="T0:T1", help="times shown, s; either may be omitted")
    plot.add_argument("--format", default="png", metavar="png,svg,pdf", help="default png")
    seen = _Parser(add_help=False)
    seen.add_argument("folder", metavar="DIR", help="folder of a run")
    seen.add_argument("--view", metavar="VIEW", help="front, back, side, top, iso or x,y,z")
    seen.add_argument("--color", default="bodies", help="bodies, von_mises or pressure")
    seen.add_argument(
        "--speed", metavar="X", help="relative to real time (default: 5 s for the whole run)"
    )
    seen.add_argument(
        "--clearance-scale", metavar="X", help="enlarge clearances (default: until visible)"
    )
    seen.add_argument("--motion-scale", metavar="X", help="enlarge a small motion (or auto)")
    animate = add("animate", "write an animation of the mechanism", seen)
    animate.add_argument("--gif", metavar="FILE", help="the file to write")
    animate.add_argument("--mp4", metavar="FILE", help="the file to write; needs imageio-ffmpeg")
    animate.add_argument(
        "--html", metavar="FILE", help="a page with the moving mechanism, for any browser"
    )
    view = add("view", "show the moving mechanism", seen)
    view.add_argument(
        "--html", metavar="FILE", help="write a page for a browser instead of opening a window"
    )
    report = add(
        "report", "write figures, parameters, key numbers and warnings as one HTML file", trust
    )
    report.add_argument("folder", metavar="DIR", help="folder of a run or sweep")
    report.add_argument("--html", metavar="FILE", help="default DIR/report.html")
    sensitivity = add(
        "sensitivity", "derivatives of a run by some of its parameters", case, setting, time
    )
    sensitivity.add_argument(
        "--by", required=True, metavar="KEY,KEY", help="parameters that are derived by"
    )
    sensitivity.add_argument(
        "--of",
        required=True,
        metavar="NAME,NAME:max",
        help="channels at the end, or their :max, :min, :integral or :integral2 (of the square)",
    )
    sensitivity.add_argument("--out", required=True, metavar="DIR", help="folder of the table")
    sensitivity.add_argument("--dt", metavar="H", help="fixed steps of H seconds")
    sensitivity.add_argument(
        "--method",
        default="auto",
        metavar="WORD",
        help="forward (also over time), adjoint, or auto: by the numbers of outputs and parameters",
    )
    sweep = add(
        "sweep", "run all combinations of the values of some parameters", case, setting, time
    )
    sweep.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="KEY=A,B,C",
        help="values of a parameter (may be repeated)",
    )
    sweep.add_argument("--out", required=True, metavar="DIR", help="folder of the sweep")
    sweep.add_argument("--dt", metavar="H", help="fixed steps of H seconds")
    for command, what in (
        (run, "a finished run"), (sweep, "finished runs of other parameters"),
        (sensitivity, "a table"),
    ):  # fmt: skip
        command.add_argument("--force", action="store_true", help=f"overwrite {what} in DIR")
    for command, whose in ((run, "stop"), (resume, "stop"), (sweep, "stop each run")):
        command.add_argument(
            "--max-wall",
            metavar="S",
            help=f"{whose} after S seconds, compiling included (exit code 3, resumable)",
        )
        command.add_argument(
            "--max-steps", metavar="N", help=f"{whose} after N more steps (likewise)"
        )
    sweep.add_argument(
        "--ranks-per-run", default="1", metavar="N", help="under mpirun: ranks of a run (default 1)"
    )
    return parser


COMMANDS = (
    "list", "check", "modes", "run", "resume", "export", "plot", "animate", "view", "report",
    "sweep", "sensitivity",
)  # fmt: skip


def _command(arguments: list[str]) -> str | None:
    return next((a for a in arguments if not a.startswith("-")), None)


def _spread(arguments: list[str]) -> list[str]:
    """Checks the command's name; ``--set a=1 b=2`` becomes ``--set a=1 --set b=2``."""
    first = _command(arguments)
    if first is not None and first not in COMMANDS:
        raise InputError(
            f"there is no command {first!r}{checks.suggestion(first, COMMANDS)}; "
            f"the commands are {', '.join(COMMANDS)}."
        )
    for word in arguments:
        if word != word.encode(errors="replace").decode():
            raise InputError(f"{word!r} is not UTF-8, which every name and path must be.")
    result: list[str] = []
    flag = None
    for k, word in enumerate(arguments):
        before = arguments[k - 1] if k else ""
        # a negative number, not an option
        if before in ("--dt", "--t-end", "--max-wall", "--max-steps") and word.startswith("-"):
            result[-1] += "=" + word
            continue
        if flag and before != flag and "=" in word and not word.startswith("-"):
            result.append(flag)
        result.append(word)
        if word.startswith("-"):
            flag = word if word in ("--set", "--vary") else None
        elif "=" not in word:
            flag = None
    return result


class _Screen(logging.StreamHandler):
    """Messages on standard error, above a progress bar, which replaces messages for batch logs."""

    def emit(self, record):
        if sys.stderr.isatty():
            if getattr(record, "batch", False):
                return
            from tqdm import tqdm

            tqdm.write(self.format(record), file=sys.stderr)
        else:
            self.stream = sys.stderr
            super().emit(record)


def _screen(root: bool, quiet: bool) -> logging.Handler:
    if not root:
        return logging.NullHandler()
    handler = _Screen()
    handler.setLevel(logging.WARNING if quiet else logging.INFO)
    handler.setFormatter(logging.Formatter("%(message)s"))
    return handler
