"""Two gears on bodies, as the tests of the force element need them."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.cases import spur_gear_pair as data
from fem_clearance.gears import ConstantFriction, ConstantStiffness, GearPair, equivalent_mass

Z = (0.0, 0.0, 1.0)


def unknowns(body) -> np.ndarray:
    """Numbers of a body's origin and directors."""
    return np.concatenate([r.numbers for r in body.center.refs])


class Gears:
    """A system of pinion and gear, flying freely."""

    def __init__(self, distance=None, line=0.0, speeds=(0.0, 0.0), velocities=((0, 0, 0),) * 2,
                 mu=0.0, **options):  # fmt: skip
        self.mesh = options.pop("mesh", None) or data.mesh()
        away = np.array([np.cos(line), np.sin(line), 0.0])
        distance = distance or self.mesh.centre_distance
        options = {"stiffness": ConstantStiffness(data.MEAN), "damping": 0.0, "speed": 157.0,
                   "mass": equivalent_mass(self.mesh, data.INERTIAS)} | options  # fmt: skip
        self.system = fc.System(gravity=(0, 0, 0))
        self.bodies = [
            self.system.add(
                fc.RigidBody(
                    data.MASSES[k], (data.INERTIAS[k] / 1.5,) * 2 + (data.INERTIAS[k],),
                    position=k * distance * away, velocity=velocities[k],
                    angular_velocity=(0, 0, speeds[k]), free=True, name=("pinion", "gear")[k],
                )
            )
            for k in (0, 1)
        ]  # fmt: skip
        self.pair = self.system.add(
            GearPair(*(b.center for b in self.bodies), Z, mesh=self.mesh,
                     friction=ConstantFriction(mu), name="mesh", **options)
        )  # fmt: skip

    def momenta(self, state):
        """Momentum (2,), angular momentum about z through the origin, kinetic energy."""
        p, spin, energy = np.zeros(2), 0.0, 0.0
        for k, body in enumerate(self.bodies):
            m, tensor = body.mass, np.diag(self.euler(k))
            q, v = (z[unknowns(body)].reshape(4, 3) for z in (state.q, state.v))
            p += m * v[0, :2]
            spin += m * np.cross(q[0], v[0])[2]
            spin += sum(tensor[n, n] * np.cross(q[n + 1], v[n + 1])[2] for n in range(3))
            energy += m * v[0] @ v[0] / 2
            energy += sum(tensor[n, n] * v[n + 1] @ v[n + 1] / 2 for n in range(3))
        return p, spin, energy

    def euler(self, k):
        """Integrals of x_n^2 dm of a gear."""
        inertia = np.array([data.INERTIAS[k] / 1.5, data.INERTIAS[k] / 1.5, data.INERTIAS[k]])
        return inertia.sum() / 2 - inertia


@pytest.fixture(scope="session")
def gears():
    """Makes ``Gears``."""
    return Gears
