"""Solids in motion: free flight, frequencies, damping, lumped masses, NumPy's sums, ranks."""

from mpi4py import MPI

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.core.state import State
from fem_clearance.runs.modes import eigenmodes
from fem_clearance.runs.statics import Statics

from ..core import reference

RUBBER = fc.NeoHookean(E=1e6, nu=0.3, rho=1000)
STEEL = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)


def run(stepper, record=()):
    """Steps to the end; rows of the recorded channels, the start first."""
    stepper.start()
    rows = [[stepper.channels[name] for name in record]]
    while stepper.t < stepper.t_end:
        stepper.advance()
        rows.append([stepper.channels[name] for name in record])
    return np.array(rows)


# --- free flight ----------------------------------------------------------------------------------
@pytest.mark.parametrize("state", [None, "plane_stress"])
def test_free_flight(state):
    """1,000 steps of a soft body that spins, flies and vibrates: momentum, angular momentum stay;
    the energy of generalized-alpha without damping wavers by O(h^2) and does not drift."""
    d = 3 if state is None else 2
    mesh = meshes.block((1, 0.4, 0.2)[:d], (3, 1, 1)[:d], degree=2)
    system = fc.System(gravity=(0, 0, 0))
    spin = np.array([4.0, 2.0, 6.0] if d == 3 else [0, 0, 6.0])

    def velocity(x):
        wave = 0.5 * np.sin(np.pi * x[:, :1]) * [1, 0, 0]
        return np.array([1.0, -2.0, 0.5 * (d == 3)]) + np.cross(spin, x) + wave

    body = system.add(
        fc.Solid(
            mesh, RUBBER, degree=mesh.degree, state=state, velocity=velocity, free=True, name="body"
        )
    )
    system.add(fc.SolidProbe(body, name="whole"))
    stepper = fc.Stepper(system, fc.GeneralizedAlpha(rho_inf=1.0), dt=1e-3, t_end=1.0)
    names = [f"whole.{k}" for k in ("px", "py", "pz", "Lx", "Ly", "Lz")]
    rows = run(stepper, [*names, "energy.total", "energy.strain", "whole.x"])
    assert len(rows) == 1001
    p, L, energy, strain = rows[:, :3], rows[:, 3:6], rows[:, 6], rows[:, 7]
    assert strain.max() > 0.02 * energy[0]
    print(state, np.abs(p - p[0]).max() / np.linalg.norm(p[0]),
          np.abs(L - L[0]).max() / np.linalg.norm(L[0]),
          np.abs(energy / energy[0] - 1).max(), energy[-100:].mean() / energy[:100].mean() - 1,
          stepper.newton.iterations / stepper.steps, stepper.newton.tangents)  # fmt: skip
    assert np.abs(p - p[0]).max() < 1e-9 * np.linalg.norm(p[0])
    assert np.abs(L - L[0]).max() < 1e-4 * np.linalg.norm(L[0])
    assert np.abs(energy / energy[0] - 1).max() < 1e-4
    assert abs(energy[-100:].mean() / energy[:100].mean() - 1) < 2e-5
    assert rows[-1, 8] == pytest.approx(1.0, abs=1e-8)  # the centre of mass flies straight


# --- frequencies ----------------------------------------------------------------------------------
def timoshenko(material, L, h, count):
    """Angular frequencies of a cantilever of square section, shear factor 5/6: zeros of the end
    conditions' determinant; state (w, phi, w', phi') along the beam."""
    area, inertia, rho = h**2, h**4 / 12, material.rho
    EI, shear = material.E * inertia, 5 / 6 * material.mu * area

    def ends(w):
        system = np.zeros((4, 4))
        system[0, 2] = system[1, 3] = 1
        system[2, [0, 3]] = -rho * area * w**2 / shear, 1
        system[3, 1:3] = (shear - rho * inertia * w**2) / EI, -shear / EI
        E = expm(L * system)[:, 2:]
        return np.linalg.det([E[2] - E[1], E[3]])

    grid = np.linspace(1, 12000, 2400)
    values = [ends(w) for w in grid]
    places = np.flatnonzero(np.diff(np.sign(values)))[:count]
    return np.array([brentq(ends, grid[k], grid[k + 1], xtol=1e-9) for k in places])


