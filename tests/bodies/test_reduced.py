"""Reduced bodies that move, against the same bodies in full, rigid bodies and closed forms."""

import json

import numpy as np
import pytest
from scipy.linalg import eigh

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance._backend import MPI
from fem_clearance.bodies.solids.condensed import alone
from fem_clearance.bodies.solids.stress import von_mises
from fem_clearance.diagnostics import tangent_errors
from fem_clearance.lubrication import Full, GuideFilm

E, NU, RHO = 2e11, 0.3, 7800.0
SIZE = (0.3, 0.03, 0.02)


def rod(cells=(6, 1, 1), center=(0, 0, 0), E=E, **options):
    mesh = meshes.block(SIZE[: len(cells)], cells, center=center)
    options = {"name": "rod", "free": True} | options
    if len(cells) == 2:
        options = {"state": "plane_stress", "thickness": SIZE[2]} | options
    return fc.Solid(mesh, fc.StVenantKirchhoff(E, NU, RHO), degree=2, **options)


def of_solid(solid):
    """Natural frequencies of a free solid by LAPACK, Hz, without rigid motions."""
    _, _, matrices, _ = alone(solid)
    K, M = matrices.K.toarray(), matrices.M.toarray()
    massive = np.flatnonzero(M.diagonal() > 0)
    rest = np.flatnonzero(M.diagonal() == 0)
    if len(rest):
        K[np.ix_(massive, massive)] -= K[np.ix_(massive, rest)] @ np.linalg.solve(
            K[np.ix_(rest, rest)], K[np.ix_(rest, massive)]
        )
    K, M = (z[np.ix_(massive, massive)] for z in (K, M))
    w2 = eigh(K, M, eigvals_only=True)
    return np.sqrt(w2[6 if solid.dimension == 3 else 3 :]) / 2 / np.pi


def spun(body, point, *, dt=1e-3, t_end=0.1, gravity=(0, 0, 0), **options):
    """A free body and a probe on it."""
    system = fc.System(gravity=gravity)
    system.add(body)
    system.add(fc.Probe(body.at(point), name="tip"))
    results = fc.Simulation(system, dt=dt, t_end=t_end, **options).run()
    return system, results, np.stack([results[f"tip.{x}"] for x in "xyz"], axis=1)


# --- modes ------------------------------------------------------------------------------------
@pytest.mark.parametrize("cells", [(6, 1, 1), (8, 2)], ids=["space", "plane_stress"])
@pytest.mark.parametrize("interfaces", [(), ("x0", "x1")], ids=["free", "interfaces"])
def test_frequencies_are_those_of_the_solid(cells, interfaces):
    """In the modes kept, of the shapes and of the moving body, to 1e-8 (eigenvalues of the full
    matrices by LAPACK)."""
    solid = rod(cells)
    body = fc.ReducedBody.from_solid(solid, modes=5, interfaces=interfaces)
    wanted = of_solid(solid)[:5]
    assert body.frequencies[:5] == pytest.approx(wanted, rel=1e-8)
    system = fc.System(gravity=(0, 0, 0))
    system.add(body)
    rigid = 6 if len(cells) == 3 else 3
    found = np.abs(fc.eigenmodes(system, rigid + 5).eigenvalues)[rigid:] / 2 / np.pi
    assert found == pytest.approx(wanted, rel=1e-7)


def test_held_modes_are_those_of_the_held_solid():
    """Craig and Bampton: with both ends attached to the ground, the frequencies of the clamped
    solid."""
    found = []
    for reduced in (False, True):
        system = fc.System(gravity=(0, 0, 0))
        if reduced:
            body = fc.ReducedBody.from_solid(rod(), modes=0, held=4, interfaces=("x0", "x1"))
            system.add(body)
            for end in body.interfaces:
                where = system.ground.at(body.facets(end).center)
                system.add(fc.Attachment(body.facets(end), where))
            # the ends may warp in their plane: the held modes do not, so no mode lies lower
        else:
            system.add(rod(clamped=("x0", "x1")))
        found.append(np.sort(np.abs(fc.eigenmodes(system, 4).eigenvalues) / 2 / np.pi))
    assert found[1] == pytest.approx(found[0], rel=2e-2)
    assert np.all(found[1] < found[0] * (1 + 1e-9))


