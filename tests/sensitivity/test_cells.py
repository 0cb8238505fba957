"""Derivatives by every number of every cell, compared with runs in which one of them is changed,
and with derivatives by parameters that set many of them."""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.lubrication import Guembel
from tests.sensitivity import models

#: points and factors of a central difference of fourth order
POINTS = ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))
TIP = ["tip.x", "tip.y"]


def row_of(system, owner, name):
    """The component with these numbers, its cells of that owner, and the columns."""
    problem = system.assemble()
    for c, rows in zip(problem.components, problem.parameters(problem.start), strict=True):
        if owner in c.owners and name in c.kind.parameters:
            return rows, np.flatnonzero(c.owner == c.owners.index(owner)), c.kind.columns(name)
    raise AssertionError(name)


def changed(model, at, owner, name, cell, change, **settings):
    """Outputs of a run in which the numbers of one cell are changed."""
    system = model(at)
    rows, cells, columns = row_of(system, owner, name)
    rows[cells[cell], columns] += change
    s = fc.Sensitivity(lambda _: system, at={"none": 1.0}, newton_tolerance=1e-13, **settings)
    return s.run().outputs


def compare(model, at, wanted, rel, part=1e-4, **settings):
    """Derivatives by numbers (owner, name, cell), each along a direction of its own size, and
    central differences of runs."""
    d = fc.Sensitivity(model, at=at, newton_tolerance=1e-13, **settings).cells()
    random = np.random.default_rng(3)
    for owner, name, cell in wanted:
        numbers = d.numbers[owner, name]
        size = np.abs(numbers).max()
        along = size * random.uniform(0.5, 1.0, numbers[cell].size)
        runs = sum(
            factor / part * changed(model, at, owner, name, cell, k * part * along, **settings)
            for k, factor in POINTS
        )
        found = d[owner, name][:, cell].reshape(len(d.names), -1) @ along
        assert found == pytest.approx(runs, rel=rel, abs=rel * np.abs(runs).max()), (owner, name)
        assert np.abs(runs).max() > 0
    return d


def test_arm_in_a_clearance():
    """Fixed steps that are shortened while the joint touches: every number of the law, and of the
    body. Distances of points in space, which start the motion elsewhere, need smaller changes."""
    wanted = [("joint", "clearance", 0), ("joint", "normal.n", 0), ("arm", "mass", 0)]
    settings = {"of": TIP, "t_end": 0.03, "dt": 1e-3}
    compare(models.pendulum, models.PENDULUM, wanted, 1e-6, **settings)
    compare(models.pendulum, models.PENDULUM, [("joint", "i", 0)], 1e-3, part=1e-7, **settings)


def test_parameters_by_the_chain_rule():
    """Steps that end at onsets: the numbers of all cells times what parameters make of them are the
    derivatives by these parameters."""
    names = ("stiffness", "restitution", "clearance")
    s = fc.Sensitivity(
        models.pendulum, at=models.PENDULUM, by=names, of=[*TIP, "joint.normal_force:max"],
        t_end=0.03, tolerance=1e-8, contact_tolerance=1e-5,
    )  # fmt: skip
    d, wanted = s.cells(), s.adjoint()
    keys = [("joint", name) for name in ("clearance", "ball_radius", "normal.K", "normal.chi")]
    for p, name in enumerate(names):
        total, part = np.zeros(len(d.names)), 1e-4 * models.PENDULUM[name]
        for owner, number in keys:
            sides = []
            for k in (1, -1):
                values = {**models.PENDULUM, name: models.PENDULUM[name] + k * part}
                rows, cells, columns = row_of(models.pendulum(values), owner, number)
                sides.append(rows[cells, columns])
            total += np.einsum("zc,ck->z", d[owner, number], (sides[0] - sides[1]) / (2 * part))
        off = np.abs(total * models.PENDULUM[name] - wanted.scaled[:, p])
        assert np.all(off <= 1e-7 * np.abs(wanted.scaled).max(axis=1))


