"""Oil films: Reynolds' equation on a surface, coupled to the bodies it separates."""

from .bearings.bearing import Bearing
from .bearings.equilibrium import (
    Coefficients,
    attitude,
    eccentricity_for,
    equilibrium,
    sommerfeld_number,
    threshold_speed,
)
from .bearings.orbit import Orbit, orbit
from .bearings.place import FilmState, Place
from .bearings.plain import bearing_on, plain_bearing
from .bearings.steady import SteadyBearing
from .closed_forms.journal import ClosedForm, LongBearing, ShortBearing
from .closed_forms.spherical import SphericalSqueeze
from .film.asperities import Asperities
from .film.cavitation import JFO, Full, Guembel, Reynolds, Streamers
from .film.facet_film import GuideFilm
from .film.film import Film
from .film.groove import Groove
from .film.liner import Liner
from .film.lubricant import Barus, DowsonHigginson, Lubricant, Roelands
from .film.pads import joined
from .film.probe import FilmProbe
from .film.surface import Surface, cap, cylinder, pad, sphere
from .film.temperature import Exponential, RoelandsTemperature, Vogel, Walther
from .film.thermal import Adiabatic
from .film.thickness import CylinderGap, FlatGap, SphereGap
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
    "ClosedForm",
    "Coefficients",
    "CylinderGap",
    "CylindricalFilm",
    "DowsonHigginson",
    "Exponential",
    "Film",
    "FilmProbe",
    "FilmState",
    "FlatGap",
    "Full",
    "Groove",
    "Guembel",
    "GuideFilm",
    "JFO",
    "Liner",
    "LongBearing",
    "LubricatedCylindrical",
    "LubricatedSpherical",
    "LubricatedTranslational",
    "Lubricant",
    "Orbit",
    "Place",
    "Reynolds",
    "Roelands",
    "RoelandsTemperature",
    "ShortBearing",
    "SphereGap",
    "SphericalSqueeze",
    "SteadyBearing",
    "Streamers",
    "Surface",
    "Transition",
    "Vogel",
    "Walther",
    "attitude",
    "bearing_on",
    "cap",
    "cylinder",
    "eccentricity_for",
    "equilibrium",
    "joined",
    "orbit",
    "pad",
    "pad_film",
    "plain_bearing",
    "sommerfeld_number",
    "sphere",
    "threshold_speed",
]
