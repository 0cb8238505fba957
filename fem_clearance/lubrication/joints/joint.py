"""Lubricated joints: films between two frames of a running system."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ... import checks, deprecated
from ...contact.facets.wear import SurfaceWear
from ...contact.wear.periods import kept
from ...core.blocks import Block, Ref
from ...core.component import Cell
from ...core.roles import Algebraic
from ...errors import InputError
from ...model.frame import Frame, triad_about
from ...model.pair import Pair
from ...model.portrait import Portrait
from ..bearings.wearing import WornProfile
from ..closed_forms.journal import ClosedForm
from ..film.dimensions import check_roughness, verified_thickness, warn_of_units
from ..film.film import FILM, PIERCED, PORT, Film, complement_of
from ..film.liner import Lined, Liner
from ..film.peak import add_peak_pressure
from ..film.surface import slides_along
from ..film.thickness import CylinderGap, FlatGap
from ..film.turbulence import warn_if_turbulent
from ..film.wear import WearingFilm
from .first_film import FirstFilm
from .lean import warn_of_lean
from .least_film import add_least_film, add_least_film_on
from .port import PortKind
from .warm_film import add_least_warm_film

logger = logging.getLogger(__name__)

#: part of the film's unit of power that a port adds to the rows of W, see port.py
PIVOT = 1e-3


def add_port(
    item, builder, film: Film | ClosedForm, kind: PortKind, triads, *, start=None,
    more: Sequence[Ref] = (), **numbers: Any,
) -> list[Ref]:  # fmt: skip
    """Register a port between the frames of ``item``, for a film to be built behind it.

    Args:
        item: gives name and frames (``i``, ``j``).
        builder: to add to.
        film: in the axes of the housing's triad.
        kind: of the port's cell.
        triads: of housing and journal at the start, by columns.
        start: e, m; default: from centre to centre.
        more: further unknowns that the kind reads, after those of the frames.
        numbers: further parameters of the kind.

    Returns:
        Unknowns e, t, V, Omega, force and moment of the port.
    """
    name, housing = item.name, triads[0]
    length = float(np.ptp(extent(film))) or film.radius
    rate, turn = film.rate_unit, film.sliding_speed / film.radius
    force = film.power_unit / rate
    lean = film.clearance / length
    if start is None:
        start = housing.T @ (item.j.position - item.i.position)
    place = Algebraic(PORT, force_floor=1.0)
    centre = replace(place, clearance=film.clearance)
    load = Algebraic(FILM, force_floor=1e-6 * film.power_unit, no_number=PIERCED)
    motion = replace(load, counts_forces=True)
    unknowns = {
        "e": (start, centre, film.clearance),
        "t": ((housing.T @ triads[1][:, 2])[:2], place, lean),
        "V": (np.zeros(3), motion, rate),
        "Omega": (np.zeros(3), motion, turn),
        "force": (np.zeros(3), load, force),
        "moment": (np.zeros(3), load, film.power_unit / turn),
    }
    blocks = [
        Block(name, what, values, replace(role, unit=unit))
        for what, (values, role, unit) in unknowns.items()
    ]
    parameters = kind.pack_pair(
        item.i.parameters(triads[0]), item.j.parameters(triads[1]), length=film.clearance,
        lean=lean, drag=PIVOT * film.power_unit * np.repeat([rate, turn], 3) ** -2.0, **numbers,
    )  # fmt: skip
    for block in blocks:
        builder.add_block(block, after=(item.i, item.j))
    refs = [*item.i.refs, *item.j.refs, *more, *(b.all for b in blocks)]
    builder.add_cell(kind, Cell(name, refs, parameters))
    builder.connect(item.i.body, item.j.body)
    return [b.all for b in blocks]


def add_film(
    item, builder, film: Film | ClosedForm, kind: PortKind, triads, *,
    elastic: Sequence[Lined] = (), **numbers: Any,
) -> list[Ref]:  # fmt: skip
    """Register a film between the frames of ``item``: its port and, behind it, the film.

    Args:
        item, builder, film, kind, triads, numbers: see ``add_port``.
        elastic: what its surfaces yield with.

    Returns:
        Unknowns e, t, V, Omega, force and moment of the port.
    """
    if isinstance(film, ClosedForm) or isinstance(film.gap, CylinderGap):
        warn_of_units(item.name, film.clearance, film.radius, builder.extent())
    port = add_port(item, builder, film, kind, triads, **numbers)
    if isinstance(film, ClosedForm):
        film.build(builder, item.name, port[:4])
        return port
    add_film_behind(port, builder, item.name, film, elastic)
    return port


def add_film_behind(
    port: list[Ref], builder, name: str, film: Film, elastic: Sequence[Lined] = ()
) -> None:
    """Register a film at a port that already exists and that several films may share; see
    ``add_film`` for the arguments."""
    warn_if_turbulent(name, film, film.sliding_speed, film.clearance, film.viscosity)
    warn_if_not_fed(name, film)
    pressure = film.build(builder, name, port[:4], elastic)
    add_peak_pressure(builder, name, pressure, np.unique(film.shared))
    if not elastic:  # a liner that has not yielded yet presses with nothing
        first = FirstFilm(film, port, pressure, complement_of(builder, name))
        builder.guess(first.begin)


def warn_if_not_fed(who: str, film: Film) -> None:
    """Say that a film of a journal which conserves its oil is fed at its ends only, if at all."""
    if not (film.cavitation.conserving and isinstance(film.gap, CylinderGap) and film.pressures):
        return
    supplied = film.restrictors or any(film.pressures.values())
    if not (supplied or any(not slides_along(film.surface, name) for name in film.pressures)):
        logger.warning(
            "%s: this film conserves its oil, and no groove, hole or supply pressure replaces what "
            "leaves at its ends, so that it runs empty; give grooves=[Groove(...)] or a pressure "
            "above 0 at a set of nodes, or cavitation=Reynolds(), whose gap is always full.", who,
        )  # fmt: skip


class CylindricalFilm(Pair):
    """A journal in a bearing with nothing but a film between them: except for the drag of the film
    it moves along the axis and turns freely.

    Where smooth surfaces meet there is no film, and the run ends. Films between rough surfaces have
    a transition (``Film.transition``), so that asperities carry any load.

    Args:
        frame_i, frame_j: centres of bearing and journal (or one of them and a rigid body or the
            ground, on which the other centre then lies where this one starts: for a journal that
            starts off centre give both, as ``ground.at((0, 0, 0))``); sections of beams too.
        axis: direction of the bearing's axis at the start, fixed in the housing.
        film: a ``Film``, its surface in axes whose third is ``axis``, also that of a flat pad with
            ``FlatGap()``, whose normal is ``axis``; or a closed form, ``ShortBearing(...)`` or
            ``LongBearing(...)``, which does not resist tilting.
        liner: elastic liner under the film, in the same axes; it moves with the housing, to whose
            mass its own mass belongs unless it has inertia. Default: none.
        journal: elastic journal, a ``Liner`` of a body of revolution in the same axes, whose mass
            belongs to the body of ``frame_j``. Default: the journal is rigid.
        journal_axis: direction of the journal's axis at the start; default ``axis``.
        first: direction near which the first of the film's axes lies at the start; default: the
            fixed axis that is furthest from ``axis``.
        roughness: thickness below which a warning is logged, m; default that of the asperities.
        wear: ``SurfaceWear(...)`` of the bore; needs a film with asperities, and a rigid bore and
            journal; without ``roughness``. Default: none.
        name: for messages and channels.

    Channels: ``eccentricity``, ``ex ey ez`` (m), ``normal_force`` (N, along the line of centres),
    ``force.x .. moment.z`` (of the film on the journal, N and N m, about its centre), in space;
    ``e1 e2 e3``, ``v1 v2 v3`` (m and m/s, position and velocity of the journal's centre along the
    axes of the film, as seen in the bearing); ``min_film`` (m), ``power_loss`` (W, of the film); of
    a ``Film`` its largest pressure ``max_pressure`` (Pa); with asperities ``asperity_force`` (N);
    with wear ``worn_volume`` (m^3) and ``worn_depth`` (m, largest value).

    Raises:
        InputError: no axis, a frame without triad, a film of a ball or pad, surfaces that touch at
            the start, or ``wear`` without asperities, with elastic surfaces or with ``roughness``.

    See docs/lubricated_joints.md. Example::

        lubrication.CylindricalFilm(ground, body.center, (0, 0, 1),
            film=lubrication.ShortBearing(0.015, 0.014, 1e-4, viscosity=0.04))
    """

    prefix, label = "cylindrical_film", "lubricated cylindrical joint"

    @deprecated.arguments(frame_housing="frame_i", frame_journal="frame_j")
    def __init__(
        self,
        frame_i,
        frame_j,
        axis: ArrayLike | None = None,
        *,
        film: Film | ClosedForm,
        liner: Liner | None = None,
        journal: Liner | None = None,
        journal_axis: ArrayLike | None = None,
        first: ArrayLike | None = None,
        roughness: float | None = None,
        wear: SurfaceWear | None = None,
        name: str | None = None,
    ):
        super().__init__(frame_i, frame_j, name)
        axis = checks.axis(self.who, axis)
        if journal_axis is not None:
            journal_axis = checks.direction(f"{self.who}: journal_axis", journal_axis)
        if first is not None:
            first = checks.vector(f"{self.who}: first", first)
            if np.linalg.norm(np.cross(first, axis)) < 1e-6 * np.linalg.norm(first):
                raise InputError(f"{self.who}: first must not lie along the axis.")
        self.triads = [triad_about(a, first) for a in (axis, axis if journal_axis is None
                                                       else journal_axis)]  # fmt: skip
        check_film(self.who, film, (CylinderGap, FlatGap))
        for what, side in (("a liner", liner), ("an elastic journal", journal)):
            if side is not None and not (isinstance(side, Liner) and isinstance(film, Film)):
                raise InputError(f"{self.who}: {what} is a Liner(...) under a Film.")
        if journal is not None:
            journal.check_journal()
        if wear is not None:
            if liner is not None or journal is not None:
                raise InputError(
                    f"{self.who}: wear of elastic surfaces under a film is not available; leave "
                    "out wear=, or liner= and journal=."
                )
            if roughness is not None:
                raise InputError(
                    f"{self.who}: a film whose bore wears gives no warning below a roughness; "
                    "leave out roughness=, and watch min_film."
                )
            film = WearingFilm.of(self.who, film, wear)
        self.film, self.liner, self.journal = film, liner, journal
        #: what yields: bore, journal
        self.elastic: list[Lined] = []
        if roughness is None and isinstance(film, Film) and film.asperities:
            roughness = film.asperities.roughness
        check_roughness(self.who, roughness, film.clearance)
        self.roughness = roughness

    def worn_profile(self, system) -> WornProfile | None:
        """Worn depth of the bore after the latest run of ``system``, which can be the ``recess`` of
        further films. Collective; returns the profile on rank 0 and ``None`` elsewhere.

        Raises:
            InputError: the joint has no ``wear``.
        """
        film = self.film
        if not isinstance(film, WearingFilm):
            raise InputError(f"{self.who}: its bore does not wear; give wear=SurfaceWear(...).")
        found = system.comm.gather([*kept(system.state, self.name, "worn")])
        if found is None:
            return None
        depth = np.zeros(len(film.surface.nodes))
        for cells, worn in sum(found, []):
            depth[film.surface.corners[0][cells]] = worn
        return WornProfile(film.surface.nodes, depth, film.recess)

    def judge(self, table: Any) -> None:
        """Warn of a journal that has leaned out of its bearing."""
        warn_of_lean(self, [triad[:, 2] for triad in self.triads], table)

    def portrait(self):
        film = self.film
        low, high = extent(film)
        sizes = {
            "bearing_radius": film.radius, "journal_radius": film.radius - film.clearance,
            "clearance": film.clearance, "length": high - low, "start": low,
        }  # fmt: skip
        if self.liner is not None:
            sizes["liner_radius"] = self.liner.outer_radius
        axis, first = self.triads[0][:, 2], self.triads[0][:, 0]
        films = [shown(self.name, self.i, self.triads[0])] if isinstance(film, Film) else []
        data = {"first": np.linalg.solve(self.i.basis, first).tolist(), "films": films}
        if isinstance(film, WearingFilm):
            data["wears"] = True
        return Portrait("film", self.i, self.j, axis, sizes, data)

    def build(self, builder) -> None:
        housing, journal = self.triads
        e, t = housing.T @ self.gap, housing.T @ journal[:, 2]
        film = self.film
        thickness = film.thickness(e, t[:2]) + film.valleys
        if thickness.min() <= 0:
            raise InputError(
                f"{self.name}: journal and bearing touch at the start: the film would be "
                f"{thickness.min():.3g} m thick."
            )
        kind = PortKind(self.i.kind, self.j.kind)
        sides = ("liner", self.liner, 1, (self.i, housing)), ("journal", self.journal, -1, None)
        elastic = self.elastic = [
            side.added(builder, film.surface, f"{self.name}.{what}", sign, carrier)
            for what, side, sign, carrier in sides if side is not None and isinstance(film, Film)
        ]  # fmt: skip
        port = add_film(self, builder, film, kind, self.triads, elastic=elastic)
        if isinstance(film, WearingFilm):
            return  # its cells show the least distance
        if isinstance(film, Film) and film.thermal is not None and film.thermal.expands:
            add_least_warm_film(elastic, builder, self.name, film, port[:4], self.roughness)
        # no circle leaves room for a recess, or is a plane
        elif isinstance(film, Film) and (
            elastic or film.recess is not None or isinstance(film.gap, FlatGap)
        ):
            add_least_film_on(elastic, builder, self.name, film, port[:4], self.roughness)
        else:
            add_least_film(
                self, builder, self.triads, film.clearance, extent(film), self.roughness,
                whole=isinstance(film, Film) and not film.asperities,
                parallel=isinstance(film, ClosedForm),
                verified=verified_thickness(film),
            )  # fmt: skip


def shown(
    series: str, frame: Frame, axes: np.ndarray, *, side: str = "i", origin=(0.0, 0.0, 0.0),
    turning: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Where the film of a series of files lies, as ``scene.json`` has it.

    Args:
        series: name of the files.
        frame: in which it lies, frame i or j (``side``) of the joint.
        axes: of the film at the start, by columns.
        origin: of the film in its axes from the frame's point, m.
        turning: whether its third axis follows the line of centres.
    """
    local = np.linalg.solve(frame.basis, axes)
    return {
        "series": series, "side": side, "axes": local.tolist(), "origin": list(origin),
        "turning": turning,
    }  # fmt: skip