def test_frequencies_of_a_beam_in_air():
    """Free-free bending of a slender rod: 4.730041^2 / 2 pi sqrt(EI / rho A L^4) (Blevins 1979,
    table 8-1), to its slenderness."""
    length, h = 1.0, 0.01
    mesh = meshes.block((length, h), (30, 1))
    solid = fc.Solid(
        mesh, fc.StVenantKirchhoff(E, 0.0, RHO), degree=2, state="plane_stress", name="rod"
    )
    wanted = 4.730041**2 / 2 / np.pi * np.sqrt(E * h**2 / 12 / RHO / length**4)
    body = fc.ReducedBody.from_solid(solid, modes=1, interfaces=())
    assert body.frequencies[0] == pytest.approx(wanted, rel=1e-3)


# --- rigid motions ----------------------------------------------------------------------------
def as_rigid(body, **options):
    """The rigid body of the same matrices."""
    basis = body.basis
    second = np.diag(basis.mass[1:4]) * basis.size**2
    return fc.RigidBody(
        basis.mass[0], np.trace(second) * np.eye(3) - second, position=basis.center,
        orientation=basis.axes, name="rod", free=True, **options,
    )  # fmt: skip


MOTION = {"velocity": (1, 2, 3), "angular_velocity": (3, 40, 5)}


def test_without_shapes_it_is_a_rigid_body():
    """To round-off and Newton's tolerance: motion, energies, momenta."""
    body = fc.ReducedBody.from_solid(rod(center=(0.1, 0, 0), **MOTION), modes=0)
    end, gravity = (0.25, 0, 0), (1, -9.81, 2)
    _, one, tip = spun(body, end, gravity=gravity)
    _, other, rigid = spun(as_rigid(body, **MOTION), end, gravity=gravity)
    assert np.ptp(tip, axis=0).max() > 0.3
    assert tip == pytest.approx(rigid, abs=1e-11)
    for name in ("energy.kinetic", "energy.potential"):
        assert one[name] == pytest.approx(other[name], abs=1e-9)
    # Euler's tensor and mass: of the box
    mass = RHO * np.prod(SIZE)
    assert body.basis.mass[0] == pytest.approx(mass, rel=1e-13)
    second = body.basis.mass[1:4] * body.basis.size**2
    assert second == pytest.approx(mass * np.square(SIZE) / 12, rel=1e-12)


def test_a_stiff_body_tends_to_a_rigid_one():
    """Free spin about no principal axis: what a body of steel moves otherwise than a rigid one
    falls with the square of the step."""
    off = []
    for dt in (2e-4, 1e-4):
        body = fc.ReducedBody.from_solid(rod(**MOTION), modes=2, interfaces=())
        options = {"integrator": fc.GeneralizedAlpha(1.0), "t_end": 0.05}
        tip = spun(body, (0.15, 0, 0), dt=dt, **options)[2]
        rigid = spun(as_rigid(body, **MOTION), (0.15, 0, 0), dt=2e-5, t_end=0.05)[2]
        off.append(np.abs(tip[-1] - rigid[-1]).max())
    assert off[1] < 5e-6
    assert off[0] / off[1] == pytest.approx(4, rel=0.1)


def test_momenta_and_energy():
    """Free spin of a soft body: the momentum stays to round-off, angular momentum and energy to
    the order of the scheme."""
    drift = []
    for dt in (2e-4, 1e-4):
        body = fc.ReducedBody.from_solid(rod(E=2e9, **MOTION), modes=3)
        results = spun(body, (0.15, 0, 0), dt=dt, t_end=0.04, integrator=fc.GeneralizedAlpha(1.0))[
            1
        ]
        p, L = (np.stack([results[f"rod.{k}{x}"] for x in "xyz"], axis=1) for k in "pL")
        assert p == pytest.approx(np.tile(p[0], (len(p), 1)), abs=1e-11 * np.abs(p[0]).max())
        energy = results["energy.total"]
        drift.append((np.ptp(energy) / energy[0], np.abs(L - L[0]).max() / np.abs(L[0]).max()))
    assert max(drift[1]) < 5e-5
    assert np.divide(*drift) == pytest.approx([4, 4], rel=0.3)