def test_frequencies_of_a_cantilever():
    """Against Timoshenko's beam without Poisson's effect (whose clamp stiffens the root); with it a
    coarse mesh against one twice as fine. The first axial frequency is c/4L."""
    L, h = 1.0, 0.05
    plain = fc.StVenantKirchhoff(E=2.07e11, nu=0.0, rho=7800)
    found = {}
    for key, n, material in (("coarse", 1, STEEL), ("fine", 2, STEEL), ("plain", 2, plain)):
        mesh = meshes.block((L, h, h), (8 * n, n, n), center=(L / 2, 0, 0), degree=2)
        system = fc.System(gravity=(0, 0, 0))
        system.add(fc.Solid(mesh, material, degree=mesh.degree, clamped="x0", name="beam"))
        found[key] = eigenmodes(system, 8).angular_frequencies
    beam = timoshenko(plain, L, h, 3)
    euler = 1.875104069**2 * np.sqrt(plain.E * h**2 / 12 / plain.rho) / L**2
    assert beam[0] == pytest.approx(euler, rel=5e-3)
    print(found["plain"][:6:2] / beam - 1, found["coarse"] / found["fine"] - 1)
    assert found["plain"][:6:2] == pytest.approx(beam, rel=2e-3)
    assert found["fine"][:2] == pytest.approx([euler, euler], rel=5e-3)
    assert found["coarse"][:4] == pytest.approx(found["fine"][:4], rel=0.012)
    axial = np.pi / 2 * np.sqrt(plain.E / plain.rho) / L
    assert np.abs(found["plain"] / axial - 1).min() < 1e-5


def axial_bar(n, degree, lumped, material=None, **options):
    """A bar that can only move along x: clamped at x = 0, nu = 0."""
    material = material or fc.StVenantKirchhoff(E=1e6, nu=0.0, rho=1000)
    mesh = meshes.block((1, 0.1), (n, 1), center=(0.5, 0, 0), degree=degree)
    system = fc.System(gravity=(0, 0, 0))
    held = {"x0": "xy", "y0": "y", "y1": "y"}
    bar = system.add(
        fc.Solid(mesh, material,
                 degree=mesh.degree, state="plane_strain", clamped=held, lumped=lumped, name="bar",
                 thickness=0.1, **options)
    )  # fmt: skip
    return system, bar


@pytest.mark.parametrize("lumped", [False, True])
@pytest.mark.parametrize("degree", [1, 2])
def test_axial_frequency(degree, lumped):
    """w = pi/2 c/L: error of order 2 degree; the consistent mass from above, the lumped one of
    degree 1 from below."""
    exact = np.pi / 2 * np.sqrt(1e6 / 1000)
    errors = []
    for n in (4, 8):
        system, bar = axial_bar(n, degree, lumped)
        errors.append(eigenmodes(system, 1).angular_frequencies[0] / exact - 1)
    print(degree, lumped, errors)
    assert np.log2(abs(errors[0] / errors[1])) == pytest.approx(2 * degree, abs=0.3)
    if degree == 1:
        assert (errors[1] < 0) == lumped


