"""Values shown after a click: channels of bodies and items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

#: most channels shown after a click
CHANNELS = 12


def told(scene, ks: Sequence[int]) -> dict[str, list[dict[str, Any]]]:
    """Channels of each body and item at the instants, by its name."""
    results, found = scene.results, {}
    if results is None or not len(results.time):
        return {}
    unit = getattr(results, "unit", lambda name: "")
    every = list(getattr(results, "names", ()))
    names = {b: [c for c in every if c.startswith(f"{b}.")] for b in scene.mechanism.bodies}
    names |= {
        i["name"]: [c for c in (i.get("channels") or {}).values() if c in results]
        for i in scene.mechanism.items
    }
    for owner, channels in names.items():
        rows = []
        for name in channels[:CHANNELS]:
            values = np.interp(scene.times[list(ks)], results.time, results[name])
            if np.isfinite(values).all():
                short = name.removeprefix(f"{owner}.")
                values = [float(f"{v:.5g}") for v in values]
                rows.append({"name": short, "unit": unit(name), "values": values})
        if rows:
            found[owner] = rows
    return found
