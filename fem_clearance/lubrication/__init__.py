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
from .bearings.tables import coefficient_table
from .bearings.thrust import ThrustBearing, ThrustState
from .bearings.thrust_pads import (
    PivotedPad,
    SteppedPad,
    TaperedPad,
    ThrustPad,
    thrust_pad_mesh,
)
from .bearings.tilting import PadsState, TiltingPad, TiltingPadBearing
from .bearings.warm_pads import tilting_pad_mesh
from .bearings.wearing import WornBearing, WornProfile, wear_under_film
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
from .film.restrictor import Capillary, ConstantFlow, Orifice, Restrictor
from .film.sector import sector
from .film.surface import Surface, cap, cylinder, pad, sphere
from .film.temperature import Exponential, RoelandsTemperature, Vogel, Walther
from .film.thermal import Adiabatic
from .film.thermoelastic import Expansion
from .film.thickness import CylinderGap, FlatGap, SphereGap
from .film.turbulence import Constantinescu, Turbulence
from .film.walls import Conducting, Convection, Shaft
from .joints.cylindrical import LubricatedCylindrical
from .joints.joint import CylindricalFilm
from .joints.spherical import LubricatedSpherical
from .joints.thrust import ThrustFilm
from .joints.tilting import TiltingPadFilm
from .joints.transition import Transition
from .joints.translational import LubricatedTranslational, pad_film

__all__ = [
    "Adiabatic",
    "Asperities",
    "Barus",
    "Bearing",
    "Capillary",
    "CircularOrbit",
    "ClosedForm",
    "Coefficients",
    "Conducting",
    "ConstantFlow",
    "Constantinescu",
    "Convection",
    "CylinderGap",
    "CylindricalFilm",
    "DowsonHigginson",
    "Expansion",
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
    "Orifice",
    "PadsState",
    "Pivot",
    "PivotedPad",
    "Place",
    "Pocket",
    "PointPivot",
    "Restrictor",
    "Reynolds",
    "Roelands",
    "RoelandsTemperature",
    "Shaft",
    "ShortBearing",
    "SphereGap",
    "SphericalSqueeze",
    "SteadyBearing",
    "SteppedPad",
    "Streamers",
    "Surface",
    "TaperedPad",
    "ThrustBearing",
    "ThrustFilm",
    "ThrustPad",
    "ThrustState",
    "TiltingPad",
    "TiltingPadBearing",
    "TiltingPadFilm",
    "Transition",
    "Turbulence",
    "Vogel",
    "Walther",
    "WornBearing",
    "WornProfile",
    "attitude",
    "bearing_on",
    "cap",
    "circular_orbit",
    "coefficient_table",
    "cylinder",
    "eccentricity_for",
    "equilibrium",
    "joined",
    "lobed_bearing",
    "orbit",
    "pad",
    "pad_film",
    "plain_bearing",
    "sector",
    "sommerfeld_number",
    "sphere",
    "squeeze_film_damper",
    "threshold_speed",
    "thrust_pad_mesh",
    "tilting_pad_mesh",
    "wear_under_film",
]
