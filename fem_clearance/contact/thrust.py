"""Thrust faces of a cylindrical joint: collars of the journal against the ends of the bearing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from .. import checks
from ..errors import InputError
from .clearance import check_laws, law_numbers
from .laws.friction import FrictionLaw
from .laws.normal import LankaraniNikravesh, NormalLaw
from .laws.pair_data import ContactGeometry

if TYPE_CHECKING:
    from .clearance import Clearance


@dataclass(frozen=True)
class Thrust:
    """Collars on the journal at both ends of a bearing, and the faces they meet.

    Contact is evaluated at points of a ring on either face, each with an equal share of the law's
    force. A tilted collar touches on one side and thus aligns the journal.

    Args:
        play: axial clearance, the distance by which the journal can shift from end to end, m; the
            collars are symmetric about the journal's centre.
        radius: of the ring, m.
        normal: normal-force law of a whole face; default: linear, restitution 0.9.
        stiffness: of a whole face in N/m^n of the law; default for linear laws: that of a rigid
            circular punch on an elastic half space, 2 E* radius.
        friction: friction law, or ``None``.
        points: of the ring, at least 3.
        ends: which of the two ends have a collar: at ``-axis`` and at ``+axis``.

    Raises:
        InputError: values that cannot be.

    See docs/cylindrical.md. Example::

        fc.Thrust(play=2e-4, radius=0.014)
    """

    play: float
    radius: float
    normal: NormalLaw = field(default_factory=lambda: LankaraniNikravesh(exponent=1.0))
    stiffness: float | None = None
    friction: FrictionLaw | None = None
    points: int = 8
    ends: tuple[bool, bool] = (True, True)

    def __post_init__(self):
        checks.non_negative("Thrust.play", self.play)
        checks.positive("Thrust.radius", self.radius)
        if self.stiffness is not None:
            checks.positive("Thrust.stiffness", self.stiffness)
        if checks.count("Thrust.points", self.points) < 3:
            raise InputError(f"Thrust.points must be at least 3, got {self.points}.")
        check_laws("Thrust", self.normal, self.friction)
        if checks.array(self.ends).shape != (2,) or not any(self.ends):
            raise InputError(
                "Thrust.ends must say of both ends whether they have a collar, such as "
                "(True, False), and at least one of the two ends must have one; got "
                f"{checks.shown(self.ends)}."
            )

    def numbers(self, joint: Clearance) -> dict[str, float]:
        """Numbers of the laws between a joint's bodies."""
        contact = joint.contact
        if not self.radius > contact.radius_j:
            raise InputError(
                f"{contact.who}: the radius of the thrust faces, {self.radius:g} m, must "
                f"exceed that of the journal, {contact.radius_j:g} m."
            )
        stiffness = self.stiffness
        if stiffness is None:
            if getattr(self.normal, "exponent", 1.0) != 1.0:
                raise InputError(
                    f"{contact.who}: the stiffness of a flat face is known only for a linear "
                    "law (exponent=1); give Thrust(stiffness=...) in N/m^n."
                )
            stiffness = 2 * contact.modulus * self.radius
        face = ContactGeometry(
            f"{contact.who}, thrust faces", contact.radius_i, contact.radius_j, contact.materials,
            given_stiffness=stiffness,
        )  # fmt: skip
        return law_numbers(face, self.normal, self.friction)

    def places(self, half: float) -> list[dict[str, float]]:
        """Numbers of the points of contact on a bearing of half length ``half`` (m)."""
        angles = 2 * np.pi * np.arange(self.points) / self.points
        return [
            {
                "px": self.radius * np.cos(angle), "py": self.radius * np.sin(angle),
                "pz": side * half, "collar": side * (half + self.play / 2),
                "weight": 1 / self.points,
            }
            for side, there in zip((-1, 1), self.ends, strict=True)
            if there
            for angle in angles
        ]  # fmt: skip

    def deepest(self, half: float, e: np.ndarray, b: np.ndarray) -> float:
        """Largest penetration of a journal at ``e`` (m) along ``b`` in the bearing's axes."""
        return max(
            np.sign(z["collar"]) * (np.array([z["px"], z["py"], z["pz"]]) - e) @ b
            - abs(z["collar"])
            for z in self.places(half)
        )
