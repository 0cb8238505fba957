"""Films as parts of clearance joints: what a joint asks of one, whoever knows about lubrication."""

from __future__ import annotations

from functools import singledispatch
from typing import Any, ClassVar, Protocol

from ..errors import InputError
from ..markup import Shown
from .kind import ContactKind


class FilmPart(Protocol):
    """A film in a clearance joint, beside its dry contact."""

    @property
    def label(self) -> str:
        """What the joint is called then."""

    @property
    def room(self) -> float:
        """By how much the surfaces may overlap at the start, m: as far as the band of the
        transition to dry contact."""

    def under(
        self, kind: ContactKind, numbers: dict[str, Any]
    ) -> tuple[ContactKind, dict[str, Any]]:
        """Kind and numbers of a cell of the dry contact under the film."""

    def build(self, builder) -> None:
        """Add the film's own cells, after those of the contact."""

    def portrait(self) -> dict[str, Any]:
        """What pictures need to know of it, as ``scene.json`` has it."""


class Dry:
    """No film."""

    label, room = "", 0.0

    def under(self, kind, numbers):
        return kind, numbers

    def build(self, builder) -> None:
        pass

    def portrait(self) -> dict[str, Any]:
        return {}


@singledispatch
def film_part(joint, film, **given) -> FilmPart:
    """A film as a part of a joint; implemented for each sort of joint where films are known.

    Args:
        film: as the user gives it.
        given: what else the joint's constructor is told of it, ``None`` where nothing.
    """
    raise InputError(
        f"{joint.name or joint.label} does not accept a film; use a SphericalClearance, "
        "CylindricalClearance or TranslationalClearance."
    )


class Fillable(Shown):
    """Base of the joints that may be filled with a film."""

    name: Any
    label: str
    #: whether the joint is refused without a film
    needs_film: ClassVar[bool] = False

    def _fill(self, film, **given) -> None:
        """Note the film, and refuse what only a film asks for where there is none."""
        self.film = film
        self.filling: FilmPart = Dry()
        if film is not None or self.needs_film:
            self.filling = film_part(self, film, **given)
            self.label = self.filling.label
            return
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    f"{self.name or self.label}: {name} is only for joints with a film; give "
                    "film=, or leave it out."
                )
