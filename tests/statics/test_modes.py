"""Eigenfrequencies and modes of rigid bodies, springs and dampers; steady rotation; what is kept of
them. Beams are in tests/literature/test_modes.py."""

import logging

import numpy as np
import pytest
import scipy.linalg

import fem_clearance as fc
from fem_clearance.io.vtk import read_vtu
from fem_clearance.program.cli import main
from fem_clearance.statics import eigen

Z = (0.0, 0.0, 1.0)
STEEL = fc.StVenantKirchhoff(2e11, 0.3, 7800)


@pytest.fixture(params=["dense", "sparse"])
def solver(request, monkeypatch):
    """Both ways to solve."""
    if request.param == "sparse":
        monkeypatch.setattr(eigen, "DENSE", 0)
    return request.param


def pendulum(position=(0, -0.5, 0), **body):
    system = fc.System()
    rod = system.add(fc.RigidBody(2.0, (0.2, 0.03, 0.2), position=position, name="rod", **body))
    system.add(fc.RevoluteJoint(system.ground, rod.at((0, 0, 0)), axis=Z))
    return system


# --- undamped -------------------------------------------------------------------------------------
def test_physical_pendulum(solver):
    """omega^2 = m g l / (I + m l^2)."""
    system = pendulum((0.5, 0, 0))
    fc.Statics(system, steps=1).solve()  # from the horizontal
    modes = fc.eigenmodes(system, 4)
    # turned by a quarter, the rod's moment about the pin is still 0.2
    exact = np.sqrt(2 * 9.81 * 0.5 / (0.2 + 2 * 0.25))
    assert modes.angular_frequencies == pytest.approx([exact], rel=1e-9)
    assert modes.stable
    assert modes.names == [f"mode 1: {exact / 2 / np.pi:.6g} Hz (rod 100 %)"]


def test_inverted_pendulum_runs_away(solver):
    """lambda = sqrt(m g l / (I + m l^2)), real; Statics says that the equilibrium is unstable."""
    system = pendulum((0, 0.5, 0))
    results = fc.Statics(system, steps=1).solve()
    assert results.summary["stable"] is False
    modes = fc.eigenmodes(system, 1)
    exact = np.sqrt(2 * 9.81 * 0.5 / (0.2 + 2 * 0.25))
    assert modes.eigenvalues == pytest.approx([exact], rel=1e-9)
    assert not modes.stable
    assert "grows by" in modes.names[0]


def test_chain_of_rods(solver):
    """Three rods hanging from each other: the textbook's matrices of small angles,
    M_ij = (sum of masses below) l_i l_j and K_i = g (...), by scipy."""
    m, length = np.array([1.0, 2.0, 0.5]), np.array([0.4, 0.3, 0.6])
    inertia = m * length**2 / 12
    M, K = np.zeros((3, 3)), np.zeros((3, 3))
    for body in range(3):
        arm = np.where(np.arange(3) < body, length, 0.0)
        arm[body] = length[body] / 2
        M += m[body] * np.outer(arm, arm)
        M[body, body] += inertia[body]
        K += np.diag(m[body] * 9.81 * arm)
    exact = np.sqrt(scipy.linalg.eigvalsh(K, M))
    system, above, y = fc.System(), None, 0.0
    for k in range(3):
        rod = system.add(
            fc.RigidBody(m[k], (inertia[k], 1e-3, inertia[k]), position=(0, y - length[k] / 2, 0))
        )
        place = (0, y, 0)
        upper = system.ground if above is None else above
        system.add(fc.RevoluteJoint(upper.at(place), rod.at(place), axis=Z))
        above, y = rod, y - length[k]
    fc.Statics(system, steps=1).solve()
    modes = fc.eigenmodes(system, 3)
    assert modes.angular_frequencies == pytest.approx(exact, rel=1e-8)


def test_free_body_has_six_rigid_motions(solver):
    """And no others; all of them found although they are equal."""
    system = fc.System((0, 0, 0))
    system.add(fc.RigidBody(1.0, (1, 2, 2.5), position=(1, 2, 3), free=True))
    modes = fc.eigenmodes(system, 10)
    assert list(modes.eigenvalues) == [0.0] * 6
    linear = np.linalg.matrix_rank(modes.shapes, tol=1e-6)
    assert linear == 6


