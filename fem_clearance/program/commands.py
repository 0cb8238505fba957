"""What the commands of ``fem-clearance`` do. Every rank calls them; rank 0 prints and writes.

A command returns ``None`` when all went well, else the exit code.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .. import checks
from .._backend import MPI
from ..errors import InputError
from ..io import folder
from ..io.ranks import on_root
from ..io.relay import relayed
from ..io.toml import shortest
from ..runs.case import Case
from ..runs.modes import eigenmodes
from ..runs.parameters import Values, assignment
from ..runs.results import Results
from ..runs.statics import Statics
from ..runs.steady import SteadyRun
from ..runs.sweep import Sweep
from ..runs.sweep_results import COMMAND, MARK, is_sweep
from ..runs.sweep_results import draw as draw_sweep
from ..sensitivity.sensitivity import METHODS, Sensitivity
from . import DONE, STOPPED
from .case_files import load, to_resume


def say(text: str) -> None:
    """Print on rank 0."""
    if MPI.COMM_WORLD.rank == 0:
        print(text, flush=True)


def do_check(options) -> None:
    """``fem-clearance check``"""
    case, values = _case(options)
    simulation = case.simulation(values, progress=False)
    if isinstance(simulation, SteadyRun):
        _parameters(case, values)
        say("\nan analysis without time: what concerns steps and output has no effect")
        return
    system = simulation.system
    with folder.run_log(system.comm):
        problem = system.assemble()
    order = problem.comm.allreduce(int(problem.dynamic[: problem.owned].sum()))
    _parameters(case, values)
    say(
        f"\n{len(system.items)} bodies, joints, loads and probes; {order} coordinates, "
        f"{problem.size - order} multipliers and other algebraic unknowns"
    )
    for kind, cells in system.cells.items():
        say(f"  {sum(cell.count for cell in cells):6d} x {kind.label}")
    say(f"channels: {', '.join(system.channels.names)}")


def do_modes(options) -> None:
    """``fem-clearance modes``"""
    case, values = _case(options)
    count = checks.count("--count", options.count)
    system = case.model(values).system
    with folder.run_log(system.comm), relayed(system.comm):
        equilibrium = Statics(system, time=0.0, release=True).solve().last
        modes = eigenmodes(system, count, at=equilibrium, damped=options.damped)
    for line in modes.names:
        say(line)
    if options.out:
        files = modes.save(options.out)
        say(f"{len(files)} modes in {options.out}")


def _parameters(case: Case, values: Values) -> None:
    say(f"{case.name}: {case.description}\n")
    for name in values:
        say(f"  {_line(values, name)}")


def _line(values: Values, name: str) -> str:
    p, value = values.parameters[name], values[name]
    text = "-" if value is None else shortest(value) if isinstance(value, float) else str(value)
    choices = f" ({', '.join(map(str, p.choices))})" if p.choices else ""
    mark = "*" if name in values.given else " "
    return f"{mark} {name:22} {text:>14} {p.unit:6} {p.text}{choices}".rstrip()


def _case(options) -> tuple[Case, Values]:
    """The case and its parameters: the file's, then those of the command line."""
    case, changes = load(options.case)
    changes |= _changes(options)
    return case, case.resolve(changes)


def _changes(options) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for text in options.set:
        key, value = assignment(text)
        if key in changes:
            raise InputError(f"{key} is set twice.")
        changes[key] = value
    for key in ("t_end", "dt"):
        if key in changes and getattr(options, key, None) is not None:
            raise InputError(f"{key} is set twice.")
    if getattr(options, "t_end", None) is not None:
        changes["t_end"] = options.t_end
    if getattr(options, "dt", None) is not None:
        changes["dt"] = options.dt
        changes["adaptive"] = False
    elif "dt" in changes:
        changes.setdefault("adaptive", False)
    return changes


def _limits(options) -> dict[str, Any]:
    """``--max-wall`` and ``--max-steps``."""
    wall, steps = options.max_wall, options.max_steps
    return {
        "max_wall": None if wall is None else checks.positive("--max-wall", wall),
        "max_steps": None if steps is None else checks.count("--max-steps", steps),
    }


def do_run(options) -> None:
    """``fem-clearance run``"""
    case, values = _case(options)
    out = options.out or Path("runs") / case.name
    simulation = case.simulation(
        values, output=out, overwrite=options.force, progress=not options.quiet, **_limits(options)
    )
    simulation.run()
    _say_where(out, options)


def do_resume(options) -> None:
    """``fem-clearance resume``"""
    run = folder.RunFolder(options.folder)
    path = run.path / folder.CASE
    if not run.path.is_dir():
        raise InputError(f"there is no folder {run.path}.")
    if (run.path / MARK).exists():
        where = f", which stands in {run.path / COMMAND}" if (run.path / COMMAND).exists() else ""
        raise InputError(
            f"{run.path} is a sweep: to continue its runs, repeat the command that started it"
            f"{where}."
        )
    if not path.exists():
        why = "no case.toml"
        if run.is_run:
            why = "it was started by a script: use Simulation(...).run(resume=True) there"
            if run.is_empty:
                why = "it was stopped before it had written anything: run it again"
        raise InputError(f"{run.path} holds no run that can be resumed from the shell ({why}).")
    case, changes = to_resume(run.path, options.trust)
    if not options.trust:
        folder.refuse_links(*(run.path / name for name in folder.OURS))
    if options.t_end is not None:
        changes["t_end"] = options.t_end
    simulation = case.simulation(
        changes, output=run.path, progress=not options.quiet, **_limits(options)
    )
    simulation.run(resume=run.is_run)
    _say_where(run.path, options)