@pytest.mark.slow
def test_driven_beam():
    """Element by element. The driver starts with a speed, to which the beam's velocities are put
    with the least kinetic energy, so that the start depends on every mass."""
    at = {"E": 6e7, "amplitude": 0.3, "frequency": 5.0}
    wanted = [("beam", name, 2) for name in ("E", "mu", "rho", "area", "I_y", "twist_y")]
    settings = {"of": ["energy.kinetic", "tip.y"], "t_end": 0.02, "dt": 1e-3}
    d = compare(models.driven_beam, at, wanted, 1e-5, **settings)
    runs = fc.Sensitivity(models.driven_beam, at=at, newton_tolerance=1e-13, **settings).forward()
    function = d["driver", "function"][:, 0]
    assert function[:, :2] == pytest.approx(runs.jacobian[:, 1:], rel=1e-7)
    compare(models.driven_beam, at, [("pivot", "i", 0)], 1e-4, part=1e-9, **settings)


@pytest.mark.slow
def test_materials_and_fields_by_cell():
    """A solid's moduli and density cell by cell, and a film's clearance and viscosity."""
    at = {"length": 1.0, "E": 1e6, "density": 1e3}
    settings = {"of": ["energy.kinetic", "energy.strain"], "t_end": 0.02, "dt": 1e-3}
    wanted = [("bar", name, cell) for name in ("mu", "lam", "rho") for cell in (0, 4)]
    compare(models.bar, at, wanted, 1e-5, **settings)
    settings = {"of": ["journal.x", "journal.y"], "t_end": 1e-3, "dt": 2e-5}
    wanted = [("bearing", "clearance", 51), ("bearing", "lubricant.viscosity", 24)]
    d = compare(models.journal(Guembel()), models.JOURNAL, wanted, 1e-5, **settings)
    assert d["bearing", "clearance"].shape == (2, 96)
    s = fc.Sensitivity(
        models.journal(Guembel()), at=models.JOURNAL, by="viscosity", newton_tolerance=1e-13,
        **settings,
    )  # fmt: skip
    total = d["bearing", "lubricant.viscosity"].sum(axis=1)
    assert total == pytest.approx(s.forward().jacobian[:, 0], rel=1e-7)


def test_what_is_shown():
    """Names, the largest ones, and what there is not."""
    s = fc.Sensitivity(models.pendulum, at=models.PENDULUM, of="tip.y", t_end=5e-3, dt=1e-3)
    d = s.cells()
    assert d.largest("tip.y", 1)[0][:2] == ("tip", "frame")
    assert "by one percent of" in repr(d) and ("arm", "mass") in [*d]
    assert d.scaled["arm", "mass"] == pytest.approx(d["arm", "mass"] * 1.0)
    with pytest.raises(fc.InputError, match="no cells have the numbers"):
        d["arm", "weight"]
    with pytest.raises(fc.InputError, match="there is no output 'tip.z'"):
        d.largest("tip.z")


def test_refused():
    at = models.PENDULUM
    with pytest.raises(fc.InputError, match="not available with .* constraints on velocities"):
        fc.Sensitivity(
            models.driven_beam, at={"E": 6e7, "amplitude": 0.3, "frequency": 5.0}, t_end=2e-3,
            of="tip.y", integrator=fc.GeneralizedAlpha(0.8, constraints="stabilised"), dt=1e-3,
        ).cells()  # fmt: skip
    before = fc.Simulation(models.pendulum(at), t_end=0.0146, progress=False).run()
    with pytest.raises(fc.InputError, match="touch when the run starts"):
        fc.Sensitivity(
            models.pendulum, at=at, of="tip.y", t_end=0.0148, dt=1e-4, initial=before.last
        ).cells()
    with pytest.raises(fc.InputError, match="for runs only"):
        fc.SteadySensitivity(models.pendulum, at=at, of="tip.y").cells()
