"""Two elastic gears whose flanks touch, held at their bores and turned into each other."""

import numpy as np

import fem_clearance as fc
from fem_clearance.cases import spur_gear_pair as data
from fem_clearance.gears.tooth_mesh import gear_mesh

#: what the pinion is turned on by after its flanks have met, as a way along the line of action, m
WAY = 1e-5
STEEL = fc.StVenantKirchhoff(data.E, data.NU, 7800.0)


def turned(angle):
    """Rotation about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def pressed(s, pairs=1, spacing=6e-5, way=WAY):
    """Forces of the pairs in contact, and the torques on pinion and gear, N and N m.

    Args:
        s: position of the first pair on the path of contact, m; the second is a base pitch ahead.
        pairs: 1 or 2.
        way: that the pinion's turn is along the line of action, m.
    """
    mesh = data.mesh()
    pinion, gear = mesh.pinion, mesh.gear
    moved = s - mesh.approach_length
    first = -np.pi / 2 + np.pi / 2 / pinion.teeth - (moved + way) / pinion.base_radius
    second = np.pi / 2 + np.pi / 2 / gear.teeth + moved / gear.base_radius
    system = fc.System(gravity=(0, 0, 0))
    solids = []
    least = np.min(mesh.curvatures(np.array([0.0, mesh.path_length])), axis=1)
    for wheel, angle, x, teeth, curvature in (
        (pinion, first, 0.0, range(pairs), least[0]),
        (gear, second, mesh.centre_distance, range(0, -pairs, -1), least[1]),
    ):
        start = np.hypot(wheel.base_radius, curvature) - 4 * spacing
        flat = gear_mesh(wheel, spacing, start, teeth).moved((x, 0, 0), turned(angle))
        solid = fc.Solid(flat, STEEL, degree=2, state="plane_strain", clamped="bore",
                         thickness=wheel.face_width)  # fmt: skip
        solids.append(system.add(solid))
    law = fc.Winkler(100 * data.E / spacing)
    for k in range(pairs):
        behind = f"flank{(gear.teeth - k) % gear.teeth or ''}"
        contact = fc.SurfaceContact(
            solids[0].facets(f"flank{k or ''}"), solids[1].facets(behind), law=law, reach=3e-4,
            name=f"pair{k}",
        )  # fmt: skip
        system.add(contact)
    results = fc.Statics(system, steps=1).solve()
    forces = np.array([results[f"pair{k}.normal_force"][-1] for k in range(pairs)])
    load = np.array([sum(results[f"pair{k}.force.{x}"][-1] for k in range(pairs)) for x in "xy"])
    about = sum(results[f"pair{k}.moment.z"][-1] for k in range(pairs))
    return forces, (-about, about - mesh.centre_distance * load[1])