@pytest.mark.parametrize(
    "integrator, dt", [(fc.GeneralizedAlpha(1.0), 2e-6), (fc.CentralDifference(), 2e-7)]
)
def test_momenta_of_the_cells(integrator, dt):
    """Momentum, angular momentum and centre of mass are the integrals over the solid's cells, to
    round-off; with implicit and with explicit steps."""
    solid = rod((6, 1), angular_velocity=(0, 0, 300), velocity=(1, 0, 0))
    body = fc.ReducedBody.from_solid(solid, modes=2)
    system = fc.System(gravity=(0, -9.81, 0))
    system.add(body)
    system.add(fc.SolidProbe(body, name="cells"))
    results = fc.Simulation(system, integrator, dt=dt, t_end=2e-4).run()
    assert np.ptp(results["energy.strain"]) > 0
    assert np.ptp(results["energy.total"]) < 1e-6 * results["energy.total"][0]
    for names, most in ((("px", "py"), "px"), (("Lz",), "Lz"), (("x", "y"), "x")):
        tolerance = 1e-12 * np.abs(results[f"rod.{most}"]).max()
        for name in names:
            found = results[f"cells.{name}"]
            assert found == pytest.approx(results[f"rod.{name}"], abs=tolerance)


def test_it_does_not_matter_how_it_lies():
    """The same in axes that are turned: the motion is turned."""
    tips, turn = [], np.array([[0.6, 0, 0.8], [0.48, 0.8, -0.36], [-0.64, 0.6, 0.48]])
    for axes in (np.eye(3), turn):
        mesh = meshes.block(SIZE, (6, 1, 1)).moved(rotation=axes)
        solid = fc.Solid(
            mesh, fc.StVenantKirchhoff(2e9, NU, RHO), degree=2, name="rod", free=True,
            velocity=axes @ [1, 2, 3], angular_velocity=axes @ [3, 40, 5],
        )  # fmt: skip
        body = fc.ReducedBody.from_solid(solid, modes=3)
        tips.append(spun(body, axes @ [0.15, 0.015, 0.01], t_end=0.02)[2] @ axes)
    assert np.ptp(tips[0], axis=0).min() > 1e-3
    assert tips[1] == pytest.approx(tips[0], abs=1e-9)


def test_stretch_of_a_spinning_rod():
    """Set spinning without strain, its ends swing to twice the static rho w^2 a^3 / 3 E (one mode
    of the rod has all but 2 % of it)."""
    w, soft, a = 40.0, 1e9, SIZE[0] / 2
    body = fc.ReducedBody.from_solid(rod(E=soft, angular_velocity=(0, 0, w)), modes=6)
    tip = spun(body, (a, 0, 0), dt=2e-5, t_end=0.01)[2]
    stretch = np.linalg.norm(tip, axis=1) - a
    assert stretch.max() == pytest.approx(2 * RHO * w**2 * a**3 / 3 / soft, rel=0.02)
    assert stretch.mean() == pytest.approx(RHO * w**2 * a**3 / 3 / soft, rel=0.03)


# --- beside the solid -------------------------------------------------------------------------
def bench(body, gravity=(0, 0, 0)):
    """Held at one end on the average, with an end load."""
    system = fc.System(gravity=gravity)
    system.add(body)
    held = system.ground.at(body.facets("x0").center)
    system.add(fc.Attachment(body.facets("x0"), held, name="held"))
    return system