def check_film(who: str, film, gaps: tuple[type, ...] = (CylinderGap,)) -> None:
    """Refuse what is no film of a journal, gaps other than ``gaps``, and closed forms for a journal
    whose centre rests."""
    if not isinstance(film, Film | ClosedForm):
        raise InputError(
            f"{who}: film must be a Film or a closed form such as ShortBearing(...), got {film!r}."
        )
    if isinstance(film, Film) and not isinstance(film.gap, gaps):
        raise InputError(
            f"{who}: the film of a journal needs gap=CylinderGap(), got {film.gap!r}; that of a "
            "ball belongs in SphericalClearance(film=...), that of a pad in "
            "LubricatedTranslational(film=...)."
        )
    if not getattr(film, "moving", True):
        raise InputError(
            f"{who}: {type(film).__name__} with Guembel's condition is right only while the "
            "journal's centre rests; use Full(), or ShortBearing."
        )


def check_same(who: str, what: str, value: float, wanted: float) -> None:
    """Refuse a film whose radius or clearance, m, is not that of the joint."""
    if abs(value - wanted) > 1e-6 * wanted:
        raise InputError(f"{who}: the film has a {what} of {value:g} m, the joint of {wanted:g} m.")


def extent(film: Film | ClosedForm) -> tuple[float, float]:
    """Where a film begins and ends along its axis, m."""
    if isinstance(film, ClosedForm):
        return film.extent
    along = film.surface.points[:, 2]
    return float(along.min()), float(along.max())
