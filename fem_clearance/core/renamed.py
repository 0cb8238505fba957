"""Names of channels that have changed; the old ones are still accepted."""

from __future__ import annotations

import logging
from collections.abc import Container

logger = logging.getLogger(__name__)

#: last parts of the names, old -> new
ENDINGS = {f"{name[0]}{x}": f"{name}.{x}" for name in ("force", "moment") for x in "xyz"} | {
    "friction_power": "friction_loss",
    "asperity_friction_power": "asperity_friction_loss",
    "damping_power": "damping_loss",
    "loss": "friction_loss",
}
#: names about which a warning has been given
_said: set[str] = set()


def present(name: str, names: Container[str]) -> str:
    """The present name of one of the channels ``names``, with one warning if it has changed."""
    if name in names:
        return name
    owner, _, ending = str(name).rpartition(".")
    now = f"{owner}.{ENDINGS.get(ending, ending)}"
    if now not in names:
        return name
    if ending not in _said:
        _said.add(ending)
        logger.warning("the channel %s is called %s now.", name, now)
    return now