@pytest.mark.parametrize("cells", [(6, 1, 1), (8, 2)], ids=["space", "plane_stress"])
@pytest.mark.parametrize("load", ["traction", "gravity"])
def test_static_loads_of_interfaces_are_exact(cells, load):
    """Small displacements under end loads, and under gravity, which inertia relief contains: those
    of the solid at every node; stresses too."""
    found = []
    for make in (lambda s: s, lambda s: fc.ReducedBody.from_solid(s, modes=0, interfaces=ENDS)):
        body = make(rod(cells))
        g = (3e-2, -9.81e-2, 0 if len(cells) == 2 else 2e-2)
        system = bench(body, g if load == "gravity" else (0, 0, 0))
        if load == "traction":
            system.add(fc.Traction(body.facets("x1"), (1e3, 20, 0 if len(cells) == 2 else 10)))
        last = fc.Statics(system).solve()
        moment = float(last["held.moment.z"][-1])
        u = body.at_nodes(system.state.everything(system.state.q))
        found.append((u, body.recover(system.state, "stress"), moment))
    (u, s, m), (v, t, n) = found
    assert v == pytest.approx(u, abs=2e-6 * np.abs(u).max())
    assert t == pytest.approx(s, abs=2e-5 * np.abs(s).max())
    assert n == pytest.approx(m, rel=1e-6)


ENDS = ("x0", "x1")


def test_stress_turns_with_the_body():
    """Of the same deformation in a body that has turned: the invariants stay, the tensor turns."""
    body = fc.ReducedBody.from_solid(rod(), modes=3)
    system = bench(body)
    system.add(fc.Traction(body.facets("x1"), (1e6, 2e4, 1e4)))
    fc.Statics(system).solve()
    state = system.state
    first = body.recover(state, "stress")
    c, s = np.cos(0.7), np.sin(0.7)
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    numbers, basis = body.amplitudes.numbers, body.basis
    now = basis.places + state.q[numbers].reshape(-1, 3)
    state.q[numbers] = (now @ turn.T - basis.places).ravel()
    state.follow()
    second = body.recover(state, "stress")
    assert second == pytest.approx(turn @ first @ turn.T, abs=1e-8 * np.abs(first).max())
    assert von_mises(second).max() == pytest.approx(von_mises(first).max(), rel=1e-8)
    piola = body.recover(state, "second_piola_kirchhoff")
    assert piola == pytest.approx(first, abs=1e-4 * np.abs(first).max())


def slider_crank(make, E=2e11, dt=5e-4, t_end=0.1):
    """A rod of 0.3 m at 600 rpm in the plane; deflection of its middle from the line between its
    ends, and the slider's way, m."""
    a, length, rate = 0.05, 0.3, 20 * np.pi
    system = fc.System(gravity=(0, 0, 0))
    crank = system.add(
        fc.RigidBody(
            0.1, (1e-4, 1e-4, 1e-4), position=(a / 2, 0, 0), velocity=(0, rate * a / 2, 0),
            angular_velocity=(0, 0, rate), name="crank",
        )
    )  # fmt: skip
    pin = system.add(fc.RevoluteJoint(system.ground, crank.at((0, 0, 0)), axis=(0, 0, 1)))
    system.add(fc.RotationDriver(pin.i, pin.j, (0, 0, 1), fc.functions.Linear(rate=rate)))
    solid = fc.Solid(
        meshes.block((length, 0.01), (24, 2), center=(a + length / 2, 0, 0)),
        fc.StVenantKirchhoff(E, NU, RHO), degree=2, state="plane_stress", thickness=0.01,
        name="rod",
        velocity=lambda x: np.outer((a + length - x[:, 0]) / length * rate * a, [0, 1, 0]),
    )  # fmt: skip
    body = system.add(make(solid))
    ends = [body.at((a, 0, 0)), body.at((a + length, 0, 0))]
    system.add(fc.SphericalJoint(crank.point((a / 2, 0, 0)), ends[0]))
    system.add(fc.PointOnLine(system.ground.point((a + length, 0, 0)), ends[1], axis=(1, 0, 0)))
    for name, x in (("A", a), ("B", a + length), ("M", a + length / 2)):
        system.add(fc.Probe(body.at((x, 0, 0)), name=name))
    results = fc.Simulation(system, dt=dt, t_end=t_end).run()
    A, B, M = (np.stack([results[f"{n}.{x}"] for x in "xy"], axis=1) for n in "ABM")
    axis, arm = B - A, M - A
    deflection = (axis[:, 0] * arm[:, 1] - axis[:, 1] * arm[:, 0]) / np.hypot(*axis.T)
    return results, deflection, B[:, 0]


