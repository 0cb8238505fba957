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
    """Dynamic coefficients of a bearing in equilibrium, over the speed.

    Example:
        >>> film = ShortBearing(15e-3, 15e-3, 2e-4, 0.04)
        >>> coefficient_table(film, (0, -50), [100, 200]).write("bearing.toml")

    Args:
        bearing: whose axes stay parallel; its film; a closed form; or tilting pads.
        load: force on the journal, N, (2,).
        speeds: of rotation, rad/s, increasing. Pads follow synchronous motion.
        whirl: frequencies of a harmonic motion, rad/s, increasing, all at one speed: the
            coefficients then are those over the frequency.

    Raises:
        InputError: speeds that are none, ``whirl`` with more than one speed.
        StepFailed: no equilibrium found.
    """
    speeds = np.atleast_1d(np.array(speeds, float))
    if speeds.ndim != 1 or not np.isfinite(speeds).all():
        raise InputError(
            f"coefficient_table: speeds must be finite numbers, got {checks.shown(speeds)}."
        )
    if whirl is not None and len(speeds) != 1:
        raise InputError(
            f"coefficient_table: whirl belongs to one speed of rotation, got {len(speeds)}; make a "
            "table for each."
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
