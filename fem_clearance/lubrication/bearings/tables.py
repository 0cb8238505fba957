"""Tables of the coefficients of bearings over speed or frequency of whirl."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ... import checks
from ...errors import InputError
from ...joints.coefficient_tables import CoefficientTable
from ..closed_forms.journal import ClosedForm
from ..film.film import Film
from .bearing import Bearing
from .equilibrium import Coefficients, equilibrium
from .tilting import TiltingPadBearing


def coefficient_table(
    bearing: Bearing | Film | ClosedForm | TiltingPadBearing,
    load: ArrayLike,
    speeds: ArrayLike,
    *,
    whirl: ArrayLike | None = None,
) -> CoefficientTable:
    """Dynamic coefficients of a bearing in equilibrium, against its speed.

    Example:
        >>> film = ShortBearing(15e-3, 15e-3, 2e-4, 0.04)
        >>> coefficient_table(film, (0, -50), [100, 200]).write("bearing.toml")

    Args:
        bearing: bearing, film, closed form, or bearing with tilting pads.
        load: force on the journal, N, (2,).
        speeds: speeds of rotation, rad/s, increasing. The coefficients of tilting pads are those
            of synchronous motion.
        whirl: frequencies of whirl, rad/s, increasing, at a single speed; the table is then
            against these frequencies.

    Raises:
        InputError: speeds that are not finite, ``whirl`` with more than one speed.
        StepFailed: no equilibrium was found.
    """
    speeds = np.atleast_1d(np.array(speeds, float))
    if speeds.ndim != 1 or not np.isfinite(speeds).all():
        raise InputError(
            f"coefficient_table: speeds must be finite numbers, got {checks.shown(speeds)}."
        )
    if whirl is not None and len(speeds) != 1:
        raise InputError(
            f"coefficient_table: whirl needs a single speed of rotation, got {len(speeds)}; make a "
            "table for each speed."
        )
    solver = bearing if isinstance(bearing, TiltingPadBearing) else Bearing.of(bearing)
    found, place = [], None
    for speed in map(float, speeds):
        if isinstance(solver, TiltingPadBearing):
            pads = solver.equilibrium(load, speed)
            wanted = [speed] if whirl is None else np.atleast_1d(whirl)
            found += [pads.coefficients(frequency=float(w)) for w in wanted]
            continue
        state = equilibrium(solver, load, speed, place)
        place = np.array(state.place.e[:2])
        each = Coefficients.of(state, errors=False)
        # a film without inertia has the same coefficients at every frequency
        found += [each] * (1 if whirl is None else len(np.atleast_1d(whirl)))
    K, C = (np.stack(z) for z in zip(*((z.stiffness, z.damping) for z in found), strict=True))
    if whirl is None:
        return CoefficientTable(speeds, K, C)
    return CoefficientTable(np.atleast_1d(whirl), K, C, float(speeds[0]))
