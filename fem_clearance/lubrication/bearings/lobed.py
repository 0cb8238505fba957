"""Films of bearings with lobes, offset halves and pressure dams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ... import checks
from ..film.cavitation import Cavitation, Reynolds
from ..film.film import Film
from ..film.lobe import Lobe, LobedBore, Pocket, lines
from ..film.lubricant import Lubricant, lubricant_of
from ..film.pads import joined
from ..film.surface import cylinder
from ..film.thermal import Thermal
from ..film.turbulence import Turbulence


def lobed_bearing(
    radius: float, length: float, clearance: float, lubricant: Lubricant | float,
    lobes: Sequence[Lobe], *, sliding_speed: float = 1.0, cells: Sequence[int] = (48, 16),
    cavitation: Cavitation | None = None, pockets: Sequence[Pocket] = (), supply: float = 0.0,
    pressures: Mapping[str, float] | None = None, turbulence: Turbulence | None = None,
    thermal: Thermal | None = None,
) -> Film:  # fmt: skip
    """The film of a bearing whose bore consists of lobes, between which axial grooves feed it.

    Example:
        >>> lemon = Lobe.evenly(2, arc=np.radians(160), preload=0.5, angle=np.pi / 2)
        >>> film = lobed_bearing(15e-3, 30e-3, 0.2e-3, 0.04, lemon, sliding_speed=1.5)
        >>> equilibrium(film, (0.0, -100.0), 100.0).place.e

    Args:
        radius: to which the lobes are machined, m.
        length: m.
        clearance: machined clearance, ``radius`` minus that of the journal, m.
        lubricant: viscosity law, or the viscosity in Pa s.
        lobes: of the bore, which do not overlap, see ``Lobe``.
        sliding_speed: typical sliding speed, m/s.
        cells: of each lobe, around and along.
        cavitation: default ``Reynolds()``.
        pockets: of constant depth in the surface, as of pressure dams; lines of nodes lie along
            their edges.
        supply: pressure in the grooves between the lobes, Pa.
        pressures: set of nodes -> pressure, Pa; default: ambient at the ends ``z0`` and ``z1``,
            ``supply`` at the edges ``start0``, ``end0``, ``start1``, ... of the lobes.
        turbulence: law of turbulent films, see ``Film``.
        thermal: how the oil warms, see ``Film``; the oil in the groove between the lobes 0 and 1
            mixes with ``grooves={"first": ("end0", "start1")}``, other grooves give fresh oil.

    Raises:
        InputError: lobes that overlap, pockets that reach beyond the bearing or that its cells
            cannot resolve.
    """
    checks.positive("film: clearance", clearance)
    lobes = checks.objects("film: lobes", lobes, Lobe, "Lobe(angle, arc, ...)")
    pockets = checks.objects("film: pockets", pockets, Pocket, "Pocket(...)")
    bore = LobedBore(lobes, clearance, checks.positive("film: length", length), pockets)
    pads = []
    for lobe in lobes:
        angles, places = lines(pockets, lobe, length)
        pads.append(
            cylinder(
                radius, length, cells, arc=lobe.arc, start=lobe.start, angles=angles, places=places
            )
        )
    surface = joined(pads)
    if pressures is None:
        edges = {f"{edge}{k}": supply for k in range(len(lobes)) for edge in ("start", "end")}
        pressures = edges | {"z0": 0.0, "z1": 0.0}
    plain = not pockets and not any(lobe.preload for lobe in lobes)
    return Film(
        surface, clearance, lubricant_of(lubricant), cavitation or Reynolds(), dict(pressures),
        sliding_speed=sliding_speed, recess=None if plain else bore,
        turbulence=turbulence or Turbulence(), thermal=thermal,
    )  # fmt: skip
