"""Elements of beams that turn inside out have no forces, so that no step ends in such a state."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.core.state import State
from fem_clearance.errors import StepFailed

LENGTH, WIDTH, E = 0.1, 0.02, 2e9
AREA, INERTIA, G = WIDTH**2, WIDTH**4 / 12, E / 2.6
STEEL = fc.StVenantKirchhoff(E=E, nu=0.3, rho=1000)
MATRICES = fc.SectionMatrices(
    stiffness=np.diag([G * AREA, G * AREA, E * AREA, E * INERTIA, E * INERTIA, 2 * G * INERTIA]),
    mass=1000 * np.diag([AREA, AREA, AREA, 2 * INERTIA, INERTIA, INERTIA]),
)
#: sections and options of each kind of element with directors
KINDS = {
    "quadratic": (fc.Rectangle(WIDTH, WIDTH), {"material": STEEL}),
    "green": (fc.Rectangle(WIDTH, WIDTH), {"material": STEEL, "strain": "green"}),
    "ancf": (fc.Rectangle(WIDTH, WIDTH), {"material": STEEL, "model": "ancf"}),
    "matrices": (MATRICES, {}),
}
QUICK = "quadratic", "matrices"
EVERY = [
    pytest.param(*value, id=name, marks=[] if name in QUICK else pytest.mark.slow)
    for name, value in KINDS.items()
]


def bar(section, options, elements=3):
    """A bar along x that is clamped at x = 0."""
    system = fc.System(gravity=(0, 0, 0))
    body = fc.Beam((0, 0, 0), (LENGTH, 0, 0), section, elements=elements, name="bar", **options)
    system.add(body)
    system.add(fc.FixedJoint(system.ground, body.start))
    return system, body


@pytest.mark.parametrize(("section", "options"), EVERY)
def test_mirrored(section, options):
    """Turned about the centre line's first point a beam has no forces; mirrored in the plane across
    its axis, or in one along it, it has no finite ones. Green's strains vanish in all three."""
    system, body = bar(section, options)
    state = State(system.assemble())
    blocks = [block for node in body.nodes for block in node.values()]
    at = [state.locate(block.numbers) for block in blocks]
    start = state.q.copy()

    def rows(change):
        for where in at:
            state.q[where] = start[where].reshape(-1, 3) @ np.transpose(change)
        return state.residual()[np.concatenate(at)]

    half_turn, about_y = np.diag([1.0, -1, -1]), np.diag([-1.0, 1, -1])
    for turn in (np.eye(3), half_turn, about_y):
        assert abs(rows(turn)).max() < 1e-6 * E * AREA
    for mirror in np.diag([-1.0, 1, 1]), np.diag([1.0, -1, 1]), np.diag([1.0, 1, -1]):
        assert not np.isfinite(rows(mirror)).all()


@pytest.mark.parametrize(("section", "options"), [KINDS[name] for name in QUICK], ids=QUICK)
def test_crushed(section, options):
    """Under a force F the bar of the geometrically exact law is L (1 - F/EA) long, nothing under
    EA. The run ends there and says why; before, the bar went on through its own clamp."""
    system, body = bar(section, options)
    system.add(fc.Force(body.end, (-2 * E * AREA, 0, 0), fc.functions.Linear(0.1)))
    system.add(fc.Probe(body.end, name="tip"))
    simulation = fc.Simulation(system, fc.GeneralizedAlpha(0.0), dt=0.1, t_end=10.0, progress=False)
    with pytest.raises(StepFailed) as caught:
        simulation.run()
    said, results = str(caught.value), simulation.results
    assert "give no finite number (an element turns inside out, det F <= 0); apply loads" in said
    assert len(said) <= 400 and results.time[-1] == pytest.approx(5.0, abs=0.1)
    length = LENGTH * (1 - 0.2 * results.time)
    np.testing.assert_allclose(results["tip.x"][10:-1], length[10:-1], atol=1e-3 * LENGTH)
    assert np.all(results["tip.x"] > 0)
