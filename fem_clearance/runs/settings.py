"""Settings of the output of a run, checked when they are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .. import checks
from ..core.settings import Settings, setting
from ..errors import InputError
from ..io.folder import RunFolder
from ..io.rows import Derived, check_names
from . import energy
from .parameters import Every, Values


class Origin(Protocol):
    """The origin of a run, as far as its folder states it, see ``Case``."""

    name: str
    summary: Callable[..., dict] | None
    units: Mapping[str, str]
    digest: str | None

    @property
    def source(self) -> str: ...


def _interval(name: str, value: Any) -> int | float:
    if value:
        checks.positive(name, value)
    return value if isinstance(value, int) else float(value)


def _derived(name: str, value: Sequence[Derived]) -> list[Derived]:
    result = checks.several(name, value)
    if not all(isinstance(d, Derived) for d in result):
        raise InputError(f"{name} must be a list of fc.Derived, got {checks.shown(value)}.")
    check_names(result)
    return result


def _rename(name: str, value: Mapping[str, str]) -> dict[str, str]:
    result = checks.mapping(name, value, '{"body.x": "x"}')
    for channel in result.values():
        checks.file_name("the name of a channel", channel)
    return result


@dataclass(frozen=True)
class OutputSettings(Settings):
    """Settings of the output of ``Simulation``, where each is explained."""

    folder: RunFolder | None = None
    every: int = setting(
        "record every so many steps; the first and the last always", default=1, check=checks.count
    )
    fields_every: int | float | None = setting(
        "shapes every so many steps (whole number) or seconds (with a decimal point); 0: none; "
        "default t_end/50", default=None, check=_interval, type=Every,
    )  # fmt: skip
    checkpoint_every_s: float = setting(
        "wall time between two checkpoints", "s", default=60.0, check=checks.non_negative
    )
    on_energy_growth: str = setting(
        "when more energy appears than the motion had: end the run, or go on", default="stop",
        choices=energy.CHOICES,
    )  # fmt: skip
    rename: Mapping[str, str] = setting("names of channels", factory=dict, check=_rename)
    derived: Sequence[Derived] = setting("further channels", default=(), check=_derived)
    origin: Origin | None = None
    parameters: Values | None = None

    def case_file(self) -> dict[str, Any] | None:
        """Arguments of ``io.toml.write`` for ``case.toml``; ``None`` for the run of a script."""
        if self.origin is None:
            return None
        return {
            "case": self.origin.source, "values": self.parameters, "digest": self.origin.digest
        }  # fmt: skip
