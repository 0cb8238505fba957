"""Wear of a cylindrical joint, slice by slice: against the revolute one, Archard's volume at the
edges of a tilted journal, energy and momentum on worn surfaces, invariance, resuming."""

from mpi4py import MPI

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid
from scipy.spatial.transform import Rotation

import fem_clearance as fc
from fem_clearance.contact.wear import profile
from fem_clearance.diagnostics import tangent_error

from .conftest import free_pair, momenta, run

STEEL = fc.StVenantKirchhoff(E=207e9, nu=0.3, rho=7800)
GAP, LENGTH, BINS = 5e-4, 0.03, 720
SIZE = {"bearing_radius": 0.01, "journal_radius": 0.01 - GAP, "length": LENGTH}
LAWS = {"normal": fc.Hertz(), "materials": (STEEL, STEEL)}
NONE = fc.Archard(0.0, 1e9)
STEELY = fc.Archard(1e-4, 2e9)
Z = (0, 0, 1.0)


def bearing(angle, z=0.0):
    """A patch worn 15 um deep, deeper towards one end, on a wavy surface."""
    place = (np.mod(angle - 1 + np.pi, 2 * np.pi) - np.pi) / np.radians(40)
    patch = 1.5e-5 * np.maximum(1 - place**2, 0) ** 2
    return patch * (1 + z / LENGTH) + 5e-6 * np.cos(5 * angle)


def journal(angle, z=0.0):
    return 8e-6 * np.cos(2 * angle) * (1 - z / LENGTH) - 2e-6 * np.sin(7 * angle)


def two_bodies(
    joint=fc.CylindricalClearance, tumble=0.0, spin=30.0, turn=None, comm=None, **options
):
    """A bearing and a journal that roll and bounce on each other, held by nothing else."""
    turn = np.eye(3) if turn is None else turn
    omega = 20 * np.pi
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    outer = system.add(
        fc.RigidBody(2.0, (4e-4,) * 3, free=True, name="bearing", orientation=turn,
                     velocity=turn @ (0, -omega * GAP / 2, 0), angular_velocity=turn @ (0, 0, 5.0))
    )  # fmt: skip
    inner = system.add(
        fc.RigidBody(1.0, (8e-5, 8e-5, 5e-5), free=True, name="journal", orientation=turn,
                     position=turn @ (0.99 * GAP, 0, 0), velocity=turn @ (0, omega * GAP, 0),
                     angular_velocity=turn @ (0.4 * tumble, tumble, spin))
    )  # fmt: skip
    made = joint(
        outer.center, inner.center, turn @ Z, name="joint",
        **{**SIZE, **LAWS, "stiffness": 1e8, "wear": fc.Wear(NONE), "worn": (bearing, journal),
           **options},
    )  # fmt: skip
    return system, system.add(made), [outer, inner]


# --- aligned --------------------------------------------------------------------------------------
def test_aligned_journal_wears_as_a_revolute_joint():
    """Force, volume and depth to 1e-10, through two wear periods, worn surfaces from the start."""
    wear = fc.Wear(fc.Archard(1e-4, 1e9), period=1e-3, repeat=1e3)
    worn = {"wear": wear, "worn": (lambda a, z=0: bearing(a), lambda a, z=0: journal(a))}
    found = []
    for kind, more in ((fc.RevoluteClearance, {}), (fc.CylindricalClearance, {"stations": 3})):
        system, joint, _ = two_bodies(kind, **worn, **more)
        log, names = [], ("joint.normal_force", "joint.worn_volume", "energy.total", "joint.ex")
        run(
            system,
            4e-5,
            4.6e-3,
            lambda c, t, log=log, names=names: log.append([c[n] for n in names]),
            newton_tolerance=1e-12,
        )
        found.append((np.array(log), joint.worn_depths(system), joint.collected(system), system))
    (first, *rings, _), (second, *sliced, system) = found
    assert first[:, 0].max() > 10 and first[-1, 1] > 1e-16
    for one, other in zip(first.T, second.T, strict=True):
        assert np.abs(one - other).max() < 1e-10 * np.abs(one).max()
    worn_first = np.array([bearing(profile.angles(BINS)), journal(profile.angles(BINS))])
    assert (rings[0] - worn_first).max(axis=1).min() > 1e-9 and rings[1].max() > 0
    for ring, slices in zip(rings, sliced, strict=True):
        assert slices.shape == (3, 2, BINS)
        for one in slices:
            assert np.abs(one - ring).max() < 1e-10 * np.abs(ring).max()
    channels = system.channels
    slid = [channels[f"joint.slice{k}.slid"] for k in (1, 2, 3)]
    assert slid[0] > 0 and slid == pytest.approx([slid[0]] * 3, rel=1e-10)


