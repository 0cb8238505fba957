"""A journal bearing: force, attitude, flow, friction and dynamic coefficients of its oil film.

The journal's centre is held on the x axis (and moves along it with ``eccentricity_rate``); the
housing is at rest.
"""

from ..errors import InputError
from ..lubrication.bearings.bearing import Bearing
from ..plotting import films
from ..runs.case import Case
from ..runs.parameters import Parameter
from ..runs.steady import SteadyResults
from .parts import bearing as _bearing
from .parts.films import counters


def _ratio(name, value):
    if not -1 < value < 1:
        raise InputError(
            f"{name} must be between -1 and 1, got {value:g}: the journal would touch the bearing."
        )
    return value


def build(p):
    return _bearing.roughened(_bearing.plain_film(p), p, _bearing.STEEL)


def analyse(film, p):
    bearing = Bearing(film)
    state = _bearing.solved(bearing, p)
    found, more = _bearing.numbers(state, p)
    fields = {"film": films.vtk(film, state)}
    return SteadyResults(more, found, fields, counters(bearing))


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
    derived_settings=_bearing.derived_settings,
)