def test_slider_crank_beside_the_solid():
    """The deflection of a steel rod to 0.5 % of its largest, the slider to 1e-7 m."""
    _, wanted, slider = slider_crank(lambda solid: solid)
    results, found, way = slider_crank(fc.ReducedBody.from_solid)
    assert np.abs(wanted).max() > 5e-5
    assert found == pytest.approx(wanted, abs=5e-3 * np.abs(wanted).max())
    assert way == pytest.approx(slider, abs=1e-7)
    assert np.ptp(results["energy.balance"]) < 0.02 * np.ptp(results["energy.kinetic"])


@pytest.mark.parametrize("stiffening", [False, True])
def test_an_axial_load_softens_the_rod(stiffening):
    """A column of the length L on two pins under a compression P bends under a load across 1 / (1 -
    P / P_E) times as far, P_E = pi^2 EI / L^2 (Timoshenko and Gere 1961, 1.11: to 0.4 %), and less
    in tension; without stiffening it bends alike."""
    length, h, thick = 0.3, 0.01, 0.01
    euler = np.pi**2 * E * thick * h**3 / 12 / length**2
    sags = []
    for part in (0.0, 0.3, -0.5):
        solid = fc.Solid(
            meshes.block((length, h), (16, 2), center=(length / 2, 0, 0)),
            fc.StVenantKirchhoff(E, 0.0, RHO), degree=2, state="plane_stress", thickness=thick,
            name="rod",
        )  # fmt: skip
        body = fc.ReducedBody.from_solid(solid, modes=4, stiffening=stiffening)
        system = fc.System(gravity=(0, -9.81, 0))
        system.add(body)
        ends = [system.add(fc.Attachment(body.facets(n), name=n)).frame for n in ENDS]
        system.add(fc.SphericalJoint(system.ground.point((0, 0, 0)), ends[0]))
        slide = system.ground.point((length, 0, 0))
        system.add(fc.PointOnLine(slide, ends[1], axis=(1, 0, 0)))
        system.add(fc.Force(ends[1], (-part * euler, 0, 0)))
        fc.Statics(system).solve()
        u = body.at_nodes(system.state.everything(system.state.q))
        middle = np.linalg.norm(solid.nodes - [length / 2, 0, 0], axis=1).argmin()
        sags.append(u[middle, 1])
    wanted = [1 / 0.7, 1 / 1.5] if stiffening else [1.0, 1.0]
    assert np.divide(sags[1:], sags[0]) == pytest.approx(wanted, rel=0.01 if stiffening else 1e-6)


def test_stiffening_of_a_soft_rod(caplog):
    """At a tenth of the load at which the rod buckles, the linear body errs by some 5 %, which it
    says, and with stiffening it is within 0.5 % of the solid."""
    _, wanted, _ = slider_crank(lambda solid: solid, E=5e9)
    errors = []
    for stiffening in (False, True):
        caplog.clear()
        results, found, _ = slider_crank(
            lambda s, on=stiffening: fc.ReducedBody.from_solid(s, 3, stiffening=on), E=5e9
        )
        errors.append(np.abs(found - wanted).max() / np.abs(wanted).max())
        assert ("of its buckling load" in caplog.text) == (not stiffening)
        assert results["rod.load_ratio"].max() == pytest.approx(0.115, rel=0.05)
    assert errors[0] > 0.03
    assert errors[1] < 5e-3


def test_a_large_deflection_is_told(caplog):
    """A mean deflection of a third of the size, at which nothing is small."""
    body = fc.ReducedBody.from_solid(rod(E=1e6, angular_velocity=(0, 0, 40)), modes=2)
    spun(body, (0.15, 0, 0), dt=1e-3, t_end=0.05)
    assert "which is not small" in caplog.text


def test_damping():
    """Kelvin-Voigt's damping ratio is the angular frequency times half the retardation time, and
    drag slows a rigid motion by exp(-drag t)."""
    solid = rod(damping=fc.Damping(retardation=1e-6), E=2e9)
    system = fc.System(gravity=(0, 0, 0))
    system.add(fc.ReducedBody.from_solid(solid, modes=3, interfaces=()))
    found = fc.eigenmodes(system, 9, damped=True).eigenvalues
    w = np.abs(found)
    bent = w > 1.0
    assert bent.sum() >= 3
    assert -found.real[bent] / w[bent] == pytest.approx(w[bent] * 1e-6 / 2, rel=1e-5)
    body = fc.ReducedBody.from_solid(rod(damping=fc.Damping(drag=10.0), velocity=(1, 0, 0)))
    results = spun(body, (0, 0.015, 0.01), t_end=0.05)[1]
    assert results["rod.vx"][-1] == pytest.approx(np.exp(-0.5), rel=1e-5)


