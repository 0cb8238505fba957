"""What a run writes, and where: the numbers a user gives, checked when they are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from .. import checks
from ..io.folder import RunFolder
from ..io.rows import Derived, check_names
from . import energy
from .parameters import Values


class Origin(Protocol):
    """What a run's folder is told of where the run comes from, see ``Case``."""

    name: str
    summary: Callable[..., dict] | None
    units: Mapping[str, str]
    digest: str | None

    @property
    def source(self) -> str: ...


@dataclass
class OutputSettings:
    """Settings of what ``Simulation`` keeps of a run, where each is explained.

    Raises:
        InputError: one that cannot be.
    """

    folder: RunFolder | None = None
    every: int = 1
    fields_every: int | float | None = None
    checkpoint_every_s: float = 60.0
    on_energy_growth: str = "stop"
    rename: Mapping[str, str] = field(default_factory=dict)
    derived: Sequence[Derived] = ()
    origin: Origin | None = None
    parameters: Values | None = None

    def __post_init__(self):
        self.every = checks.count("every", self.every)
        steps, self.fields_every = self.fields_every, None
        if steps:
            checks.positive("fields_every", steps)
            self.fields_every = steps if isinstance(steps, int) else float(steps)
        self.checkpoint_every_s = checks.non_negative("checkpoint_every_s", self.checkpoint_every_s)
        checks.choice("on_energy_growth", self.on_energy_growth, energy.CHOICES)
        check_names(self.derived)
        for channel in self.rename.values():
            checks.file_name("the name of a channel", channel)

    def case_file(self) -> dict[str, Any] | None:
        """What ``case.toml`` says of the run; ``None`` of a script's."""
        if self.origin is None:
            return None
        return {
            "case": self.origin.source, "values": self.parameters, "digest": self.origin.digest
        }  # fmt: skip
