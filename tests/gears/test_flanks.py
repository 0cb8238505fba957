"""Flanks of two elastic gears by contact of facets with facets, beside the mesh stiffness of
``FiniteElementStiffness``, which presses condensed flanks together by an active set of its own."""

import pytest

from fem_clearance.cases import spur_gear_pair as data
from fem_clearance.gears import FiniteElementStiffness

from .flanks import WAY, pressed

LAW = FiniteElementStiffness(data.E, data.NU, data.TORQUE / data.teeth(0).base_radius)


@pytest.mark.slow
def test_one_pair():
    """At the pitch point the torques are as the numbers of teeth, the force acts on the line of
    action, and the approach is that of the other computation, which is linear, within 1 %."""
    mesh = data.mesh()
    (force,), torques = pressed(mesh.approach_length)
    assert torques[1] / torques[0] == pytest.approx(mesh.gear.teeth / mesh.pinion.teeth, rel=2e-4)
    assert torques[0] == pytest.approx(force * mesh.pinion.base_radius, rel=5e-4)
    assert LAW.approach(mesh, mesh.approach_length, force)[0] == pytest.approx(WAY, rel=0.01)


@pytest.mark.slow
def test_two_pairs():
    """Two pairs share the force as their stiffnesses are, within 2 % of it; through the gears'
    bodies, which both bend, they are together softer than two pairs alone (here by 30 %)."""
    mesh = data.mesh()
    s = 0.15 * mesh.base_pitch
    forces, torques = pressed(s, 2)
    assert torques[1] / torques[0] == pytest.approx(mesh.gear.teeth / mesh.pinion.teeth, rel=2e-4)
    alone = [LAW.approach(mesh, s + k * mesh.base_pitch, forces[k])[0] for k in (0, 1)]
    stiffness = forces / alone
    assert forces / forces.sum() == pytest.approx(stiffness / stiffness.sum(), abs=0.02)
    assert 0.6 < forces.sum() / (stiffness.sum() * WAY) < 0.8