# --- tilted ---------------------------------------------------------------------------------------
ARM, PULL = 0.1, 50.0


def tilted(wear, spin=100.0, **options):
    """A spinning journal that two springs turn about x against the bearing's edges."""
    system = fc.System(gravity=(0, 0, 0))
    limit = 0.999 * np.arctan(2 * GAP / LENGTH)
    turn = Rotation.from_rotvec((limit, 0, 0)).as_matrix()
    body = system.add(
        fc.RigidBody(0.5, (5e-4,) * 3, free=True, orientation=turn, name="journal",
                     angular_velocity=turn @ (0, 0, spin))
    )  # fmt: skip
    for side in (1, -1):
        held = system.ground.point((0, -side, side * ARM))
        at = body.point((0, 0, side * ARM))
        system.add(
            fc.SpringDamper(held, at, stiffness=100.0, damping=50.0,
                            free_length=np.linalg.norm(at.position - held.position) - PULL / 100.0)
        )  # fmt: skip
    joint = fc.CylindricalClearance(
        system.ground.point((0, 0, 0)), body.center, Z, journal_axis=turn @ Z, name="joint",
        **{**SIZE, **LAWS, "stiffness": 1e10, "wear": wear, **options},
    )  # fmt: skip
    return system, system.add(joint)


def volumes(rings):
    """Volume that each slice's bearing and journal lost, m^3, shape (slices, 2)."""
    width = 2 * np.pi / BINS * LENGTH / len(rings)
    return rings.sum(axis=2) * width * np.array([0.01, 0.01 - GAP])


def test_tilted_journal_wears_opposite_edges():
    """Archard: the moment of the worn volume about the middle is k/H times the sliding distance
    times the couple of the springs; both bodies lose half each."""
    system, joint = tilted(fc.Wear(STEELY, smoothing=0.0), stiffness=1e9)
    log = []
    names = "joint.normal_force", "joint.moment.x", "joint.tilt"
    stepper = run(system, 1e-4, 0.03, lambda c, t: log.append([c[n] for n in names]))
    c = stepper.channels
    force, moment, tilt = np.transpose(log)
    rings = joint.collected(system)
    lost = volumes(rings)
    couple = 2 * PULL * ARM
    assert moment[-1] == pytest.approx(-couple, rel=1e-2)
    # friction would act midway in the overlap
    slid = 100.0 * 0.03 * (0.01 - GAP - c["joint.slice1.penetration"] / 2)
    assert c["joint.slice1.slid"] == pytest.approx(slid * np.mean(force > 0), rel=3e-3)
    assert lost.sum() == pytest.approx(c["joint.worn_volume"], rel=1e-10)
    assert lost.sum() == pytest.approx(STEELY.depth(np.mean(force), slid), rel=1e-2)
    assert lost[:, 0] == pytest.approx(lost[:, 1], rel=1e-10)
    middles = (np.arange(9) - 4) * LENGTH / 9
    lever = 2 * np.sum(lost[:, 0] * np.abs(middles))
    assert lever == pytest.approx(STEELY.depth(np.mean(np.abs(moment)), slid), rel=1e-2)
    assert lost[[0, 8], 0] == pytest.approx(2 * [lost[0, 0]], rel=1e-2)
    assert not lost[3:6].any()
    # the springs pull the upper end down: the bearing wears below at its upper end
    angles = profile.angles(BINS)
    centres = np.angle(rings[[0, 8], 0] @ np.exp(1j * angles))
    assert centres == pytest.approx([np.pi / 2, -np.pi / 2], abs=0.05)


