"""What derivatives are not known of is refused in a sentence, before the run."""

import pytest

import fem_clearance as fc
from fem_clearance import cases
from tests.lubrication.test_wear_in_time import held


def arm(law=None, **more):
    """The pendulum with another law of its joint."""

    def build(p):
        system = fc.System(gravity=(0, -9.81, 0))
        body = system.add(
            fc.RigidBody(mass=1.0, inertia=(1e-3, 0.083, 0.083), position=(0.5, 0, 0), name="arm")
        )
        system.add(
            fc.SphericalClearance(
                system.ground.at((0, 0, 0)), body.at((0, 0, 0)), socket_radius=0.02,
                ball_radius=0.02 - p["clearance"], stiffness=1e6, name="joint",
                normal=law or fc.Hertz(), **more,
            )
        )  # fmt: skip
        return system

    return build


def derive(model=None, **settings):
    settings = {"at": {"clearance": 1e-3}, "of": "arm.y", "t_end": 0.01, **settings}
    return fc.Sensitivity(model or arm(), **settings).forward()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"integrator": fc.Bathe()}, "use GeneralizedAlpha"),
        ({"integrator": fc.CentralDifference(), "dt": 1e-4}, "use GeneralizedAlpha"),
        ({"of": "arm.z_"}, "did you mean"),
        ({"of": []}, "name at least one output"),
        ({"at": {"clearance": 0.0}}, "clearance is zero; state its magnitude"),
        ({"by": "clearence"}, "did you mean 'clearance'"),
        ({"by": ["clearance", "clearance"]}, "each parameter once"),
        ({"t_end": None}, "give t_end"),
        ({"sizes": {"clearence": 1.0}}, "did you mean 'clearance'"),
        ({"dt": 1e-3, "of": fc.At("arm.y", 0.0055)}, "the nearest one at 0.00[56] s"),
    ],
)  # fmt: skip
def test_settings(settings, said):
    with pytest.raises(fc.InputError, match=said):
        derive(**settings)


def test_no_function():
    with pytest.raises(fc.InputError, match="takes the values of the parameters"):
        derive(model="double_pendulum")
    with pytest.raises(fc.InputError, match="must return a System"):
        derive(model=lambda p: None)


def test_laws_that_jump():
    with pytest.raises(fc.InputError, match="jumps when contact begins"):
        derive(arm(fc.KelvinVoigt(damping=10.0)))


def test_memory():
    """Worn bores of films; friction that sticks with several stages, or with constraints on
    velocities."""

    def block(p):
        system = fc.System(gravity=(0, -9.81, 0))
        body = system.add(
            fc.RigidBody(mass=1.0, inertia=(0.1,) * 3, position=(0, 0, 0), name="arm")
        )
        ground = system.ground.at((0, 0, 0))
        system.add(fc.PrismaticJoint(ground, body.center, axis=(1, 0, 0)))
        law = fc.TrueStick(0.1, stiffness=1e6)
        belt = fc.FrictionElement(
            ground, body.center, (1, 0, 0), friction=law, normal_force=p["load"], name="belt"
        )
        system.add(belt)
        return system

    how = fc.GeneralizedAlpha(0.8, constraints="stabilised")
    with pytest.raises(fc.InputError, match="belt: .* memory of .* are not available"):
        derive(block, at={"load": 10.0}, integrator=how)
    with pytest.raises(fc.InputError, match="film: .* has a memory from step to step"):
        derive(lambda p: held(p["repeat"])[2], at={"repeat": 1.0}, of="film.worn_volume")


def test_worn_joint_with_adaptive_steps():
    at = {"adaptive": True, "t_end": 1e-3}
    s = fc.Sensitivity(cases.get("four_bar_wear"), at=at, by="crank.rpm", of="energy.kinetic")
    with pytest.raises(fc.InputError, match="joint.* wear in a .* with adaptive steps; give dt"):
        s.forward()


def test_sticking_in_a_clearance_joint_with_adaptive_steps():
    def model(p):
        system = fc.System(gravity=(0, -9.81, 0))
        slider = system.add(fc.RigidBody(1.0, (1e-3,) * 3, name="slider"))
        system.add(
            fc.TranslationalClearance(
                system.ground.at((0, 0, 0)), slider.center, axis=(1, 0, 0), across=(0, 1, 0),
                length=0.1, height=0.05, gap=0.05 + p["clearance"], stiffness=1e8, name="guide",
                friction=fc.TrueStick(0.4, stiffness=1e6, damping=400.0),
            )
        )  # fmt: skip
        return system

    with pytest.raises(fc.InputError, match="guide.* not verified with adaptive steps; give dt"):
        derive(model, of="slider.y")
    assert derive(model, of="slider.y", dt=1e-4).jacobian.shape == (1, 1)


def test_another_model():
    """A number that changes how many bodies there are."""

    def build(p):
        system = arm()({"clearance": 1e-3})
        for k in range(int(p["bodies"] >= 1)):
            more = fc.RigidBody(
                mass=1.0, inertia=(0.1,) * 3, position=(k, 1, 0), name=f"more{k}", free=True
            )
            system.add(more)
        return system

    with pytest.raises(fc.InputError, match="bodies changes what the model consists of"):
        derive(build, at={"bodies": 1.0})


def test_a_bound():
    """Beside a bound of a parameter differences are one-sided: restitution 1 at most."""

    def build(p):
        return arm(fc.LankaraniNikravesh(restitution=p["restitution"]))({"clearance": 1e-3})

    settings = {"of": ["arm.x", "arm.y"], "t_end": 0.03}
    found = [
        derive(build, at={"restitution": e}, **settings).jacobian[:, 0] for e in (1.0, 1 - 1e-4)
    ]
    assert found[0] == pytest.approx(found[1], rel=2e-2)
    assert abs(found[0]).max() > 1e-5


def test_settings_of_a_case():
    case = cases.get("double_pendulum")
    with pytest.raises(fc.InputError, match="are parameters of the case"):
        fc.Sensitivity(case, by="joint.restitution", of="tip.y", t_end=0.1)
    with pytest.raises(fc.InputError, match="by must name parameters of the case double_pendulum"):
        fc.Sensitivity(case, of="tip.y")
    steady = cases.get("journal_bearing")
    name = next(n for n, p in steady.resolve().parameters.items() if p.type is float)
    with pytest.raises(fc.InputError, match="without time"):
        fc.Sensitivity(steady, by=name, of="load")