def test_modes_are_orthonormal_and_meet_constraints(solver):
    """x.M x = 1 with the mass matrix written down here; a joint's points move alike."""
    system, rods = fc.System((0, 0, 0)), []
    for k in range(2):
        body = fc.RigidBody(1.0 + k, (0.1, 0.2, 0.2), position=(k + 0.5, 0, 0))
        rods.append(system.add(body))
    system.add(fc.SphericalJoint(system.ground, rods[0].at((0, 0, 0))))
    system.add(fc.SphericalJoint(rods[0].at((1, 0, 0)), rods[1]))
    for k, place in enumerate(((1, 1, 0), (1, 0, 2), (2, 3, 1))):
        frame = rods[min(k, 1)].at((1.5 if k else 1.0, 0.2 * k, 0.1))
        system.add(fc.SpringDamper(system.ground.point(place), frame, 100.0 + 50 * k))
    modes = fc.eigenmodes(system, 6)
    state = system.state
    numbers = [(rod.refs[0].numbers, rod.refs[1].numbers.reshape(3, 3)) for rod in rods]
    gram = np.zeros((6, 6))
    for k, (r, d) in enumerate(numbers):
        E = np.trace(rods[k].inertia) / 2 * np.eye(3) - rods[k].inertia
        x, y = modes.shapes[:, r], modes.shapes[:, d]
        gram += (1.0 + k) * x @ x.T + np.einsum("akc,kl,blc->ab", y, E, y)
    assert gram == pytest.approx(np.eye(6), abs=1e-9)
    (r0, d0), (r1, d1) = numbers
    gap = modes.shapes[:, r0] + modes.shapes[:, d0[0]] / 2
    gap -= modes.shapes[:, r1] - modes.shapes[:, d1[0]] / 2
    assert np.abs(gap).max() < 1e-9 * np.abs(modes.shapes).max()
    assert np.all(np.diff(modes.angular_frequencies) >= 0)
    assert all(sum(share.values()) == pytest.approx(1.0) for share in modes.energies)
    assert state.scale == pytest.approx(1.0)  # left as it was


# --- damped ---------------------------------------------------------------------------------------
def oscillator(damping):
    system = fc.System((0, 0, 0))
    block = system.add(fc.RigidBody(2.0, (1, 1, 1), position=(1, 0, 0), name="block"))
    system.add(fc.PrismaticJoint(system.ground, block.center, axis=(1, 0, 0)))
    system.add(fc.SpringDamper(system.ground.point((0, 0, 0)), block.center, 50.0, damping))
    return system


@pytest.mark.parametrize("damping", [0.0, 3.0])
def test_damped_oscillator(solver, damping):
    """lambda = -c/2m + i sqrt(k/m - (c/2m)^2)."""
    modes = fc.eigenmodes(oscillator(damping), 1, damped=True)
    decay = damping / 4
    exact = complex(-decay, np.sqrt(25 - decay**2))
    assert modes.eigenvalues == pytest.approx([exact], rel=1e-9, abs=1e-9)
    assert modes.damping == pytest.approx([decay / 5], abs=1e-9)
    assert fc.eigenmodes(oscillator(damping), 1).eigenvalues == pytest.approx([5j], rel=1e-9)


def test_overdamped_oscillator(solver):
    """Two decaying motions: m lambda^2 + c lambda + k = 0."""
    modes = fc.eigenmodes(oscillator(40.0), 2, damped=True)
    assert np.sort(modes.eigenvalues.real) == pytest.approx(
        np.sort(np.roots([2, 40, 50])), rel=1e-9
    )
    assert list(modes.eigenvalues.imag) == [0, 0]
    assert "decays" in modes.names[0]


# --- steady rotation ------------------------------------------------------------------------------
def test_spinning_body(solver):
    """Seen from the body: nutation (I3 - I1) W / I1 (Euler), rotation that goes on turned in space
    and steady drift, both W; growing position and drift along the axis are zero."""
    rotation = fc.SteadyRotation((0, 0, 30.0))
    system = fc.System((0, 0, 0))
    system.add(fc.RigidBody(1.0, (0.2, 0.2, 0.3), name="top", free=True))
    fc.Statics(system, rotation=rotation).solve()
    modes = fc.eigenmodes(system, 6, rotation=rotation)
    # a double root with one vector (drift): half of the digits
    assert modes.eigenvalues == pytest.approx([0, 0, 15j, 30j, 30j, 30j], abs=2e-5)