@pytest.mark.slow
def test_worn_edges_let_the_middle_carry():
    """Continuous wear, sped up: contact spreads from the edges inwards, and the tilt grows."""
    wear = fc.Wear(STEELY, period=1e-3, repeat=7e4, smoothing=0.05, pressure="foundation")
    system, joint = tilted(wear, stations=7)
    log = []
    names = [
        "joint.contacts",
        "joint.tilt",
        *(f"joint.slice{k}.largest_clearance" for k in (1, 4, 7)),
    ]
    run(system, 1e-4, 0.03, lambda c, t: log.append([c[n] for n in names]))
    contacts, tilt, *clearances = np.transpose(log)
    depths = joint.worn_depths(system)
    assert depths[[0, 6], 0].max(axis=1).min() > 1e-4
    assert not depths[3].any()
    assert contacts[20] == 2 and contacts[-1] > 2
    assert tilt[-1] > tilt[20] + 5e-3
    assert np.array(clearances)[:, -1] - GAP == pytest.approx(
        depths[[0, 3, 6]].max(axis=2).sum(axis=1), rel=0.1, abs=1e-9
    )


def test_growth_is_that_of_the_deepest_slice():
    """All slices are sped up alike: the deepest opens the clearance by what was asked."""
    wear = fc.Wear(STEELY, period=0.01, repeat=None, growth=4e-5)
    system, joint = tilted(wear, stiffness=1e9)
    stepper = run(system, 1e-4, 0.01)
    c = stepper.channels
    largest = np.array([c[f"joint.slice{k + 1}.largest_clearance"] for k in range(9)])
    assert largest.max() == pytest.approx(GAP + 4e-5, rel=1e-12)
    assert largest[4] == pytest.approx(GAP, rel=1e-12)
    assert largest[4] < largest[1] < largest[0]


# --- balance --------------------------------------------------------------------------------------
def energies(dt, **options):
    system, *_ = two_bodies(stations=3, tumble=2.0, **options)
    log, names = [], ("energy.total", "joint.friction_loss", "joint.normal_force", "joint.tilt")
    run(system, dt, 0.03, lambda c, t: log.append([*(c[n] for n in names), t]))
    return np.transpose(log)


def test_contact_on_worn_surfaces_keeps_energy():
    """Tilted, with depths that differ along the axis: what is left is of second order in the
    step."""
    ranges = []
    for dt in (8e-5, 2e-5):
        energy, _, force, tilt, _ = energies(dt)
        assert force.max() > 1.0 and tilt.max() > 1e-3
        ranges.append(np.ptp(energy))
    assert ranges[1] < 1e-4 * 7.4e-4  # of the orbit's energy
    assert ranges[1] < 0.12 * ranges[0]


@pytest.mark.slow
def test_energy_balance_with_friction():
    """Work in = stored + dissipated, to 1e-4 of what friction dissipates."""
    energy, power, _, tilt, t = energies(2e-5, friction=fc.CubicStribeck(), spin=300.0)
    work = cumulative_trapezoid(power, t, initial=0)  # steps are cut where a contact asks for it
    assert work[-1] > 0.01 and tilt.max() > 1e-3
    assert np.abs(energy[0] - energy - work).max() < 1e-4 * work[-1]


def test_action_equals_reaction():
    """Momentum and angular momentum stay, whatever the surfaces."""
    system, _, bodies = two_bodies(stations=3, tumble=2.0)
    system.assemble()
    before = momenta(system, bodies)
    stepper = run(system, 4e-5, 0.01, newton_tolerance=1e-11)
    after = momenta(system, bodies)
    assert stepper.channels["joint.slice1.bearing_wear"] > 0
    assert after[0] == pytest.approx(before[0], abs=1e-10)
    assert after[1] == pytest.approx(before[1], abs=1e-7 * np.linalg.norm(before[1]))


def test_frame_invariance():
    """The same wear of a model that is posed in a turned frame."""
    turn = Rotation.from_rotvec((0.4, -1.1, 0.7)).as_matrix()
    wear = fc.Wear(fc.Archard(1e-4, 1e9), period=2e-3, repeat=1e3)
    found = []
    for rotation in (np.eye(3), turn):
        system, joint, bodies = two_bodies(stations=3, tumble=2.0, turn=rotation, wear=wear)
        stepper = run(system, 4e-5, 6e-3, newton_tolerance=1e-11)
        place = rotation.T @ system.state.q[bodies[1].refs[0].numbers]
        found.append((place, stepper.channels["joint.worn_volume"], joint.worn_depths(system)))
    (place, volume, depths), (place2, volume2, depths2) = found
    assert volume > 1e-17 and volume2 == pytest.approx(volume, rel=1e-6)
    assert place2 == pytest.approx(place, abs=1e-10)
    assert np.abs(depths2 - depths).max() < 1e-6 * depths.max()