@pytest.mark.parametrize(
    ("cell", "degree"),
    [("triangle", 1), ("quadrilateral", 1), ("quadrilateral", 2), ("tetrahedron", 1),
     ("hexahedron", 1), ("hexahedron", 2)],
)  # fmt: skip
def test_lumped_mass(cell, degree):
    """A diagonal matrix of positive entries that add up to the mass along each axis."""
    d = 2 if cell in ("triangle", "quadrilateral") else 3
    mesh = meshes.block((1, 2, 3)[:d], (2,) * d, degree=degree)
    mesh = meshes.simplices(mesh) if cell in ("triangle", "tetrahedron") else mesh
    system = fc.System(gravity=(0, 0, 0))
    state = "plane_strain" if d == 2 else None
    solid = system.add(
        fc.Solid(
            mesh,
            RUBBER,
            degree=mesh.degree,
            state=state,
            thickness=0.5,
            lumped=True,
            free=True,
            name="s",
        )
    )
    s = system.state
    heavy = 2.0**80
    M = np.zeros((s.size, s.size))
    K = s.tangent(0, 0).copy()
    np.add.at(M, (s.problem.coo_rows, s.problem.coo_cols), (s.tangent(heavy, 0) - K) / heavy)
    diagonal = np.diag(M)
    assert np.abs(M - np.diag(diagonal)).max() < 1e-14 * diagonal.max()
    assert diagonal.min() > 0 and diagonal.sum() == pytest.approx(d * solid.mass, rel=1e-12)


def test_power_of_the_drag():
    """A plate that turns about its centre: the drag c rho v takes 2 c T, with T = I w^2 / 2 and
    I = m (a^2 + b^2) / 12, whatever the quadrature of its strain energy."""
    a, b, thickness, c, w = 1.0, 0.4, 0.5, 0.3, 2.0
    mesh = meshes.simplices(meshes.block((a, b), (2, 1)))
    system = fc.System(gravity=(0, 0, 0))
    system.add(
        fc.Solid(mesh, RUBBER, degree=1, state="plane_strain", thickness=thickness, free=True,
                 damping=fc.Damping(drag=c), angular_velocity=(0, 0, w), name="plate")
    )  # fmt: skip
    inertia = RUBBER.rho * a * b * thickness * (a**2 + b**2) / 12
    system.state.reset()
    lost = system.channels["plate.damping_loss"]
    assert lost == pytest.approx(c * inertia * w**2, rel=1e-12)


@pytest.mark.parametrize("lumped", [True, False])
def test_momenta_of_the_probe(lumped):
    """Against the mass matrix of the solid's own residual: p = sum M v, L_z = sum x M v."""
    system = fc.System(gravity=(0, 0, 0))
    mesh = meshes.block((1.0, 0.4), (2, 1), center=(0.3, 0.2, 0))
    body = system.add(
        fc.Solid(
            mesh,
            RUBBER,
            degree=mesh.degree,
            state="plane_strain",
            lumped=lumped,
            free=True,
            name="body",
        )
    )
    system.add(fc.SolidProbe(body, name="whole"))
    s = system.state
    s.v[:] = np.random.default_rng(4).standard_normal(s.total)
    s.q[:] = 0.01 * s.v[::-1]
    M = np.zeros((s.size, s.size))
    np.add.at(M, (s.problem.coo_rows, s.problem.coo_cols), s.tangent(2.0**80, 0) / 2.0**80)
    momentum = body.at_nodes(M @ s.v)
    places = body.nodes + body.at_nodes(s.q)
    system.channels.read()
    found = [system.channels[f"whole.{n}"] for n in ("px", "py", "Lz")]
    turning = np.cross(places, momentum)[:, 2].sum()
    assert found == pytest.approx([*momentum.sum(axis=0)[:2], turning], rel=1e-12)


