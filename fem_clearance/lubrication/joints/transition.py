"""From film to dry contact where the surfaces would overlap.

Films of Reynolds' equation and closed forms of journals have the joint's clearance and a transition
where they get thin (thickness.py); the dry contact's law acts, whole, from where the surfaces meet.

The squeeze film of Tian et al. (2009) shares with the dry contact by their eq. (35). With the depth
delta = e - c of the dry contact and the band e_0::

    film only            delta <= 0
    both, by shares      film (e_0 - delta) / e_0, dry delta / e_0
    dry contact only     delta >= e_0

That film is computed for a clearance c + e_1, with e_1 > e_0, so that it is finite in the band
(docs/errata.md, "Margin of the transition").
"""

from __future__ import annotations

from dataclasses import dataclass

import ufl

from ... import checks
from ...contact.kind import ContactKind
from ...contact.laws.normal import indicator
from ...errors import InputError


@dataclass(frozen=True)
class Transition:
    """Where dry contact replaces the film.

    Args:
        band: width of the transition as a part of the clearance: thickness at which that of a film
            begins; of a ``SphericalSqueeze`` the depth e_0 up to which film and contact share.
        margin: of a ``SphericalSqueeze`` only: e_1, by which the film's clearance is enlarged,
            likewise; more than ``band``.

    Raises:
        InputError: a margin that is not larger than the band.

    Example::

        lubrication.Transition(band=0.05, margin=0.1)  # of the clearance
    """

    band: float = 0.05
    margin: float = 0.10

    def __post_init__(self):
        checks.positive("Transition: band", self.band)
        checks.positive("Transition: margin", self.margin)
        if self.margin <= self.band:
            raise InputError(
                f"Transition: margin ({self.margin:g}) must be larger than band ({self.band:g}), "
                "or a squeeze film is infinite where dry contact should take over."
            )


def check_smooth(who: str, film) -> None:
    """Refuse asperities: they would carry load where the dry contact does."""
    if getattr(film, "asperities", None) is not None:
        raise InputError(
            f"{who}: dry contact takes over from this film; leave out its asperities, or take "
            "CylindricalFilm, which has no other contact."
        )


def dry_share(depth, band):
    """Part of the dry contact's force that acts: 0 to 1 over the band."""
    inside = indicator(ufl.And(ufl.gt(depth, 0), ufl.lt(depth, band)))
    return inside * depth / band + indicator(ufl.ge(depth, band))


def film_share(depth, band):
    """Part of the film's force that acts."""
    return 1 - dry_share(depth, band)


def shared_energy(energy, depth, band):
    """Energy of the part of an elastic force that acts: the integral of share times dE.

    By parts it is E(depth) less the mean of E over the band, or share times (E less its mean over
    what was passed of it); the mean by Gauss's rule in the root of the depth, exact for depth^2.5.
    """
    passed = indicator(ufl.gt(depth, 0)) * depth
    passed = indicator(ufl.lt(depth, band)) * passed + indicator(ufl.ge(depth, band)) * band
    # mean of E over (0, m) = int_0^1 E(m u^2) 2 u du
    mean = sum(2 * u * w * energy(passed * u**2) for u, w in GAUSS)
    return passed / band * (energy(depth) - mean)


@dataclass(frozen=True)
class UnderFilmKind(ContactKind):
    """Dry contact under a film."""

    @classmethod
    def of(cls, kind: ContactKind) -> UnderFilmKind:
        """A dry contact as one under a film."""
        return cls(kind.i, kind.j, kind.placement, kind.normal, kind.friction, kind.worn)

    def observables(self, c):
        result = super().observables(c)
        result["contact_force"] = result["normal_force"]._replace(
            description="force of the dry contact"
        )
        return result


@dataclass(frozen=True)
class SharingKind(UnderFilmKind):
    """The same, with a squeeze film by shares over a ``band`` (m)."""

    @property
    def own_parameters(self):
        return {**super().own_parameters, "band": ()}

    def normal_force(self, c, depth, rate):
        return dry_share(depth, c.par("band")) * super().normal_force(c, depth, rate)

    def stored(self, c, depth):
        return shared_energy(lambda d: super(SharingKind, self).stored(c, d), depth, c.par("band"))


#: Gauss's points and weights on (0, 1)
GAUSS = (
    (0.06943184420297371, 0.17392742256872692),
    (0.33000947820757187, 0.32607257743127307),
    (0.6699905217924281, 0.32607257743127307),
    (0.9305681557970262, 0.17392742256872692),
)