@pytest.mark.parametrize("stiffening", [False, True])
@pytest.mark.parametrize("cells", [(6, 1, 1), (8, 2)], ids=["space", "plane_stress"])
def test_tangent(cells, stiffening):
    solid = rod(cells, E=2e6, damping=fc.Damping(1e-3, 1.0))
    body = fc.ReducedBody.from_solid(solid, modes=2, stiffening=stiffening)
    system = bench(body)
    system.add(fc.Pressure(body.facets("y0"), 1e5))
    state, random = system.state, np.random.default_rng(0)
    for values, size in ((state.q, 1e-3), (state.v, 1.0), (state.a, 1.0)):
        values[: state.owned] += size * random.standard_normal(state.owned)
    assert max(tangent_errors(state, step=1e-6).values()) < 1e-6


def test_contact_on_its_facets():
    """Dropped obliquely on a plane: as the solid's, and no energy appears."""
    found = []
    for make in (
        lambda s: s,
        lambda s: fc.ReducedBody.from_solid(s, 10, interfaces="y0", responses=8),
    ):
        body = make(rod((8, 2), (0, 0.0152, 0), E=2e8, velocity=(0.1, -1.0, 0)))
        system = fc.System(gravity=(0, -9.81, 0))
        system.add(body)
        plane = fc.PlaneSurface(system.ground, axis=(0, 1, 0))
        system.add(fc.SurfaceContact(body.facets("y0"), plane, law=fc.Winkler(1e10), name="c"))
        system.add(fc.Probe(body.at((0, 0.0302, 0)), name="top"))
        results = fc.Simulation(system, dt=1e-5, t_end=2e-3).run()
        energy = results["energy.total"]
        assert energy.max() < energy[0] + 0.01 * results["energy.kinetic"][0]
        found.append(results)
    whole, reduced = found
    force = np.abs(whole["c.normal_force"])
    assert force.max() > 100
    impulse = [np.trapezoid(r["c.normal_force"], r.time) for r in found]
    assert impulse[1] == pytest.approx(impulse[0], rel=0.02)
    assert reduced["top.y"] == pytest.approx(whole["top.y"], abs=0.02 * np.ptp(whole["top.y"]))


def test_film_on_its_facets():
    """A soft block that sinks on a film in which it bends: as the solid, the better the more
    responses it has."""
    height, clearance, found = 0.05, 4e-5, []
    for responses in (None, 4, 16):
        body = fc.Solid(
            meshes.block((0.1, height), (12, 2), center=(0, clearance, 0)),
            fc.StVenantKirchhoff(2e9, NU, RHO), degree=2, state="plane_strain", thickness=0.04,
            free=True, damping=fc.Damping(1e-6), name="block",
        )  # fmt: skip
        if responses:
            body = fc.ReducedBody.from_solid(
                body, 4, interfaces=("y0", "y1"), responses=responses, direction="normal"
            )
        system = fc.System(gravity=(0, 0, 0))
        system.add(body)
        system.add(fc.Pressure(body.facets("y1"), 2e6, follower=False))
        system.add(
            GuideFilm(
                system.ground.point((0, 0, 0)), body.facets("y0"), (1, 0, 0), (0, 1, 0),
                side="lower", gap=height + 2 * clearance, lubricant=0.04, cavitation=Full(),
                name="film",
            )
        )  # fmt: skip
        results = fc.Simulation(system, dt=2e-4, t_end=0.02).run()
        # a step that Newton's method does not solve at once is halved, by round-off
        instants = np.linspace(0, 0.02, 101)
        found.append(np.interp(instants, results.time, results["film.min_film"]))
    whole, few, many = found
    assert whole[0] / whole[-1] > 2
    assert many[-1] == pytest.approx(whole[-1], rel=3e-3)
    assert np.abs(many - whole).max() < 0.7 * np.abs(few - whole).max()


