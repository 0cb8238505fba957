"""Wear of a solid's facets on a guide: Archard's law, wear to flat contact, worn shapes at rest."""

import gc
import weakref

from mpi4py import MPI

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance import meshes

SOFT = fc.StVenantKirchhoff(E=2e9, nu=0.3, rho=1000.0)
STIFF = fc.StVenantKirchhoff(E=2e15, nu=0.0, rho=1000.0)
AXES = {"axis": (1, 0, 0), "across": (0, 1, 0)}
LAW = fc.Archard(1.736e-4, 2.17e9)
PRESSURE, SPEED, K = 1e6, 2.0, 1e12
#: of the rail's surfaces: they touch the block as deep as the pressure needs
GAP = 0.05 - 2 * PRESSURE / K


def rubbing(wear, material=SOFT, worn=None, cells=(4, 2), comm=MPI.COMM_SELF):
    """A block of 0.1 x 0.05 m, 0.01 m thick, whose one face keeps its x and direction, pressed by
    1 MPa on a rail that is driven below it; in equilibrium."""
    system = fc.System(gravity=(0, 0, 0), comm=comm)
    block = system.add(
        fc.Solid(
            meshes.block((0.1, 0.05), cells), material,
            degree=1, state="plane_strain", thickness=0.01,
            clamped={"x0": "x"},
        )
    )  # fmt: skip
    system.add(fc.Pressure(block.facets("y1"), PRESSURE, follower=False))
    rail = system.add(fc.RigidBody(1.0, (0.01,) * 3, velocity=(SPEED, 0, 0), name="rail"))
    slide = system.add(fc.PrismaticJoint(system.ground, rail.center, axis=(1, 0, 0)))
    system.add(fc.TranslationDriver(slide.i, slide.j, (1, 0, 0), fc.functions.Linear(SPEED)))
    contact = system.add(
        fc.GuideContact(
            rail, block.facets("y0"), **AXES, side="lower", gap=GAP, law=fc.Winkler(K),
            wear=wear, worn=worn, name="contact",
        )
    )  # fmt: skip
    fc.Statics(system, steps=1, time=0.0, tolerance=1e-12).solve()
    return system, contact


def pressures(system, contact):
    """At the quadrature points of a block too stiff to change its shape, Pa."""
    block = contact.facets.solid
    low = (block.nodes + block.at_nodes(system.state.q))[contact.facets.nodes, 1]
    return K * (-GAP / 2 - low.mean() - contact.worn_depths(system))


def march(system, dt, t_end, **options):
    how = {"initial": system.equilibrium, "newton_tolerance": 1e-12} | options
    stepper = fc.Stepper(system, dt=dt, t_end=t_end, **how)
    stepper.start()
    while stepper.t < t_end:
        stepper.advance()
    return stepper


def test_archard():
    """Uniform pressure over 0.2 m: depth k p s / H at every point, volume k F s / H."""
    system, contact = rubbing(fc.SurfaceWear(LAW))
    stepper = march(system, 1e-3, 0.1)
    way = SPEED * 0.1
    depth = contact.worn_depths(system)
    assert depth == pytest.approx(LAW.depth(PRESSURE, way), rel=1e-6)
    volume = stepper.channels["contact.worn_volume"]
    assert volume == pytest.approx(LAW.rate * PRESSURE * 1e-3 * way, rel=1e-9)
    area = contact.facets.quadrature(contact.resolution)[0]
    assert volume == pytest.approx((area * depth).sum(), rel=1e-12)
    assert stepper.channels["contact.worn_depth"] == pytest.approx(depth.max(), rel=1e-15)


def test_what_wears_keeps_no_ended_run():
    """The memory of all its unknowns and numbers goes with the last reference to it."""

    def memory():
        system, _ = rubbing(fc.SurfaceWear(LAW))
        return weakref.ref(march(system, 1e-3, 2e-3).state.array)

    there = memory()
    gc.collect()
    assert there() is None


def wedge(height):
    return lambda x: height * (x[..., 0] / 0.1 + 0.5)


def test_tilted_block_wears_even():
    """A stiff block with a wedge of 1 um in contact all along: by dh/dt = k/H p v and p = K (d - h)
    the pressure's deviation from its mean decays as exp(-K v t k / H), to first order in the step.
    """
    errors, speedup, t_end = [], 1e3, 0.02
    decay = np.exp(-K * SPEED * t_end * LAW.rate * speedup)  # 0.04
    for dt in (2e-4, 1e-4):
        wear = fc.SurfaceWear(LAW, repeat=speedup)
        system, contact = rubbing(wear, STIFF, wedge(1e-6), cells=(4, 1))
        first = pressures(system, contact)
        assert np.ptp(first) == pytest.approx(K * 1e-6 * 0.9766, rel=1e-3)  # outermost points
        march(system, dt, t_end)
        last = pressures(system, contact)
        assert last.mean() == pytest.approx(first.mean(), rel=1e-3)
        errors.append(np.ptp(last) / np.ptp(first) / decay - 1)
    assert 0 < errors[1] < 0.03
    assert errors[0] / errors[1] == pytest.approx(2, abs=0.1)