def test_sleeping_top(solver):
    """A spinning top on its tip: I1 w^2 - I3 W w + m g l = 0, less W as seen from the top."""
    W, m, arm, I1, I3 = 30.0, 2.0, 0.5, 0.2 + 2 * 0.25, 0.3
    rotation = fc.SteadyRotation((0, 0, W))
    system = fc.System((0, 0, -9.81))
    top = system.add(fc.RigidBody(m, (0.2, 0.2, I3), position=(0, 0, arm), name="top"))
    system.add(fc.SphericalJoint(system.ground, top.at((0, 0, 0))))
    fc.Statics(system, rotation=rotation).solve()
    modes = fc.eigenmodes(system, 3, rotation=rotation)
    exact = np.sort(np.abs(np.roots([I1, -I3 * W, m * 9.81 * arm]) - W))
    assert modes.angular_frequencies == pytest.approx([0, *exact], rel=1e-9)
    assert modes.stable
    slow = fc.SteadyRotation((0, 0, 15.0))  # below 2 sqrt(m g l I1) / I3 = 17.5 rad/s it falls
    fc.Statics(system, rotation=slow).solve()
    modes = fc.eigenmodes(system, 3, rotation=slow)
    fall = np.roots([I1, -I3 * 15.0, m * 9.81 * arm]).imag.max()
    assert modes.eigenvalues.real.max() == pytest.approx(fall, rel=1e-8)
    assert not modes.stable


def test_whirl_of_a_mass_on_springs(solver):
    """Forward and backward whirl: |sqrt(k/m) -+ W| from the turning frame."""
    W, rotation = 2.0, fc.SteadyRotation((0, 0, 2.0))
    system = fc.System((0, 0, 0))
    mass = system.add(fc.RigidBody(1.0, (1, 1, 1), name="mass"))
    far = 1e4  # so far away that the springs' directions do not change
    for x, y, z in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
        place = system.ground.point((far * x, far * y, far * z))
        system.add(fc.SpringDamper(place, mass.center, 50.0))
    system.add(fc.Probe(mass.center))
    fc.Statics(system, rotation=rotation).solve()
    modes = fc.eigenmodes(system, 10, rotation=rotation)
    frequencies = modes.angular_frequencies
    for exact in (10 - W, 10.0, 10 + W):
        assert np.abs(frequencies - exact).min() < 1e-6 * exact


def test_relative_equilibrium():
    """A mass on a spring along a turning slide: r = k l / (k - m W^2); rates and accelerations are
    those of the rotation, so a simulation goes on in it."""
    W, k, free = 4.0, 100.0, 1.0
    system = fc.System((0, 0, 0))
    arm = system.add(fc.RigidBody(1.0, (1, 1, 1), name="arm"))
    mass = system.add(fc.RigidBody(2.0, (0.1, 0.1, 0.1), position=(free, 0, 0), name="mass"))
    pin = system.add(fc.RevoluteJoint(system.ground, arm.center, axis=Z))
    system.add(fc.PrismaticJoint(arm.at((free, 0, 0)), mass.center, axis=(1, 0, 0)))
    system.add(fc.SpringDamper(arm.center, mass.center, k, free_length=free))
    system.add(fc.RotationDriver(pin.i, pin.j, Z, fc.functions.Linear(W)))
    system.add(fc.Probe(mass.center, name="p"))
    rotation = fc.SteadyRotation((0, 0, W))
    results = fc.Statics(system, steps=3, time=0.0, rotation=rotation).solve()
    r = k * free / (k - 2.0 * W**2)
    last = [results[n][-1] for n in ("mass.x", "p.vy", "p.ax")]
    assert last == pytest.approx([r, W * r, -(W**2) * r], rel=1e-9)
    modes = fc.eigenmodes(system, 3, rotation=rotation)
    assert modes.angular_frequencies == pytest.approx([np.sqrt(k / 2.0 - W**2)], rel=1e-9)


def test_what_does_not_turn_is_refused():
    """Gravity across the axis: a pendulum that would stand still in the turning frame."""
    system = pendulum()
    with pytest.raises(fc.InputError, match="rod does not stay at rest in the frame that turns"):
        fc.eigenmodes(system, 1, rotation=fc.SteadyRotation((0, 0, 3.0)))


def test_clamped_coordinates_cannot_turn():
    system = fc.System((0, 0, 0))
    beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.1, 0.1), STEEL, 1, free=True))
    for block in beam.nodes[0].values():
        block.fixed[:] = True
    with pytest.raises(fc.InputError, match="beam1.node0.r cannot be seen from a turning frame"):
        fc.Statics(system, rotation=fc.SteadyRotation((0, 0, 3.0))).solve()


