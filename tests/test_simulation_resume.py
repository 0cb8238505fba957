"""A run goes on with the model that it began with, and with no other."""

from dataclasses import dataclass

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.extend import power
from fem_clearance.functions import Table
from fem_clearance.meshes import block

#: what is said of another law
FORMULAS = "joint: other formulas (spherical clearance (rigid body, rigid body))"
#: begins and ends every refusal
FIRST = "the checkpoint belongs to another model than the one given: "
LAST = (
    "; give the model of the run, or start a run of its own from where it ended "
    "(initial=results.last)."
)


@dataclass(frozen=True)
class Stop(fc.NormalLaw):
    """K d^n + c rate d/(0.1 mm)."""

    n: float = 1.5
    c: float = 400.0
    parameters = ("K", "n", "c")

    def values(self, contact):
        return {"K": contact.stiffness, "n": self.n, "c": self.c}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * power(depth, p.n) + 1e4 * p.c * rate * depth


class Softer(Stop):
    """Another formula of the same numbers."""

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K / 4 * power(depth, p.n) + 1e4 * p.c * rate * depth


@dataclass(frozen=True)
class Shorter(fc.NormalLaw):
    """With one number."""

    parameters = ("K",)

    def values(self, contact):
        return {"K": contact.stiffness}

    @staticmethod
    def force(depth, rate, approach, p):
        return p.K * power(depth, 1.5)


Softer.__qualname__ = Softer.__name__ = Shorter.__qualname__ = Shorter.__name__ = "Stop"


def ball(
    law=None, *, mass=1.0, speed=0.2, stiffness=1e9, gravity=0.0, load=1.0, name="joint", table=None
):
    """That strikes its socket after 2.5 ms, at the depth of 0.5 mm."""
    system = fc.System(gravity=(0, 0, gravity))
    body = system.add(fc.RigidBody(mass, (1, 1, 1), velocity=(speed, 0, 0), name="ball"))
    socket = fc.SphericalClearance(
        system.ground.point((0, 0, 0)), body.center, socket_radius=0.010, ball_radius=0.0095,
        normal=law or Stop(), stiffness=stiffness, name=name,
    )  # fmt: skip
    system.add(socket)
    system.add(fc.Force(body.center, (load, 0, 0), table, name="push"))
    return system


def watched():
    system = ball()
    system.add(fc.Probe(system.items[0].center, name="eye"))
    return system


def run(system, output=None, t_end=3e-3, **options):
    options = {"dt": 2e-5, "progress": False} | options
    return fc.Simulation(system, t_end=t_end, output=output, **options)


def refused(simulation, said):
    """It does not resume, and says so."""
    with pytest.raises(fc.InputError) as caught:
        simulation.run(resume=True)
    assert str(caught.value) == FIRST + said + LAST
    assert len(str(caught.value)) <= 400


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A run that ended in the contact."""
    folder = tmp_path_factory.mktemp("resumed") / "run"
    run(ball(), folder).run()
    return folder


OTHERS = {
    "number of a law": (lambda: ball(Stop(c=100.0)), "joint: c is 100, in the run 400"),
    "stiffness": (lambda: ball(stiffness=5e8), "joint: K is 5e+08, in the run 1e+09"),
    "mass": (lambda: ball(mass=5.0), "ball: mass is 5, in the run 1"),
    "load": (lambda: ball(load=-2.0), "push: vector is -2, in the run 1"),
    "gravity": (
        lambda: ball(gravity=-9.81), "gravity is [ 0.    0.   -9.81], in the run [0. 0. 0.] m/s^2"
    ),
    "initial values": (lambda: ball(speed=0.3), "ball: other initial values"),
    "formula": (
        lambda: ball(Softer()), FORMULAS
    ),
    "fewer numbers": (
        lambda: ball(Shorter()),
        FORMULAS,
    ),
    "name": (lambda: ball(name="seat"), "seat is in it only"),
    "items": (watched, "eye is in it only"),
}  # fmt: skip


@pytest.mark.parametrize(("model", "said"), OTHERS.values(), ids=OTHERS)
def test_another_model_is_refused(begun, model, said):
    before = (begun / "results.h5").read_bytes()
    refused(run(model(), begun, 4e-3), said)
    assert (begun / "results.h5").read_bytes() == before


def test_what_is_no_part_of_the_model_may_change(begun, tmp_path):
    """The end, what is recorded, and the law's class under another name; the rest as without a
    break."""

    class Same(Stop):
        pass

    whole = run(ball(), tmp_path / "whole", 4e-3).run()
    resumed = run(ball(Same()), begun, 4e-3, every=3, checkpoint_every_s=1.0).run(resume=True)
    assert resumed["ball.vx"][-1] == whole["ball.vx"][-1]


def test_numbers_that_the_run_changes_do_not_count(tmp_path):
    """A load that a controller sets, the approach speed and worn depths."""

    def driven(t_end):
        system = ball()
        return run(
            system, tmp_path / "run", t_end,
            on_step=lambda stepper: stepper.assign("push", vector=(1 + 100 * stepper.t, 0, 0)),
        )  # fmt: skip

    driven(3e-3).run()
    assert np.all(np.isfinite(driven(3.2e-3).run(resume=True)["ball.vx"]))


def test_tables_count(tmp_path):
    """A load by a table of time that is another after the end of the run."""

    def loaded(last):
        return run(
            ball(table=Table([0, 1e-3, 2e-3, 3e-3, 4e-3], [0, 1, 1, 1, last])),
            tmp_path / "run",
            end,
        )

    end = 1e-3
    loaded(0.0).run()
    end = 2e-3
    refused(loaded(1.0), "push: another table")
    loaded(0.0).run(resume=True)


def test_shapes_count(tmp_path):
    """A plate of as many cells that is longer."""

    def plate(length):
        system = fc.System(gravity=(0, 0, 0))
        mesh = block((length, 0.1), (2, 1))
        steel = fc.StVenantKirchhoff(E=2e11, nu=0.3, rho=7800)
        system.add(
            fc.Solid(mesh, steel, state="plane_strain", thickness=0.1, free=True, name="plate")
        )
        return run(system, tmp_path / "run", end)

    end = 2e-5
    plate(0.2).run()
    end = 4e-5
    refused(plate(0.3), "plate: another shape")


def test_the_model_is_looked_at_once(monkeypatch):
    """Not at each checkpoint of a run."""
    from fem_clearance.timestepping import model_changes

    looks, look = [], model_changes._fingerprint
    monkeypatch.setattr(model_changes, "_fingerprint", lambda s: looks.append(1) or look(s))
    stepper = fc.Stepper(ball(), dt=2e-5, t_end=3e-3)
    stepper.start()
    first, second = stepper.snapshot(), stepper.snapshot()
    assert len(looks) == 1 and np.array_equal(first["model.initial"], second["model.initial"])