# --- matrices from elsewhere ------------------------------------------------------------------
def exported(solid, six=False, seed=3):
    """What a program exports: nodes in another order, sparse matrices, perhaps with rotations."""
    twin, state, matrices, _ = alone(solid)
    n, d = len(solid.nodes), solid.dimension
    order = np.random.default_rng(seed).permutation(n)
    numbers = twin.displacement(order[:, None]).numbers.reshape(-1, d)
    found = []
    for matrix in (matrices.K, matrices.M):
        dense = matrix[numbers.ravel()][:, numbers.ravel()].toarray()
        if six:
            rows = (6 * np.arange(n)[:, None] + np.arange(3)).ravel()
            whole = np.zeros((6 * n, 6 * n))
            whole[np.ix_(rows, rows)] = dense
            dense = whole
        found.append(dense)
    return fc.BodyMatrices(solid.nodes[order], *found)


@pytest.mark.parametrize("ending, six", [(".npz", False), (".h5", True)])
def test_matrices_of_another_program(tmp_path, ending, six):
    """Written and read, they make the same body as the elements'."""
    solid = rod((4, 1, 1))
    path = tmp_path / f"rod{ending}"
    exported(solid, six).save(path)
    own = fc.ReducedBody.from_solid(solid, modes=4)
    read = fc.ReducedBody.from_solid(solid, modes=4, matrices=path)
    assert read.frequencies == pytest.approx(own.frequencies, rel=1e-8)
    assert read.basis.mass[0] == pytest.approx(own.basis.mass[0], rel=1e-12)
    tips = [spun(b, (0.15, 0, 0), t_end=0.01)[2] for b in (own, read)]
    assert tips[1] == pytest.approx(tips[0], abs=1e-9)


def test_exported_matrices_of_a_plane_body(tmp_path):
    """In plane stress, whose cells have stretches of their own: the same frequencies again."""
    body = fc.ReducedBody.from_solid(rod((8, 2)), modes=3)
    body.exported().save(tmp_path / "rod.h5")
    again = fc.ReducedBody.from_solid(rod((8, 2)), modes=3, matrices=tmp_path / "rod.h5")
    assert again.frequencies == pytest.approx(body.frequencies, rel=1e-8)
    sizes = [np.abs(z.basis.stiffness) for z in (body, again)]  # shapes may change their signs
    assert sizes[1] == pytest.approx(sizes[0], abs=1e-5 * sizes[0].max())


def test_shapes_of_another_program(tmp_path):
    """Modes in the file are the shapes that are kept."""
    solid = rod((4, 1, 1))
    given = exported(solid)
    w2, shapes = eigh(given.stiffness.toarray(), given.mass.toarray())
    shapes = shapes[:, 6:9].reshape(len(given.nodes), 3, 3)
    path = tmp_path / "rod.npz"
    np.savez(
        path, nodes=given.nodes, stiffness=given.stiffness.toarray(),
        mass=given.mass.toarray(), modes=shapes,
    )  # fmt: skip
    body = fc.ReducedBody.from_solid(solid, matrices=path)
    assert body.frequencies == pytest.approx(np.sqrt(w2[6:9]) / 2 / np.pi, rel=1e-8)


def test_matrices_that_do_not_fit(tmp_path):
    solid = rod((4, 1, 1))
    good = exported(solid)
    with pytest.raises(fc.InputError, match="units"):
        off = fc.BodyMatrices(1000 * good.nodes, good.stiffness, good.mass)
        _ = fc.ReducedBody.from_solid(solid, matrices=off).frequencies
    with pytest.raises(fc.InputError, match="differs between directions"):
        mass = good.mass.toarray()
        mass[0, 0] *= 2
        off = fc.BodyMatrices(good.nodes, good.stiffness, mass)
        _ = fc.ReducedBody.from_solid(solid, matrices=off).frequencies
    with pytest.raises(fc.InputError, match="rows each"):
        fc.BodyMatrices(good.nodes, np.eye(5), good.mass)
    with pytest.raises(fc.InputError, match="cannot be read"):
        fc.BodyMatrices.load(tmp_path / "none.npz")
    np.savez(tmp_path / "few.npz", nodes=good.nodes)
    with pytest.raises(fc.InputError, match="no array 'stiffness'"):
        fc.BodyMatrices.load(tmp_path / "few.npz")


