"""The models that are built for derivatives: how many, and what their numbers say."""

import numpy as np
import pytest

import fem_clearance as fc
from tests.sensitivity import models

END = 0.4


def counted(model):
    """The model, and a list of the values for which it was built."""
    built = []

    def build(p):
        built.append(dict(p))
        return model(p)

    return build, built


@pytest.mark.parametrize(
    ("model", "at", "settings"),
    [
        (models.beam, models.BEAM, {"t_end": 0.01, "dt": 1e-3}),
        (models.pendulum, models.PENDULUM, {"t_end": 0.02}),
    ],
    ids=["beam", "clearance"],
)
def test_four_models_for_a_parameter(model, at, settings):
    """Besides that of the run, whatever the parameter and the method."""
    build, built = counted(model)
    s = fc.Sensitivity(build, at=at, of="tip.y", **settings)
    s.run()
    for derive in (lambda: s.forward(histories=False), s.adjoint):
        built.clear()
        derive()
        changed = [{n for n in at if p[n] != at[n]} for p in built]
        assert sorted(map(sorted, changed)) == sorted([[n] for n in at for _ in range(4)])


def sprung(p):
    """A mass on a spring, whose stiffness grows beyond 1.0005 of the parameter."""
    system = fc.System(gravity=(0, 0, 0))
    body = fc.RigidBody(p["mass"], (1e-3,) * 3, position=(0.1, 0, 0), name="block")
    system.add(body)
    system.add(fc.PrismaticJoint(system.ground, body.center, axis=(1, 0, 0)))
    stiffness = 100.0 * p["k"] * (1 + 50 * max(p["k"] - 1.0005, 0.0))
    system.add(
        fc.SpringDamper(system.ground.at((-1, 0, 0)), body.center, stiffness, free_length=1.0)
    )
    return system


def test_kinks_beside_the_value():
    """The derivative is that at the value, -x0 t sin(w t) dw/dk, not a mean over the kink."""
    s = fc.Sensitivity(
        sprung, at={"mass": 1.0, "k": 1.0}, of="block.x", t_end=END, dt=1e-3,
        newton_tolerance=1e-12,
    )  # fmt: skip
    d, w = s.forward(histories=False), 10.0
    by_frequency = -0.1 * END * np.sin(w * END)
    assert d.jacobian[0] == pytest.approx([-by_frequency * w / 2, by_frequency * w / 2], rel=1e-3)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-9)


def test_numbers_at_a_bound():
    """One-sided differences of models: the derivative by a restitution of 1 agrees with one just
    below."""
    found = [
        fc.Sensitivity(
            models.pendulum, at={**models.PENDULUM, "restitution": e}, by="restitution",
            of="tip.y", t_end=0.02, newton_tolerance=1e-12,
        ).forward(histories=False).jacobian[0, 0]
        for e in (1.0, 0.999)
    ]  # fmt: skip
    assert found[0] == pytest.approx(found[1], rel=0.02)


def test_tables():
    """A body that a force pushes whose course is a table, by its values, to which the motion is
    proportional, and by the scale T of its times: x = T^2 f(t / T), dx/dT = (2 x - v t) / T."""
    x = np.linspace(0.0, 1.0, 9)

    def model(p):
        system = fc.System(gravity=(0, 0, 0))
        body = system.add(fc.RigidBody(2.0, (1e-3,) * 3, name="body", free=True))
        course = fc.functions.Table(0.02 * p["scale"] * x, p["load"] * np.sin(3 * x))
        system.add(fc.Force(body.center, (1.0, 0, 0), function=course))
        return system

    at = {"load": 3.0, "scale": 1.5}
    s = fc.Sensitivity(model, at=at, of=["body.x", "body.vx"], t_end=0.02, dt=2e-4)
    d = s.forward(histories=False)
    place, speed = d.values
    assert d.jacobian[:, 0] == pytest.approx(d.values / 3.0, rel=1e-9)
    assert d.jacobian[0, 1] == pytest.approx((2 * place - speed * 0.02) / 1.5, rel=1e-4)
    assert s.adjoint().jacobian == pytest.approx(d.jacobian, rel=1e-9)