def _say_where(out, options) -> None:
    if not options.quiet:
        say(f"results in {out} ('fem-clearance plot {out}' draws them)")


def do_export(options) -> None:
    """``fem-clearance export``"""
    names = [n for group in options.channel or [] for n in group] or None

    def written():
        results = Results.open(_there(options.folder))
        if options.events:
            results.events_to_csv(options.csv)
        else:
            results.to_csv(options.csv, names)

    on_root(MPI.COMM_WORLD, written)


def do_plot(options) -> None:
    """``fem-clearance plot``"""
    if is_sweep(Path(options.folder)):
        drawn_to = on_root(MPI.COMM_WORLD, lambda: draw_sweep(Path(options.folder)))
        if not options.quiet:
            say(f"{drawn_to}" if drawn_to else "no run has numbers to draw")
        return
    from . import figures

    formats = figures.formats(options.format)
    window = figures.window(options.window) if options.window else None
    names = [n for group in options.channel or [] for n in group]
    if options.against and not names:
        raise InputError("--against needs --channel: what is drawn over it.")
    if not names and not window:
        _draw(options, formats)
        return

    def drawn():
        run = _there(options.folder)
        return figures.draw_channels(run, names, options.against, window, formats)

    _say_figures(options, on_root(MPI.COMM_WORLD, drawn))


def _draw(options, formats=("png",)) -> None:
    """All figures of a run."""
    from ..plotting import solids
    from . import figures, pictures

    def drawn():
        run = _there(options.folder)
        files = figures.draw(run, options.trust, formats)
        return [*pictures.mechanism(run), *files, *solids.draw(run, files)]

    _say_figures(options, on_root(MPI.COMM_WORLD, drawn))


def _say_figures(options, written) -> None:
    if not options.quiet:
        what = "1 figure" if len(written) == 1 else f"{len(written)} figures"
        say(f"{what} in {Path(options.folder) / folder.FIGURES}")


def do_view(options) -> None:
    """``fem-clearance view``"""
    from . import pictures

    path = _there(options.folder)
    on_root(MPI.COMM_WORLD, lambda: pictures.view(path, options))


def do_animate(options) -> None:
    """``fem-clearance animate``"""
    from . import pictures

    path = _there(options.folder)
    for file in on_root(MPI.COMM_WORLD, lambda: pictures.animate(path, options)):
        if not options.quiet:
            say(f"{file}")


def do_report(options) -> None:
    """``fem-clearance report``"""
    from . import report, sweep_report

    path = _there(options.folder)
    target = Path(options.html or path / "report.html")
    if not options.html:
        folder.refuse_links(target)
    if is_sweep(path):
        on_root(MPI.COMM_WORLD, lambda: sweep_report.write(path, target))
        if not options.quiet:
            say(f"{target}")
        return
    if not any((path / folder.FIGURES).glob("*")):
        _draw(options)
    on_root(MPI.COMM_WORLD, lambda: report.write(path, target, options.trust))
    if not options.quiet:
        say(f"{target}")


def _there(path) -> Path:
    path = Path(path)
    if not path.is_dir():
        raise InputError(f"there is no folder {path}.")
    return path


def _listed(text: str) -> list[str]:
    """Values separated by commas; a list in brackets is one value."""
    if re.fullmatch(r"[-+.\deE]+(:[-+.\deE]+)+", text):
        raise InputError(f"--vary needs values between commas, such as 1e-4,2e-4, got {text!r}.")
    values = [v.strip() for v in re.split(r",(?![^\[]*\])", text)]
    if not all(values):
        raise InputError(f"--vary needs values between commas, got {text!r}.")
    return values


def do_sweep(options) -> int:
    """``fem-clearance sweep``"""
    case, fixed = load(options.case)
    axes = dict(assignment(text) for text in options.vary)
    if len(axes) < len(options.vary):
        raise InputError("a parameter is varied twice.")
    vary = {key: _listed(text) for key, text in axes.items()}
    out = Path(options.out)
    sweep = Sweep(case, fixed, _changes(options), vary, out, _limits(options), options.force)
    done = sweep.run(
        team_size=checks.count("--ranks-per-run", options.ranks_per_run),
        progress=not options.quiet,
    )
    return DONE if done else STOPPED


def do_sensitivity(options) -> None:
    """``fem-clearance sensitivity``"""
    case, changes = load(options.case)
    changes |= _changes(options)
    method = checks.choice("--method", options.method, METHODS)
    by, of = ([w.strip() for w in words.split(",")] for words in (options.by, options.of))
    from ..plotting.style import save

    table = Path(options.out) / "sensitivity.csv"
    if table.exists() and not options.force:
        raise InputError(f"{table} exists; give another folder, or --force.")
    derived = Sensitivity(case, at=changes, by=by, of=of).derivatives(method=method, histories=True)
    channels = dict.fromkeys(name for name, _ in derived.histories)

    def written():
        table.parent.mkdir(parents=True, exist_ok=True)
        derived.to_csv(table)
        figures = table.parent / folder.FIGURES
        figures.mkdir(exist_ok=True)
        save(derived.plot(), figures / "sensitivity.png")
        if channels:
            derived.histories_to_csv(table.with_name("histories.csv"))
        for name in channels:
            save(derived.plot_history(name), figures / f"sensitivity_{name}.png")

    on_root(MPI.COMM_WORLD, written)
    say(f"{derived}")
    if not options.quiet:
        say(f"{table}")
