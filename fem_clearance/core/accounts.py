"""The accounts of the ledger of energy, and to which a component's work and energies belong.

``ledger.py`` counts them.
"""

from __future__ import annotations

import numpy as np

from .component import Component
from .mixins import has_gap

#: of which account the work of a component is: dissipated, dissipated in contacts, fed with the
#: opposite sign; then what passes through, and what velocities gained
LOST, TOUCHING, FED, THROUGH, GAINED = ACCOUNTS = range(5)
#: totals of observables, W, that count as fed and as dissipated
PASSING = ("power.supplies", "power.gears")
#: what only sources and time stepping can raise: stored - fed, with the work of contacts in the
#: place of what their laws state. Summed with the channels, but none of them
GUARD = "energy.guard"
#: channels that are the sum of all energies
TOTALS = ("energy.total", "energy.stored")
#: channels of the whole system's energy and what they are
LEDGER = {
    "energy.total": "mechanical energy",
    "energy.stored": "mechanical energy",
    "energy.dissipated": "energy dissipated so far",
    "energy.fed": "work of loads, drivers and supplies so far",
    "energy.projected": "kinetic energy gained by putting velocities on constraints",
    "energy.balance": "stored + dissipated - fed - its start: error of time stepping",
}
#: the last of them and the guard, which count the accounts
COUNTED = {
    "energy.dissipated": (1, 1, 0, 1, 0),
    "energy.fed": (0, 0, -1, 1, 0),
    "energy.projected": (0, 0, 0, 0, 1),
    "energy.balance": (1, 1, 1, 0, 0),
    GUARD: (0, 1, 1, 0, 0),
}
SHARES = np.array([*COUNTED.values()], float)


def account(component: Component) -> int:
    """Of which account the work of a component is."""
    kind = component.kind
    if component.driven or kind.feeds_energy is not False:
        return FED
    return TOUCHING if has_gap(kind) else LOST


def entries(component: Component) -> dict[str, int]:
    """In which channels an energy that a component tells counts, and with which sign."""
    stored = dict.fromkeys(TOTALS, 1)
    if component.work is None or not component.by_difference:
        return stored | {"energy.balance": 1, GUARD: 1}
    # the work of all its forces counts, what it stores too
    return (
        stored
        | {
            LOST: {"energy.dissipated": -1, GUARD: 1},
            TOUCHING: {"energy.dissipated": -1},
            FED: {"energy.fed": 1},
        }[account(component)]
    )


def passes(component: Component) -> bool:
    """Whether power passes through a component beside its forces' work."""
    return any(o.total in PASSING for o in component.observables.values())