# --- damping --------------------------------------------------------------------------------------
@pytest.mark.parametrize("how", ["retardation", "drag"])
def test_decrement_of_a_bar(how):
    """First axial vibration of a bar: ratio w retardation/2, or drag/(2 w); closed form
    v0/wd exp(-zeta w t) sin(wd t) of the tip over three periods."""
    w, ratio, v0 = np.pi / 2 * np.sqrt(1000.0), 0.05, 1e-3
    amount = {"retardation": 2 * ratio / w, "drag": 2 * ratio * w}[how]
    system, bar = axial_bar(
        6, 2, False, damping=fc.Damping(**{how: amount}),
        velocity=lambda x: v0 * np.sin(np.pi / 2 * x[:, :1]) * [1, 0, 0],
    )  # fmt: skip
    system.add(fc.Probe(bar.at((1, 0.05, 0)), name="tip"))
    period = 2 * np.pi / w
    stepper = fc.Stepper(system, dt=period / 300, t_end=3 * period)
    rows = run(stepper, ["tip.x", "energy.total", "power.damping"])
    t = np.linspace(0, 3 * period, len(rows))
    damped = w * np.sqrt(1 - ratio**2)
    exact = v0 / damped * np.exp(-ratio * w * t) * np.sin(damped * t)
    gap = np.abs(rows[:, 0] - 1 - exact).max() / (v0 / w)
    lost = np.trapezoid(rows[:, 2], t)
    print(how, gap, (rows[0, 1] - rows[-1, 1]) / lost - 1, stepper.newton.iterations / len(rows))
    assert gap < 2e-3
    assert rows[0, 1] - rows[-1, 1] == pytest.approx(lost, rel=2e-3)


def test_rigid_rotation_is_not_damped():
    """A body turned by 2 rad that spins: no viscous power, no viscous force; a drag slows it as
    exp(-c t)."""
    mesh = meshes.block((1, 0.4, 0.2), (2, 1, 1), degree=1)
    system = fc.System(gravity=(0, 0, 0))
    viscous = fc.Damping(retardation=0.1)
    body = system.add(
        fc.Solid(mesh, RUBBER, degree=mesh.degree, damping=viscous, free=True, name="body")
    )
    s = system.state
    angle, spin = 2.0, np.array([0, 0, 50.0])
    R = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    x = body.nodes @ R.T
    numbers = body.displacement(np.arange(len(x))[:, None]).numbers
    s.q[numbers], s.v[numbers] = x - body.nodes, np.cross(spin, x)
    system.channels.read()
    assert abs(system.channels["power.damping"]) < 1e-12 * system.channels["energy.kinetic"]
    assert np.abs(s.residual()).max() < 1e-9 * RUBBER.E

    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.Solid(mesh, RUBBER,
                 degree=mesh.degree, damping=fc.Damping(retardation=1e-3, drag=2.0), free=True,
                 angular_velocity=(0, 0, 5.0), name="body")
    )  # fmt: skip
    system.add(fc.SolidProbe(body, name="whole"))
    stepper = fc.Stepper(system, dt=2e-3, t_end=0.2)
    rows = run(stepper, ["whole.Lz"])
    assert rows[-1, 0] / rows[0, 0] == pytest.approx(np.exp(-0.4), rel=1e-5)


# --- loads ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("state", [None, "plane_strain"])
def test_weight_body_load_and_point_load(state):
    """A free body under gravity, a body load and forces at its nodes: its centre of mass moves as
    (g + load/rho + sum F/m) t^2/2, and gravity's potential energy turns into motion."""
    d = 3 if state is None else 2
    mesh = meshes.block((0.2, 0.3, 0.1)[:d], (2,) * d, degree=2)
    system = fc.System(gravity=(0, -9.81, 0))
    body = system.add(
        fc.Solid(
            mesh,
            RUBBER,
            degree=mesh.degree,
            state=state,
            thickness=0.1,
            load=(2000.0, 0, 0),
            free=True,
            name="b",
        )
    )
    system.add(fc.SolidProbe(body, name="whole"))
    for k, y in enumerate((-0.15, 0.15)):
        at = body.at((0, y, 0))
        system.add(fc.Force(at, (0, 3.0, 0), name=f"push{k}"))
    assert body.mass == pytest.approx(6.0)
    rows = run(fc.Stepper(system, dt=1e-3, t_end=0.05), ["whole.x", "whole.y", "energy.potential"])
    assert rows[-1, 0] == pytest.approx(2.0 * 0.05**2 / 2, rel=1e-8)
    assert rows[-1, 1] == pytest.approx((-9.81 + 1.0) * 0.05**2 / 2, rel=1e-8)
    exact = 6 * (9.81 * rows[-1, 1] - 2 * rows[-1, 0])
    assert rows[-1, 2] - rows[0, 2] == pytest.approx(exact, rel=1e-8)


