"""Eigenfrequencies and modes of small motions about a state of a system."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np

from .. import checks
from ..core.initial import SystemState, checked, set_to
from ..core.levels import holding_rates
from ..core.roles import ROTATION, TRANSLATION
from ..core.state import State
from ..errors import InputError
from ..model.system import System
from ..statics.eigen import complex_modes, real_modes
from ..statics.equilibrium import describe_motion
from ..statics.linearised import ROUND, Linearised
from ..statics.rotation import RotatingFrame, SteadyRotation, steady

logger = logging.getLogger(__name__)


class Modes:
    """Modes x exp(lambda t) of small motions, the slowest first.

    Attributes:
        eigenvalues: lambda, 1/s, complex, one of each conjugate pair: i times the angular frequency
            without damping; real and positive for a motion that runs away; 0 for a rigid motion.
        shapes: displacements of all unknowns by global number, modes x unknowns, normalised to
            x* . M x = 1 kg m^2 (x* the conjugate). Internal variables are given by their values.
        frequencies: Im lambda / 2 pi, Hz.
        damping: damping ratios, -Re lambda / abs(lambda).
        energies: share of each item in the kinetic energy of each mode.
        names: a line on each mode.
    """

    def __init__(
        self,
        state: State,
        system: System,
        eigenvalues: np.ndarray,
        shapes: np.ndarray,
        energies: list[dict[str, float]],
    ):
        self.system, self.eigenvalues, self.shapes = system, eigenvalues, shapes
        self.energies = energies
        #: coordinates of the state about which the modes are, by global number, with fixed ones
        self.coordinates = state.problem.initial()[0]
        self.coordinates[: state.size] = state.everything(state.q)

    def __len__(self) -> int:
        return len(self.eigenvalues)

    @property
    def angular_frequencies(self) -> np.ndarray:
        """Im lambda, rad/s."""
        return self.eigenvalues.imag

    @property
    def frequencies(self) -> np.ndarray:
        """Im lambda / 2 pi, Hz."""
        return self.eigenvalues.imag / (2 * np.pi)

    @property
    def damping(self) -> np.ndarray:
        """Damping ratios, -Re lambda / abs(lambda); 0 where lambda is."""
        size = np.abs(self.eigenvalues)
        return -self.eigenvalues.real / np.where(size > 0, size, 1.0)

    @property
    def stable(self) -> bool:
        """Whether no mode grows."""
        return not np.any(self.eigenvalues.real > 1e-9 * np.abs(self.eigenvalues))

    @property
    def names(self) -> list[str]:
        """A line on each mode: frequency, and the items with most of the kinetic energy."""
        lines = []
        for k, (value, share) in enumerate(zip(self.eigenvalues, self.energies, strict=True)):
            what = f"{value.imag / (2 * np.pi):.6g} Hz"
            if value.imag == 0 and value.real != 0:
                what = f"{'grows' if value.real > 0 else 'decays'} by {abs(value.real):.4g} 1/s"
            elif abs(value.real) > 1e-9 * abs(value):
                what += f", damping ratio {self.damping[k]:.3g}"
            largest = sorted(share, key=lambda n: -share[n])[:2]
            parts = ", ".join(f"{n} {100 * share[n]:.0f} %" for n in largest if share[n] > 0.005)
            lines.append(f"mode {k + 1}: {what} ({parts})")
        return lines

    # --- pictures -------------------------------------------------------------------------------
    def displacements(self, k: int) -> list[np.ndarray]:
        """Mode ``k`` (from 0) at the corners of each body's surface, complex, (n, 3) a body; see
        ``fields.surfaces``."""
        from ..fields.surfaces import surfaces

        if not 0 <= k < len(self):
            raise InputError(f"there is no mode {k}: there are 0 to {len(self) - 1}.")
        q = self.coordinates
        shape = np.zeros(len(q), complex)
        shape[: self.shapes.shape[1]] = self.shapes[k]
        size = np.abs(shape).max()
        step = 1e-6 * max(1.0, float(np.abs(q).max())) / (size if size > 0 else 1.0)

        def change(points, direction):
            return (points(q + step * direction) - points(q - step * direction)) / (2 * step)

        return [
            change(s.points, shape.real) + 1j * change(s.points, shape.imag)
            for s in surfaces(self.system)
        ]

    def save(self, folder) -> list[Path]:
        """Write ``mode_01.vtu``, ... for ParaView: the bodies at rest, with the fields ``real`` and
        ``imaginary`` of the displacement (m) at the corners; on rank 0.

        Raises:
            InputError: a folder that cannot be written to.
        """
        from ..io.ranks import on_root

        return on_root(self.system.comm, self._save, Path(folder))

    def _save(self, folder: Path) -> list[Path]:
        from ..fields.surfaces import joined, surfaces
        from ..fields.writer import POLYGON
        from ..io.vtk import vtu

        bodies, q = surfaces(self.system), self.coordinates
        points = [s.points(q) for s in bodies]
        faces, owner = joined(bodies, points)
        files = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for k in range(len(self)):
                field = np.concatenate(self.displacements(k))
                data = {"real": field.real.copy(), "imaginary": field.imag.copy()}
                numbers = {"frequency": np.array([self.frequencies[k]])}
                text = vtu(np.concatenate(points), faces, POLYGON, data, {"body": owner}, numbers)
                files.append(folder / f"mode_{k + 1:02d}.vtu")
                files[-1].write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{folder} cannot be written to: {error.strerror}.") from None
        return files

    def picture(self, path, which=(0, 1, 2, 3), amplitude: float = 0.1) -> Path:
        """Draw modes above each other; see ``plotting.modes.picture``; on rank 0."""
        from ..io.ranks import on_root
        from ..plotting.modes import picture

        return on_root(self.system.comm, picture, self, path, which, amplitude)


def eigenmodes(
    system: System,
    count: int = 10,
    *,
    at: SystemState | None = None,
    damped: bool = False,
    rotation: SteadyRotation | None = None,
) -> Modes:
    """Modes of small motions about a state of a system, the slowest first; collective.

    The state should be an equilibrium: that of ``Statics``, if there are loads. With ``rotation``
    it is an equilibrium relative to a frame in steady rotation
    (``Statics(system, rotation=...)``); the motions are relative to that frame too, and Coriolis
    forces act.

    Args:
        system: bodies, joints, loads; assembled if need be.
        count: number of modes.
        at: the state. Default: the equilibrium of the last run, if that was ``Statics``; else the
            model's own initial values.
        damped: include forces that depend on rates (dampers, films, internal variables); otherwise
            they are omitted, and internal variables keep their values.
        rotation: of the whole system.

    Raises:
        InputError: invalid settings; a motion that is not steady in the rotating frame.

    Example:
        >>> equilibrium = Statics(system).solve().last
        >>> eigenmodes(system, 6, at=equilibrium).frequencies
    """
    if not isinstance(system, System):
        raise InputError(f"eigenmodes needs a System, got {system!r}.")
    count, rotation = checks.count("count", count), steady(rotation)
    at = checked(at)
    state = State(system.assemble())
    if rotation is not None and (rolling := holding_rates(state)):
        raise InputError(
            f"eigenmodes: {', '.join(rolling)} holds velocities (rolling), which is known about a "
            "state at rest only; leave rotation out."
        )
    turning = None if rotation is None else RotatingFrame(state, rotation)
    set_to(state, system.equilibrium if at is None else at)
    if turning is not None:
        state.v[: state.local], state.a[: state.local] = turning.motion()
    linear = Linearised(state, turning)
    _warn_of_imbalance(linear, system.extent())
    stiffness = linear.stiffness()[state.problem.row_class]
    state.scale[:] = np.where(state.problem.constrained & (stiffness > 0), stiffness, 1.0)
    if turning is not None:
        _check_steady(Linearised(state), turning)
    if damped or turning is not None or not linear.symmetric:
        values, shapes = _complex(linear, count, damped)
    else:
        values, shapes = _real(linear, count)
    energies = [_energies(linear, x) for x in shapes]
    return Modes(state, system, values, shapes, energies)


def _real(linear: Linearised, count: int):
    squares, shapes = real_modes(linear, count)
    for k, x in enumerate(shapes):
        resistance = linear.resistance(linear.following(x))
        shapes[k] = x = linear.coordinates(x)
        squares[k] = resistance / linear.product(linear.M, x)
        shapes[k] /= np.sqrt(linear.product(linear.M, x)) * np.sign(x[np.argmax(np.abs(x))])
    squares[np.abs(squares) < ROUND * np.abs(squares).max(initial=0.0)] = 0.0
    order = np.argsort(squares)
    roots = np.sqrt(np.abs(squares[order]))
    return np.where(squares[order] < 0, roots, 1j * roots), shapes[order]


def _complex(linear: Linearised, count: int, damped: bool):
    """One mode of each conjugate pair, and half of the zeros, which also come in pairs."""
    if damped:
        linear.follow_internal()
    values, shapes = complex_modes(linear, count)
    kept, zeros = [], 0
    least = np.sqrt(ROUND) * np.abs(values[: 2 * count]).max(initial=0.0)
    for value, x in zip(values, shapes, strict=True):
        x = linear.coordinates(x)
        inertia = linear.product(linear.M, x)
        if abs(value) < least or abs(value) ** 2 * inertia <= linear.uncertainty(x):
            zeros += 1
            if zeros % 2:
                kept.append((0j, x))
        elif value.imag >= 0 or abs(value.imag) < 1e-9 * abs(value):
            real = abs(value.imag) < 1e-9 * abs(value)
            kept.append((complex(value.real, 0 if real else value.imag), x))
    kept = _ordered(kept)[:count]
    for k, (value, x) in enumerate(kept):
        largest = x[np.argmax(np.abs(x))]
        kept[k] = value, x / (largest / abs(largest)) / np.sqrt(linear.product(linear.M, x))
    return np.array([z for z, _ in kept]), np.array([x for _, x in kept])


def _ordered(pairs: list) -> list:
    """Sorted by absolute value; of equal ones (flutter) the one that grows most comes first."""
    pairs = sorted(pairs, key=lambda p: abs(p[0]))
    steps = [abs(b[0]) > (1 + 1e-6) * abs(a[0]) for a, b in zip(pairs[:-1], pairs[1:], strict=True)]
    group = np.cumsum([0, *steps])
    order = np.lexsort(([-p[0].real for p in pairs], group[: len(pairs)]))
    return [pairs[k] for k in order]


def _energies(linear: Linearised, x: np.ndarray) -> dict[str, float]:
    """Shares of the items in the kinetic energy of a motion."""
    state = linear.state
    parts = linear.parts(linear.M, x)
    total = float(np.sum(parts))
    shares: dict[str, float] = {}
    for b in state.problem.blocks:
        if b.role.order == 2 and total > 0:
            free = b.free_numbers
            shares[b.owner] = shares.get(b.owner, 0.0) + float(np.sum(parts[free])) / total
    return shares


def _warn_of_imbalance(linear: Linearised, extent: float) -> None:
    """Warn if the state is not an equilibrium; ``extent``: size of the system, m."""
    state, classes = linear.state, len(linear.state.problem.row_names)
    rows = np.abs(state.add_over_ranks(state.residual()))
    sizes = state.add_over_ranks(state.problem.sizes())
    noise = state.add_over_ranks(
        linear.times(np.abs(linear.K), np.abs(state.q) + state.problem.offset_magnitude)
    )
    rows = np.where(rows > 1e-13 * noise, rows, 0.0)
    largest = state.largest(sizes, classes)
    # if only forces act, moments are their round-off, and the reverse
    arms = np.array(
        [{TRANSLATION: 1.0, ROTATION: extent}.get(n, 0.0) for n in state.problem.row_names]
    )
    force = np.max(largest[arms > 0] / arms[arms > 0], initial=0.0)
    over = state.largest(rows, classes) > np.maximum(1e-5 * largest, 1e-10 * force * arms)
    if np.any(over):
        logger.warning(
            "these are modes about a state that is not in equilibrium (the %s equations are not "
            "satisfied): find the equilibrium by Statics(system).solve() first",
            " and ".join(name for name, is_over in zip(state.problem.row_names, over, strict=True)
                         if is_over),
        )  # fmt: skip


def _check_steady(linear: Linearised, turning: RotatingFrame) -> None:
    """Refuse loads and supports that do not rotate with the system.

    The rate of change of the forces in the motion, K v + C a + M da/dt + dF/dt, must be balanced by
    rotating reactions; the remainder accelerates the system relative to the rotating frame.
    """
    state, n = linear.state, linear.state.local
    v, a = np.zeros((2, state.total))
    v[:n], a[:n] = turning.motion()
    jerk = np.zeros(state.total)
    jerk[:n] = turning.turned(state.everything(a))[state.numbers[:n]]
    change = linear.times(linear.K, v) + linear.times(linear.C, a) + linear.times(linear.M, jerk)
    change = state.everything(state.add_over_ranks(change + state.drift()))
    algebraic = state.problem.algebraic
    bordered = np.where(
        algebraic[state.problem.coo_rows] | algebraic[state.problem.coo_cols], linear.K, linear.M
    )
    scale = state.everything(state.scale)
    y = linear.coordinates(linear.solve(bordered, -change * scale))
    speed = np.sqrt(linear.product(linear.M, state.everything(v)))
    left = np.sqrt(max(linear.product(linear.M, y), 0.0))
    omega = float(np.linalg.norm(turning.rotation.omega))
    if left > 1e-6 * omega**2 * max(speed, 1e-300):
        who = describe_motion(state, y).split(" ")[0]
        raise InputError(
            f"{who} does not stay at rest in the frame that turns with "
            f"{omega:g} rad/s: loads, gravity and supports must turn with the system or be the "
            "same from all sides, and Statics(system, rotation=...) comes first."
        )
