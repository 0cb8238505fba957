"""A journal bearing: force, attitude, flow, friction and dynamic coefficients of its oil film.

The journal's centre is held on the x axis (and moves along it where ``eccentricity_rate`` says so);
the housing rests.
"""

from ..errors import InputError
from ..io.analysis import Findings
from ..io.case import Case
from ..io.parameters import Parameter
from ..lubrication.bearing import Bearing
from ..lubrication.plain import plain_bearing
from ..plotting import films
from . import _bearing


def _ratio(name, value):
    if not -1 < value < 1:
        raise InputError(
            f"{name} must lie between -1 and 1, got {value:g}: the journal touches the bearing."
        )
    return value


def build(p):
    film = plain_bearing(
        _bearing.RADIUS, _bearing.length(p), p["clearance"], _bearing.lubricant(p),
        cells=_bearing.cells_of(p["film.cells"]), crowd=p["film.crowd"], **_bearing.options(p),
    )  # fmt: skip
    return _bearing.roughened(film, p, _bearing.STEEL)


def analyse(film, p):
    bearing = Bearing(film)
    state = _bearing.solved(bearing, p)
    found, more = _bearing.numbers(state, p)
    summary = {channel.name: value for channel, value in found.items()} | more
    return Findings(
        summary, found, {"film": films.vtk(film, state)}, _bearing.counters(bearing)
    )  # fmt: skip


case = Case(
    "journal_bearing",
    "a journal bearing by Reynolds' equation: load, attitude, flow, dynamic coefficients",
    build,
    [
        Parameter("eccentricity_ratio", 0.6, text="of the journal, along +x", check=_ratio),
        *_bearing.PARAMETERS,
    ],
    figures=films.figures,
    analyse=analyse,
)