def test_loads_that_vary_with_time():
    """Resultants of a traction and of pressures given by functions of time, and their powers; a
    pressure on the undeformed area has the resultant -p A."""
    mesh = meshes.block((0.2, 0.3), (1, 2), degree=1)
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(
        fc.Solid(mesh, RUBBER, degree=mesh.degree, state="plane_strain", clamped="y0", name="b")
    )
    shake = fc.functions.Harmonic(amplitude=1.0, frequency=20.0)
    system.add(fc.Traction(body.facets("y1"), (300.0, 0, 0), shake, name="pull"))
    wave = fc.functions.Harmonic(amplitude=2e3, frequency=10.0)
    system.add(fc.Pressure(body.facets("x0"), wave, follower=False, name="gas"))
    system.add(fc.Pressure(body.facets("x1"), 1.0, wave, name="water"))
    system.add(fc.Probe(body.at((-0.1, 0.15, 0)), name="tip"))
    stepper = fc.Stepper(system, fc.GeneralizedAlpha(1.0), dt=2e-4, t_end=0.02)
    names = ["pull.x", "gas.x", "gas.y", "water.x", "tip.y", "energy.total"]
    rows = run(stepper, [*names, "pull.power", "gas.power", "water.power"])
    t = np.linspace(0, 0.02, len(rows))
    assert rows[:, 0] == pytest.approx(300 * 0.2 * np.sin(40 * np.pi * t), abs=1e-9)
    assert rows[:, 1] == pytest.approx(2e3 * 0.3 * np.sin(20 * np.pi * t), abs=1e-9)
    assert np.abs(rows[:, 2]).max() < 1e-9
    assert not np.allclose(rows[:, 3], -rows[:, 1], atol=1e-6)  # on the present area
    work = np.trapezoid(rows[:, 6:].sum(axis=1), t)
    assert "energy.potential" in system.channels.names
    assert rows[-1, 5] == pytest.approx(work, rel=2e-3)


# --- Newton's convergence -------------------------------------------------------------------------
def test_stiff_and_hardly_loaded():
    """A steel bar of millimetres under a micronewton, in space and in plane stress: Newton must not
    stall on round-off, nor take the load for nothing (F L / E A)."""
    L, h = 0.02, 0.002
    for state in (None, "plane_stress"):
        d = 3 if state is None else 2
        mesh = meshes.block((L, h, h)[:d], (8, 2, 2)[:d], center=(L / 2, 0, 0), degree=2)
        system = fc.System(gravity=(0, 0, 0))
        held = {"x0": "x", "y0": "y", "z0": "z"} if d == 3 else {"x0": "x", "y0": "y"}
        bar = system.add(
            fc.Solid(
                mesh, STEEL, degree=mesh.degree, state=state, thickness=h, clamped=held, name="bar"
            )
        )
        system.add(fc.Traction(bar.facets("x1"), (1e-6 / h**2, 0, 0), name="pull"))
        system.add(fc.Probe(bar.at((L, h / 2, 0)), name="tip"))
        results = Statics(system, steps=1).solve()
        u = system.state.q[bar.displacement(np.array([len(bar.nodes) - 1])).numbers[0]]
        print(state, results.summary["newton_iterations"], u / (1e-6 * L / STEEL.E / h**2) - 1)
        assert u == pytest.approx(1e-6 * L / STEEL.E / h**2, rel=1e-4)
        assert results.summary["newton_iterations"] <= 4
        stepper = fc.Stepper(system, dt=1e-6, t_end=1e-4)
        run(stepper)
        print(stepper.newton.iterations, stepper.newton.tangents)
        assert stepper.rejected_steps == 0 and stepper.newton.iterations <= 250


