"""Oil films: Reynolds' equation on a surface, coupled to the bodies it separates."""

from .bearings.bearing import Bearing
from .bearings.damper import CircularOrbit, circular_orbit, squeeze_film_damper
from .bearings.equilibrium import (
    Coefficients,
    attitude,
    eccentricity_for,
    equilibrium,
    sommerfeld_number,
    threshold_speed,
)
from .bearings.lobed import lobed_bearing
from .bearings.orbit import Orbit, orbit
from .bearings.pivots import FlexurePivot, LinePivot, Pivot, PointPivot
from .bearings.place import FilmState, Place
from .bearings.plain import bearing_on, plain_bearing
from .bearings.steady import SteadyBearing
from .bearings.tilting import PadsState, TiltingPad, TiltingPadBearing
from .closed_forms.journal import ClosedForm, LongBearing, ShortBearing
from .closed_forms.spherical import SphericalSqueeze
from .film.asperities import Asperities
from .film.cavitation import JFO, Full, Guembel, Reynolds, Streamers
from .film.facet_film import GuideFilm
from .film.film import Film
from .film.groove import Groove
from .film.heated import HeatedSolid
from .film.liner import Liner
from .film.lobe import Lobe, Pocket
from .film.lubricant import Barus, DowsonHigginson, Lubricant, Roelands
from .film.pads import joined
from .film.pair_film import FacetPairFilm
from .film.probe import FilmProbe
from .film.surface import Surface, cap, cylinder, pad, sphere
from .film.temperature import Exponential, RoelandsTemperature, Vogel, Walther
from .film.thermal import Adiabatic
from .film.thickness import CylinderGap, FlatGap, SphereGap
from .film.walls import Conducting, Convection, Shaft
from .joints.cylindrical import LubricatedCylindrical
from .joints.joint import CylindricalFilm
from .joints.spherical import LubricatedSpherical
from .joints.transition import Transition
from .joints.translational import LubricatedTranslational, pad_film

__all__ = [
    "Adiabatic",
    "Asperities",
    "Barus",
    "Bearing",
    "CircularOrbit",
    "ClosedForm",
    "Coefficients",
    "Conducting",
    "Convection",
    "CylinderGap",
    "CylindricalFilm",
    "DowsonHigginson",
    "Exponential",
    "FacetPairFilm",
    "Film",
    "FilmProbe",
    "FilmState",
    "FlatGap",
    "FlexurePivot",
    "Full",
    "Groove",
    "Guembel",
    "GuideFilm",
    "HeatedSolid",
    "JFO",
    "Liner",
    "LinePivot",
    "Lobe",
    "LongBearing",
    "LubricatedCylindrical",
    "LubricatedSpherical",
    "LubricatedTranslational",
    "Lubricant",
    "Orbit",
    "PadsState",
    "Pivot",
    "Place",
    "Pocket",
    "PointPivot",
    "Reynolds",
    "Roelands",
    "RoelandsTemperature",
    "Shaft",
    "ShortBearing",
    "SphereGap",
    "SphericalSqueeze",
    "SteadyBearing",
    "Streamers",
    "Surface",
    "TiltingPad",
    "TiltingPadBearing",
    "Transition",
    "Vogel",
    "Walther",
    "attitude",
    "bearing_on",
    "cap",
    "circular_orbit",
    "cylinder",
    "eccentricity_for",
    "equilibrium",
    "joined",
    "lobed_bearing",
    "orbit",
    "pad",
    "pad_film",
    "plain_bearing",
    "sommerfeld_number",
    "sphere",
    "squeeze_film_damper",
    "threshold_speed",
]
