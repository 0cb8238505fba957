"""What clearance joints of a journal in a bearing share: sizes, an axis, the law by default, and
how their surfaces wear."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .. import checks
from ..errors import InputError
from ..model.frame import triad_about
from ..model.portrait import Portrait
from .advice import recommend_step
from .clearance import Clearance, ContactLaws
from .laws.cylinders import Liu
from .wear import profile
from .wear.periods import check_depths, kept
from .wear.rings import Wear, WornRings


class JournalClearance(Clearance):
    """Base of the joints between cylinders, which may wear; subclasses call ``_wears``.

    Args:
        frame_i, frame_j: centres of bearing and journal, with triads (or one of them and a rigid
            body or the ground).
        axis: direction of the bearing's axis at the start, fixed in frame i.
        bearing_radius, journal_radius: m, the bearing larger.
        length: of the bearing along the axis, m.
        laws: what acts between the surfaces; its normal law is by default ``Liu()``, whose force is
            proportional to the length, and with a stiffness that of ``ContactLaws``, K depth^1.5.
        name: for messages and channels.

    Raises:
        InputError: no axis, a journal that does not fit, a cable.
    """

    wear: Wear | None
    #: what bearing and journal have lost at the start, m, shape (slices, 2, bins)
    worn: np.ndarray | None
    #: middles of the slices along the axis, m; ``None``: one contact, the same all along
    slices: np.ndarray | None

    def __init__(
        self, frame_i, frame_j, axis, bearing_radius: float, journal_radius: float,
        laws: ContactLaws, *, length: float, name: str | None,
    ):  # fmt: skip
        if laws.normal is None and laws.stiffness is None:
            laws = replace(laws, normal=Liu())
        super().__init__(
            frame_i, frame_j, bearing_radius, journal_radius, laws, length=length, name=name
        )
        who = self.name or self.label
        self.axis = checks.axis(who, axis)
        for frame in (self.i, self.j):
            frame.needs_triad(who)

    def _triads(self) -> tuple[np.ndarray, np.ndarray]:
        """Axes in both bodies at the start, by columns; angles are counted from the first."""
        triad = triad_about(self.axis)
        return triad, triad

    def portrait(self) -> Portrait:
        found = super().portrait()
        if self.wear is None:
            return found
        first = [
            np.linalg.solve(frame.basis, triad[:, 0]).tolist()
            for frame, triad in zip((self.i, self.j), self._triads(), strict=True)
        ]
        return found.more(data={"worn": {"bins": self.wear.bins, "first": first}})

    def build(self, builder) -> None:
        super().build(builder)
        recommend_step(self)

    def _wears(self, who: str, wear, worn, slices=None) -> None:
        """Note how the surfaces wear.

        Args:
            who: the joint, for messages.
            wear: ``Wear(...)``, or ``None``.
            worn: depths lost at the start: two functions of the angle (and of the place along the
                axis, m) or two arrays over (slices and) bins; or ``None``.
            slices: see the attribute.
        """
        if wear is not None and not isinstance(wear, Wear):
            raise InputError(f"{who}: wear must be Wear(Archard(k, H), ...), got {wear!r}.")
        self.wear, self.worn, self.slices = wear, None, slices
        if wear is not None:
            self.contact.modulus  # noqa: B018  (says what is missing)
        if worn is not None:
            if wear is None:
                raise InputError(f"{who}: worn surfaces need wear=Wear(...).")
            self.worn = _depths(who, worn, wear.bins, slices)
            check_depths(who, "the bearing is", wear, "its liner", self.worn[:, 0])

    @property
    def _rings(self) -> WornRings | None:
        """What wears in the kind of a cell."""
        return self.wear.part if self.wear else None

    def _surfaces(self, k: int) -> dict:
        """Numbers of the cell of slice ``k`` beside those of round surfaces."""
        if self.wear is None:
            return {}
        contact, count = self.contact, 1 if self.slices is None else len(self.slices)
        length = contact.length / count
        zero = ("excess", "slope", "bend", "bearing_wear", "journal_wear", "centre", "worn_volume",
                "slid")  # fmt: skip
        shape = 0.0 if self.worn is None else profile.coefficients(self.worn[k])
        deepest = 0.0 if self.worn is None else self.worn[k].max(axis=1).sum()
        return {
            **dict.fromkeys(zero, 0.0), **self.wear.numbers(), "origin": 0.0,
            "shape": shape, "goal": shape, "worn": float(self.worn is not None),
            "turned": (1.0, 0.0), "largest_clearance": self.clearance + deepest,
            "bearing_radius": contact.radius_i, "length": length, "slices": float(count),
            "scale": length * contact.modulus,
        }  # fmt: skip

    def worn_depths(self, system) -> np.ndarray | None:
        """What bearing and journal have lost by now, m, at ``wear.bins`` angles in either body,
        shape (2, bins), of a cylindrical joint (slices, 2, bins); on the rank that holds the joint,
        elsewhere ``None``."""
        shape = self._kept(system, "shape")
        return None if shape is None else profile.values(shape)

    def collected(self, system) -> np.ndarray | None:
        """Depths of the present wear period before they are repeated, as ``worn_depths``."""
        return self._kept(system, "collected")

    def _kept(self, system, name: str) -> np.ndarray | None:
        """What the joint's rings keep, if their cells are this rank's."""
        rings = [values for _, values in kept(system.state, self.name, name) if len(values)]
        if not rings:
            return None
        return rings[0][0] if self.slices is None else rings[0]


def _depths(who: str, worn, bins: int, slices: np.ndarray | None) -> np.ndarray:
    """Worn depths of bearing and journal at the bins of each slice, checked."""
    angles = profile.angles(bins)
    grid = (angles,) if slices is None else (angles, slices[:, None])
    shape = (1 if slices is None else len(slices), bins)
    try:
        first, second = worn
        rings = [np.broadcast_to(f(*grid) if callable(f) else f, shape) for f in (first, second)]
        result = np.array(rings, float).swapaxes(0, 1)
    except (TypeError, ValueError) as error:
        function, size = "the angle", f"{bins}"
        if slices is not None:
            function, size = "angle and place along the axis", f"{len(slices)} x {bins}"
        raise InputError(
            f"{who}: worn must be two functions of {function} or two arrays of {size} depths "
            f"({error})."
        ) from None
    if not np.all(np.isfinite(result)):
        raise InputError(f"{who}: worn depths must be finite.")
    return result