# --- NumPy, ranks ---------------------------------------------------------------------------------
def column(comm, state=None):
    d = 3 if state is None else 2
    mesh = meshes.block((0.2, 1, 0.2)[:d], (2, 8, 2)[:d], center=(0, 0.5, 0), degree=2)
    system = fc.System(gravity=(0, -9.81, 0), comm=comm)
    bar = system.add(
        fc.Solid(mesh, RUBBER, degree=mesh.degree, state=state, clamped="y0", name="bar")
    )
    push = fc.Pressure(bar.facets("x0"), 2e3, fc.functions.Linear(1.0), name="wind")
    system.add(push)
    system.add(fc.Probe(bar.at((0.1, 1, 0.1 if d == 3 else 0)), name="tip"))
    return system


@pytest.mark.parametrize("state", [None, "plane_stress"])
def test_evaluation(state):
    """Rows and tangent of a bent, moving column, from its cells one by one."""
    problem = column(MPI.COMM_SELF, state).assemble()
    now, random = State(problem), np.random.default_rng(2)
    for field, size in ((now.q, 2e-4), (now.v, 1.0), (now.a, 10.0)):
        field[: now.owned] = size * random.standard_normal(now.owned)
    rows, sizes = reference.residual(now)
    assert now.residual() == pytest.approx(rows, abs=1e-13 * sizes.max())
    K, n = reference.tangent(now, 1e6, 1e3), problem.local
    mine = np.zeros_like(K)
    np.add.at(mine, (problem.coo_rows, problem.coo_cols), now.tangent(1e6, 1e3))
    assert mine[:n, :n] == pytest.approx(K[:n, :n], abs=1e-13 * np.abs(K).max())


@pytest.mark.mpi
@pytest.mark.parametrize("state", [None, "plane_stress"])
def test_ranks_agree(comm, state):
    """Equilibrium and steps from it on all ranks and on one; every rank has its share of cells."""
    tips = []
    for c in (MPI.COMM_SELF, comm):
        system = column(c, state=state)
        still = Statics(system, steps=2).solve().last
        stepper = fc.Stepper(system, dt=2e-3, t_end=0.01, initial=still)
        tips.append(run(stepper, ["tip.x", "tip.y", "energy.total"]))
        cells = c.allgather(system.state.components[0].count)
        assert sum(cells) == 8 * (4 if state is None else 2)
        assert min(cells) > 0.5 * max(cells)
    assert tips[1] == pytest.approx(tips[0], rel=1e-8)


@pytest.mark.parametrize("state, modulus", [("plane_stress", 1.0), ("plane_strain", 1 / 0.91)])
def test_frequencies_of_plane_states(state, modulus):
    """First bending frequency of a cantilever 40 times as long as high, Euler and Bernoulli's
    1.8751^2 sqrt(E I/m)/L^2; in plane strain with E/(1 - nu^2). The stretch across the plane, an
    algebraic unknown, follows the motion."""
    E, rho, L, h = 2e11, 7800.0, 1.0, 0.025
    mesh = fc.meshes.block((L, h), (20, 1))
    system = fc.System(gravity=(0, 0, 0))
    steel = fc.StVenantKirchhoff(E=E, nu=0.3, rho=rho)
    system.add(fc.Solid(mesh, steel, degree=2, state=state, clamped="x0"))
    found = fc.eigenmodes(system, 1).angular_frequencies[0]
    exact = 1.8751041**2 * np.sqrt(modulus * E * h**2 / 12 / rho) / L**2
    assert found == pytest.approx(exact, rel=4e-3)