def test_tilted_block_wears_to_flat_contact():
    """A wedge of 10 um touches by a part at first; in the end everywhere, with the same pressure,
    and what it lost beside the wedge is even. Steps wear up to 1.6 times the penetration away."""
    system, contact = rubbing(fc.SurfaceWear(LAW, repeat=1e5), STIFF, wedge(1e-5), cells=(4, 1))
    first = pressures(system, contact)
    assert (first < 0).any() and first.max() > 2 * PRESSURE
    stepper = march(system, 1e-4, 0.02)
    assert stepper.channels["contact.area"] == pytest.approx(1e-3, rel=1e-12)
    assert pressures(system, contact) == pytest.approx(PRESSURE, rel=1e-6)
    given, depth = contact.worn, contact.worn_depths(system)
    assert depth.max() > 2 * given.max()


def test_worn_shapes_keep_energy():
    """A block that tumbles between the surfaces of a guide, its faces worn to waves of 0.4 mm that
    wear no further, without friction: energy is kept but for an error of second order."""
    losses = []
    for dt in (2e-5, 1e-5):
        system = fc.System(gravity=(0, 0, 0))
        block = system.add(
            fc.Solid(
                meshes.block((0.1, 0.05), (2, 1)), fc.StVenantKirchhoff(E=2e8, nu=0.3, rho=1000.0),
                degree=1,
                state="plane_strain", thickness=0.01, free=True, velocity=(0.1, 0.3, 0),
                angular_velocity=(0, 0, 3.0),
            )
        )  # fmt: skip
        for side, facets in (("upper", "y1"), ("lower", "y0")):
            system.add(
                fc.GuideContact(
                    system.ground.point((0, 0, 0)), block.facets(facets), **AXES, side=side,
                    gap=0.05, law=fc.Winkler(1e10), wear=fc.SurfaceWear(fc.Archard(0.0, 1e9)),
                    worn=lambda x: 2e-4 * (1 + np.cos(120 * x[..., 0])), name=side,
                )
            )  # fmt: skip
        stepper = fc.Stepper(
            system, fc.GeneralizedAlpha(1.0), initial=system.equilibrium, dt=dt, t_end=0.006
        )
        stepper.start()
        energy, forces = [stepper.channels["energy.total"]], []
        while stepper.t < stepper.t_end:
            stepper.advance()
            energy.append(stepper.channels["energy.total"])
            forces.append([stepper.channels[f"{n}.normal_force"] for n in ("upper", "lower")])
        assert np.all(np.max(forces, axis=0) > 10.0)
        losses.append(np.ptp(energy) / energy[0])
    assert losses[1] < 5e-3
    assert losses[0] / losses[1] > 3


def test_worn_shape_under_quadrilaterals():
    """Force and moment of a stiff block pressed 1 um deeper than waves of 0.5 um, integrated in
    closed form: each depth belongs to its point."""
    a, b, u, w = 1e-6, 5e-7, 40.0, 25.0
    system = fc.System(gravity=(0, 0, 0))
    block = system.add(
        fc.Solid(meshes.block((0.1, 0.05, 0.06), (4, 2, 3)), STIFF, degree=1, clamped={"y1": "xyz"})
    )
    system.add(
        fc.GuideContact(
            system.ground.point((0, 0, 0)), block.facets("y0"), **AXES, side="lower",
            gap=0.05 - 2 * a, law=fc.Winkler(K), wear=fc.SurfaceWear(LAW), name="contact",
            resolution=5,
            worn=lambda x: b * (1 + np.sin(u * x[..., 0]) * np.sin(w * (x[..., 2] + 0.03))),
        )
    )  # fmt: skip
    system.assemble()
    values = dict(zip(system.channels.names, system.channels.read(), strict=True))
    # places of 0.1 m are known to 1e-14 m at best, the depth is 5e-7 m
    assert values["contact.normal_force"] == pytest.approx(K * (a - b) * 0.1 * 0.06, rel=1e-7)
    along = 2 * (np.sin(0.05 * u) / u**2 - 0.05 * np.cos(0.05 * u) / u)  # of x sin(u x)
    across = (1 - np.cos(0.06 * w)) / w
    assert values["contact.moment"] == pytest.approx(-K * b * along * across, rel=1e-4)
    assert values["contact.worn_depth"] == pytest.approx(2 * b, rel=0.02)