@pytest.mark.parametrize(
    "friction", [None, pytest.param(fc.CubicStribeck(), marks=pytest.mark.slow)]
)
def test_tangent_on_worn_surfaces(friction):
    """Where a tilted journal touches; by differences."""
    system, *_ = two_bodies(stations=3, tumble=2.0, friction=friction)
    stepper = run(system, 4e-5, 4e-3)
    stepper.t_end = 1.0
    while stepper.channels["joint.normal_force"] == 0 or stepper.channels["joint.tilt"] < 1e-3:
        stepper.advance()
    assert tangent_error(stepper.state, step=1e-9) < 1e-5


@pytest.mark.mpi
def test_same_on_any_number_of_ranks(comm):
    """Wear with a growth that all slices agree on, and channels by axial place."""
    wear = fc.Wear(STEELY, period=2e-3, repeat=None, growth=1e-6)
    ends = []
    for ranks in (comm, MPI.COMM_SELF):
        system, joint, _ = two_bodies(stations=3, tumble=2.0, wear=wear, comm=ranks)
        c = run(system, 4e-5, 5e-3, newton_tolerance=1e-11).channels
        depths = next(d for d in ranks.allgather(joint.worn_depths(system)) if d is not None)
        names = [n for n in c.names if n.startswith("joint.") and "deg" not in n]
        ends.append((depths, np.array([c[n] for n in names]), names))
    (depths, numbers, names), (depths_1, numbers_1, _) = ends
    assert depths.shape == (3, 2, BINS) and "joint.slice3.bearing_wear" in names
    assert np.abs(depths - depths_1).max() < 1e-9 * depths_1.max()
    assert numbers == pytest.approx(numbers_1, rel=1e-6, abs=1e-9)


# --- checkpoints, input ---------------------------------------------------------------------------
def test_resume_is_exact(tmp_path):
    """A run that goes on from a checkpoint in the second period ends with the same bits."""
    wear = fc.Wear(STEELY, period=5e-3, settle=2e-3, repeat=1e3)

    def simulation(t_end, folder):
        system = tilted(wear, stations=3)[0]
        return fc.Simulation(system, dt=1e-4, t_end=t_end, output=folder, progress=False)

    whole = simulation(0.015, tmp_path / "whole").run()
    simulation(0.008, tmp_path / "parts").run()
    parts = simulation(0.015, tmp_path / "parts").run(resume=True)
    for name in (
        "joint.normal_force",
        "joint.slice1.bearing_wear",
        "joint.slice3.slid",
        "joint.ey",
    ):
        assert np.array_equal(whole[name], parts[name])
    assert whole["joint.slice1.bearing_wear"][-1] > 0


def test_worn_through_the_liner():
    wear = fc.Wear(STEELY, period=5e-3, repeat=1e6, liner=1e-4)
    with pytest.raises(fc.StepFailed, match="through its liner"):
        run(tilted(wear, stations=3)[0], 1e-4, 0.02)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"wear": STEELY}, r"wear must be Wear\(Archard"),
        ({"wear": None}, "worn surfaces need wear"),
        ({"rule": "lobatto"}, "slices of equal length"),
        ({"journal_length": 0.1}, "must extend beyond the bearing"),
        ({"materials": None}, "neither body has a material"),
        ({"worn": (np.zeros((4, BINS)), np.zeros(BINS))}, "two arrays of 9 x 720 depths"),
        ({"worn": (lambda a: 0 * a, lambda a: 0 * a)}, "functions of angle and place"),
        ({"worn": (np.full((9, BINS), np.nan), np.zeros(BINS))}, "must be finite"),
        ({"wear": fc.Wear(NONE, liner=1e-5)}, "through its liner"),
    ],
)
def test_bad_input_is_a_sentence(change, words):
    system, first, second = free_pair(np.eye(3))
    options = {**SIZE, **LAWS, "wear": fc.Wear(NONE), "worn": (bearing, journal), **change}
    with pytest.raises(fc.InputError, match=words):
        fc.CylindricalClearance(first.center, second.at(first.position), Z, **options)


def test_films_do_not_wear():
    system, first, second = free_pair(np.eye(3))
    film = fc.lubrication.ShortBearing(radius=0.01, length=LENGTH, clearance=GAP, viscosity=0.1)
    with pytest.raises(fc.InputError, match="dry contact under an oil film does not wear"):
        fc.lubrication.LubricatedCylindrical(
            first.center,
            second.at(first.position),
            Z,
            film=film,
            wear=fc.Wear(NONE),
            **SIZE,
            **LAWS,
        )