# --- files, ranks, messages -------------------------------------------------------------------
def test_restart_and_fields(tmp_path):
    """A run that is resumed ends as one in one go; its fields have the deformed body with stress,
    and its pictures are drawn."""

    def run(folder, t_end, **options):
        system = fc.System(gravity=(0, -9.81, 0))
        body = system.add(fc.ReducedBody.from_solid(rod(center=(0.15, 0, 0), E=2e9), modes=2))
        held = system.add(fc.Attachment(body.facets("x0"), name="held"))
        system.add(fc.RevoluteJoint(system.ground, held.frame, axis=(0, 0, 1), name="pin"))
        system.add(fc.Probe(body.at((0.3, 0, 0)), name="tip"))
        simulation = fc.Simulation(
            system, dt=1e-3, t_end=t_end, output=tmp_path / folder, fields_every=0.01
        )
        return simulation.run(**options)

    whole = run("whole", 0.04)
    run("parts", 0.02)
    parts = run("parts", 0.04, resume=True)
    assert parts["tip.y"] == pytest.approx(whole["tip.y"], abs=1e-12)
    assert np.ptp(whole["tip.y"]) > 1e-3
    texts = sorted((tmp_path / "whole/fields").glob("rod_*.vtu"))
    assert len(texts) == 5 and "von_mises" in texts[-1].read_text()
    scene = json.loads((tmp_path / "whole" / "scene.json").read_text())
    assert {"solid"} <= {body["type"] for body in scene["bodies"]}


@pytest.mark.mpi
def test_ranks_agree(comm):
    """A swinging rod on all ranks and on one."""
    paths = []
    for ranks in (comm, MPI.COMM_SELF):
        system = fc.System(gravity=(0, -9.81, 0), comm=ranks)
        body = system.add(fc.ReducedBody.from_solid(rod(center=(0.15, 0, 0), E=2e9), modes=2))
        held = system.add(fc.Attachment(body.facets("x0"), name="held"))
        system.add(fc.RevoluteJoint(system.ground, held.frame, axis=(0, 0, 1), name="pin"))
        system.add(fc.Probe(body.at((0.3, 0, 0)), name="tip"))
        stepper = fc.Stepper(system, dt=1e-3, t_end=0.02, newton_tolerance=1e-11)
        stepper.prepare()
        stepper.start()
        path = []
        while stepper.t < 0.02 * (1 - 1e-9):
            stepper.advance()
            path.append([stepper.channels[f"tip.{x}"] for x in "xyz"])
        paths.append(np.array(path))
        stress = body.recover(system.state, "stress")
        assert (stress is None) == (ranks.rank > 0)
    assert paths[0] == pytest.approx(paths[1], abs=1e-10)


@pytest.mark.parametrize(
    "options, words",
    [({"modes": -1}, "modes"), ({"held": 2, "interfaces": ()}, "name some facet sets"),
     ({"interfaces": "front"}, "front"), ({"direction": "up"}, "direction")],
)  # fmt: skip
def test_what_it_refuses(options, words):
    with pytest.raises(fc.InputError, match=words):
        fc.ReducedBody.from_solid(rod(), **options)


def test_solids_it_refuses():
    with pytest.raises(fc.InputError, match="clamps"):
        fc.ReducedBody.from_solid(rod(clamped="x0"))
    with pytest.raises(fc.InputError, match="neither load="):
        fc.ReducedBody.from_solid(rod(load=(0, 0, 1.0)))
    with pytest.raises(fc.InputError, match="needs a Solid"):
        fc.ReducedBody.from_solid(fc.RigidBody(1.0, (1, 1, 1)))
    body = fc.ReducedBody.from_solid(rod(), modes=1)
    system = fc.System(gravity=(0, 0, 0))
    system.add(body)
    with pytest.raises(fc.InputError, match="too few"):
        system.add(fc.Attachment(body.facets("y0"), system.ground, kind="rigid"))
