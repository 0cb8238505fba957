"""Oil films: Reynolds' equation on a surface, coupled to the bodies it separates."""

from .bearing import Bearing, FilmState, Place
from .cavitation import JFO, Full, Guembel, Reynolds, Streamers
from .closed_form import LongBearing, ShortBearing
from .closed_spherical import SphericalSqueeze
from .equilibrium_bearing import (
    Coefficients,
    attitude,
    eccentricity_for,
    equilibrium,
    sommerfeld_number,
    threshold_speed,
)
from .film import Film
from .gap import CylinderGap, FlatGap, SphereGap
from .joint import CylindricalFilm
from .lubricant import Barus, Lubricant, Roelands
from .plain import plain_bearing
from .spherical import LubricatedSpherical
from .surface import Surface, cap, cylinder, pad, sphere
from .transition import Transition

__all__ = [
    "Barus",
    "Bearing",
    "Coefficients",
    "CylinderGap",
    "CylindricalFilm",
    "Film",
    "FilmState",
    "FlatGap",
    "Full",
    "Guembel",
    "JFO",
    "LongBearing",
    "LubricatedSpherical",
    "Lubricant",
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
    "cap",
    "cylinder",
    "eccentricity_for",
    "equilibrium",
    "pad",
    "plain_bearing",
    "sommerfeld_number",
    "sphere",
    "threshold_speed",
]
