"""An elastic bush instead of the rigid bearing of a clearance joint."""

from __future__ import annotations

import numpy as np

import fem_clearance as fc
from fem_clearance import meshes

#: cells through the bush
THROUGH = 2


def elastic_bush(system, p, bearing, journal, axis, radii, length, friction, wear, motion) -> list:
    """Add a bush pressed into a body, and its contact with the journal.

    Args:
        system: to which they are added.
        p: parameters ``bush.E``, ``bush.thickness``, ``bush.cells``.
        bearing, journal: frames of the two bodies at the joint.
        axis: of the joint, z.
        radii: of the bore and of the journal, m.
        length: of the bush, m.
        friction: friction law.
        wear: ``SurfaceWear`` of the bush.
        motion: velocity at the joint, m/s, and angular velocity, rad/s, of the bearing's body.

    Returns:
        Channels ``joint.ex``, ``joint.ey`` and ``joint.penetration``.
    """
    bore, own = radii
    mesh = meshes.hollow_cylinder(
        bore, bore + p["bush.thickness"], 1.0, (p["bush.cells"], THROUGH), degree=2
    )
    material = fc.StVenantKirchhoff(p["bush.E"], p["bush.nu"], p["bush.rho"])
    bush = system.add(
        fc.Solid(
            mesh.moved(bearing.position), material, state="plane_strain", thickness=length,
            velocity=motion[0], angular_velocity=motion[1], name="bush",
        )
    )  # fmt: skip
    system.add(fc.Attachment(bush.facets("rim"), bearing, kind="rigid", name="press_fit"))
    surface = fc.CylinderSurface(journal, radius=own, axis=axis)
    contact = fc.SurfaceContact(
        bush.facets("bore"), surface, friction=friction, wear=wear, name="joint"
    )
    system.add(contact)
    system.add(fc.Probe(bearing, name="bearing"))
    system.add(fc.Probe(journal, name="journal"))

    def apart(x):
        return fc.Derived(
            f"joint.e{x}", "m", f"{x} of the journal's centre from the bush's",
            lambda q: q[f"journal.{x}"] - q[f"bearing.{x}"],
        )  # fmt: skip

    def penetration(q):
        e = [q[f"journal.{x}"] - q[f"bearing.{x}"] for x in "xy"]
        return np.hypot(*e) - (bore - own)

    what = "by which the journal presses into the round bush"
    return [apart("x"), apart("y"), fc.Derived("joint.penetration", "m", what, penetration)]