# --- what is kept ---------------------------------------------------------------------------------
def test_an_unbalanced_state_is_noticed(caplog):
    system = pendulum((0.5, 0, 0))
    with caplog.at_level(logging.WARNING):
        fc.eigenmodes(system, 1)
    assert "not in equilibrium (the translation equations are not satisfied)" in caplog.text


def test_pictures(tmp_path):
    """Files for ParaView: displacement at the corners, rotation of the pendulum about its pin."""
    system = pendulum()
    fc.Statics(system, steps=1).solve()
    modes = fc.eigenmodes(system, 1)
    (file,) = modes.save(tmp_path / "modes")
    data = read_vtu(file)
    assert data["frequency"] == pytest.approx(modes.frequencies)
    points, field = data["points"], data["real"]
    turn = modes.shapes[0][system.items[0].refs[0].numbers][0] / 0.5
    expected = turn * np.column_stack([-points[:, 1], points[:, 0], 0 * points[:, 0]])
    assert field == pytest.approx(expected, abs=1e-6 * np.abs(field).max())
    assert np.abs(data["imaginary"]).max() == 0
    with pytest.raises(fc.InputError, match="no mode 5"):
        modes.displacements(5)


def test_a_picture_is_drawn(tmp_path):
    system = pendulum()
    fc.Statics(system, steps=1).solve()
    modes = fc.eigenmodes(system, 1)
    with pytest.raises(fc.InputError, match="nothing to draw"):
        modes.picture(tmp_path / "none.png", which=[7])
    try:
        path = modes.picture(tmp_path / "modes.png")
    except fc.InputError as error:
        assert "OpenGL" in str(error)
        pytest.skip("no OpenGL here")
    assert path.stat().st_size > 3000


def test_from_the_shell(capsys, tmp_path):
    """The double four-bar starts upright, where it cannot stay: five equal rods of a parallelogram
    hang down in the end and swing as one, with omega^2 = the square of its growth when upright."""
    arguments = ["modes", "double_four_bar", "--count", "1", "--out", str(tmp_path / "modes")]
    assert main([*arguments, "--quiet"]) == 0
    text = capsys.readouterr().out
    frequency = float(text.split("mode 1: ")[1].split(" Hz")[0])
    # cranks (three) turn about their ends, couplers (two) move on circles: all of mass m, length l
    exact = np.sqrt((3 / 2 + 2) / (3 / 3 + 2) * 9.81)
    assert 2 * np.pi * frequency == pytest.approx(exact, rel=1e-4)
    assert (tmp_path / "modes" / "mode_01.vtu").exists()
    assert main(["modes", "double_four_bar", "--count", "none", "--quiet"]) == 2
    assert "--count must be a number" in capsys.readouterr().err


@pytest.mark.mpi
@pytest.mark.parametrize("damped", [False, True])
def test_same_modes_on_any_number_of_ranks(comm, solver, damped):
    """A bent beam with a body and a damper, against one rank."""
    from mpi4py import MPI

    def run(communicator):
        system = fc.System(comm=communicator)
        beam = system.add(fc.Beam((0, 0, 0), (1, 0, 0), fc.Rectangle(0.01, 0.02), STEEL, 5))
        body = system.add(fc.RigidBody(0.5, (0.1, 0.1, 0.1), position=(1.1, 0, 0)))
        system.add(fc.FixedJoint(system.ground, beam.start))
        system.add(fc.FixedJoint(beam.end, body))
        system.add(fc.SpringDamper(system.ground.point((1, 1, 0)), body.center, 10.0, 2.0))
        fc.Statics(system, steps=2).solve()
        return fc.eigenmodes(system, 5, damped=damped)

    here, alone = run(comm), run(MPI.COMM_SELF)
    assert here.eigenvalues == pytest.approx(alone.eigenvalues, rel=1e-6)
    assert np.abs(here.shapes) == pytest.approx(np.abs(alone.shapes), abs=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"count": 0}, "count must be"), ({"rotation": "fast"}, "SteadyRotation"),],
)  # fmt: skip
def test_bad_input(options, message):
    with pytest.raises(fc.InputError, match=message):
        fc.eigenmodes(pendulum(), **options)


def test_needs_a_system():
    with pytest.raises(fc.InputError, match="needs a System"):
        fc.eigenmodes("pendulum")
    with pytest.raises(fc.InputError, match="omega must be a vector"):
        fc.SteadyRotation(3.0)