def test_wear_periods():
    """Of each period of 20 ms the last 10 ms count, a thousandfold; the shape follows within 5 ms
    of the next one. Volume counts everything once."""
    wear = fc.SurfaceWear(LAW, period=0.02, settle=0.01, renewal=0.005, repeat=1e3)
    system, contact = rubbing(wear)
    one = 1e3 * LAW.depth(PRESSURE, 0.01 * SPEED)
    stepper = march(system, 1e-3, 0.02)
    assert contact.worn_depths(system).max() == 0.0
    for t, depth in ((0.022, 0.4 * one), (0.025, one), (0.04, one), (0.045, 2 * one)):
        stepper.t_end = t
        while stepper.t < t - 1e-9:
            stepper.advance()
        assert contact.worn_depths(system) == pytest.approx(depth, rel=2e-3)
    volume = LAW.rate * PRESSURE * 1e-3 * SPEED * 0.045
    assert stepper.channels["contact.worn_volume"] == pytest.approx(volume, rel=2e-3)


@pytest.mark.parametrize("dt", [7e-4, 1.1e-3])
def test_steps_across_the_end_of_settling_count_by_a_part(dt):
    """As joints do (test_wear.py): depth k p v (period - settle) / H at every point, whatever steps
    lie across the ends of settling and of the period."""
    wear = fc.SurfaceWear(LAW, period=0.02, settle=0.0103, renewal=1e-3)
    system, contact = rubbing(wear)
    march(system, dt, 0.0225)
    depth = LAW.depth(PRESSURE, SPEED * (0.02 - 0.0103))
    assert contact.worn_depths(system) == pytest.approx(depth, rel=1e-6)


@pytest.mark.parametrize("period", [None, 0.01])
def test_goes_on_from_a_snapshot(period):
    """Bit for bit, with what is worn, collected and on its way into the surface."""
    wear = fc.SurfaceWear(LAW, period=period, settle=0.4 * (period or 0), repeat=1e3)
    ends = []
    for interrupt in (False, True):
        system, contact = rubbing(wear, worn=wedge(5e-7))
        stepper = fc.Stepper(system, initial=system.equilibrium, dt=1e-3, t_end=0.03)
        stepper.start()
        while stepper.t < stepper.t_end:
            stepper.advance()
            if interrupt and stepper.steps == 11:
                stored = stepper.snapshot()
                system, contact = rubbing(wear, worn=wedge(5e-7))
                stepper = fc.Stepper(system, initial=system.equilibrium, dt=1e-3, t_end=0.03)
                stepper.restore(stored)
        ends.append((contact.worn_depths(system), stepper.state.q.copy()))
    assert ends[0][0].max() > 1e-6
    for first, second in zip(*ends, strict=True):
        assert np.array_equal(first, second)


@pytest.mark.mpi
def test_same_on_any_number_of_ranks(comm):
    ends = []
    for ranks in (comm, MPI.COMM_SELF):
        system, contact = rubbing(fc.SurfaceWear(LAW, repeat=1e3), worn=wedge(5e-7), comm=ranks)
        stepper = march(system, 1e-3, 0.005)
        depth = ranks.bcast(contact.worn_depths(system))
        names = "worn_volume", "worn_depth", "normal_force"
        ends.append((depth, [stepper.channels[f"contact.{n}"] for n in names]))
    assert ends[1][0].max() > 5e-7
    for first, second in zip(*ends, strict=True):
        assert first == pytest.approx(second, rel=1e-9)


def test_bad_input():
    system = fc.System()
    block = system.add(
        fc.Solid(meshes.block((0.1, 0.05), (4, 2)), SOFT, degree=1, state="plane_strain", free=True)
    )
    wear = fc.SurfaceWear(LAW, liner=1e-5)
    for changes, message in (
        ({"wear": fc.Wear(LAW)}, "wear must be SurfaceWear"),
        ({"worn": 1e-6}, "need wear=SurfaceWear"),
        ({"wear": wear, "worn": np.zeros(3)}, "4 facets x 5 quadrature points"),
        ({"wear": wear, "worn": np.nan}, "must be finite"),
        ({"wear": wear, "worn": 2e-5}, "through their liner of 1e-05 m"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.GuideContact(
                system.ground.point((0, 0, 0)), block.facets("y0"), **AXES, side="lower",
                gap=0.05, **changes,
            )  # fmt: skip
    for changes, message in (
        ({"law": 1e-4}, "SurfaceWear: law must be Archard"),
        ({"repeat": None}, "repeat must be a positive number"),
        ({"period": 1.0, "settle": 1.0}, "nothing of a period"),
    ):
        with pytest.raises(fc.InputError, match=message):
            fc.SurfaceWear(**{"law": LAW, **changes})


def test_worn_through():
    system, _ = rubbing(fc.SurfaceWear(LAW, repeat=1e6, liner=1e-5))
    with pytest.raises(fc.StepFailed, match="through its liner of 1e-05 m"):
        march(system, 1e-4, 0.1)
