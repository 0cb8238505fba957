"""Oil films: Reynolds' equation on a surface, coupled to the bodies it separates."""

from .asperities import Asperities
from .bearing import Bearing
from .cavitation import JFO, Full, Guembel, Reynolds, Streamers
from .closed_form import ClosedForm, LongBearing, ShortBearing
from .closed_spherical import SphericalSqueeze
from .cylindrical import LubricatedCylindrical
from .density import DowsonHigginson
from .equilibrium_bearing import (
    Coefficients,
    attitude,
    eccentricity_for,
    equilibrium,
    sommerfeld_number,
    threshold_speed,
)
from .facet_film import GuideFilm
from .film import Film
from .film_probe import FilmProbe
from .gap import CylinderGap, FlatGap, SphereGap
from .groove import Groove
from .joint import CylindricalFilm
from .liner import Liner
from .lubricant import Barus, Lubricant, Roelands
from .orbit import Orbit, orbit
from .place import FilmState, Place
from .plain import bearing_on, plain_bearing
from .spherical import LubricatedSpherical
from .surface import Surface, cap, cylinder, pad, sphere
from .transition import Transition
from .translational import LubricatedTranslational, pad_film

__all__ = [
    "Asperities",
    "Barus",
    "Bearing",
    "ClosedForm",
    "Coefficients",
    "CylinderGap",
    "CylindricalFilm",
    "DowsonHigginson",
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
    "ShortBearing",
    "SphereGap",
    "SphericalSqueeze",
    "Streamers",
    "Surface",
    "Transition",
    "attitude",
    "bearing_on",
    "cap",
    "cylinder",
    "eccentricity_for",
    "equilibrium",
    "orbit",
    "pad",
    "pad_film",
    "plain_bearing",
    "sommerfeld_number",
    "sphere",
    "threshold_speed",
]
