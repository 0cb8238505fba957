"""Tangents placed in the matrix of one rank, against PETSc's assembly of the same entries."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import CylindricalFilm, Liner, plain_bearing
from fem_clearance.meshes import hollow_cylinder

R, C, STEEL = 15e-3, 2e-5, fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)


def arms():
    """A beam and a rigid body between ground and each other."""
    system = fc.System()
    beam = system.add(
        fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.02, 0.02), STEEL, 5, model="quadratic")
    )
    body = system.add(fc.RigidBody(1.0, (0.1, 0.2, 0.3), position=(1, 0.5, 0)))
    system.add(fc.RevoluteJoint(system.ground, beam.start, axis=(0, 0, 1)))
    system.add(fc.SphericalJoint(beam.end, body.at((1, 0, 0))))
    return system


def bearing(condensed: bool):
    """A journal in a film, whose tangent the matrix holds in part, in a rigid or condensed bore."""
    liner = None
    if condensed:
        mesh = hollow_cylinder(R, 25e-3, 14e-3, (12, 2, 1))
        solid = fc.CondensedSolid(mesh, STEEL, clamped="rim", facets="bore", direction="normal",
                                  responses=6)  # fmt: skip
        liner = Liner(solid)
    system = fc.System(gravity=(0, 0, 0))
    journal = system.add(
        fc.RigidBody(1.0, (1.0, 1.0, 1.0), position=(0.5 * C, 0.2 * C, 0),
                     angular_velocity=(0, 0, 1e3))
    )  # fmt: skip
    film = plain_bearing(R, 14e-3, C, 0.04, sliding_speed=R * 1e3, cells=(16, 4))
    system.add(CylindricalFilm(system.ground.at((0, 0, 0)), journal.center, (0, 0, 1), film=film,
                               liner=liner))  # fmt: skip
    system.add(fc.Force(journal.center, (1000.0, 0, 0)))
    return system


@pytest.mark.parametrize(
    "system", [arms, lambda: bearing(False), lambda: bearing(True)],
    ids=["arms", "film", "condensed"],
)  # fmt: skip
def test_the_matrix_is_that_of_petscs_assembly(system):
    stepper = fc.Stepper(system(), dt=1e-5, t_end=1e-3)
    stepper.start()
    stepper.advance()
    newton, state = stepper.newton, stepper.state
    newton.build()
    found = newton.A.getValuesCSR()
    expected = state.assemble(state.tangent(newton.c.beta, newton.c.gamma).copy())
    matrix = expected.copy()
    first, columns, values = matrix.getValuesCSR()
    assert np.array_equal(found[0], first) and np.array_equal(found[1], columns)
    sizes = np.abs(values).max()
    assert found[2] == pytest.approx(values, rel=1e-12, abs=1e-13 * sizes)
    assert np.count_nonzero(values) > state.size
    stepper.destroy()


def test_the_matrix_tells_its_solver_that_it_has_changed():
    """Twice the state's scale: four times the tangent, a quarter of the solution."""
    stepper = fc.Stepper(arms(), dt=1e-3, t_end=1.0)
    stepper.start()
    newton, ksp = stepper.newton, stepper.newton.snes.getKSP()
    x, b = newton.A.createVecs()
    b.set(1.0)
    found = []
    for _ in range(2):
        newton.build()
        ksp.solve(b, x)
        found.append(x.array_r.copy())
        stepper.state.scale *= 2.0
    assert found[1] == pytest.approx(found[0] / 4, rel=1e-9)
    stepper.destroy()
