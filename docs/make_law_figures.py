"""Figures and numbers of laws.md: one impact and one sliding case under every law.

python docs/make_law_figures.py
"""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import ufl

import fem_clearance as fc
from fem_clearance.contact.laws.hysteresis import returned_restitution
from fem_clearance.plotting import style

FIGURES = Path(__file__).parent / "figures"
STEEL = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
BORE, JOURNAL, LENGTH = 0.010, 0.0095, 0.015
SPEED, MASS = 0.3, 1.0
CONTACT = fc.ContactGeometry("joint", BORE, JOURNAL, (STEEL, STEEL), LENGTH)
EXACT = {"restitution": 0.9, "hysteresis": fc.ExactRestitution}

NORMAL = {
    "Hertz (spheres)": fc.ExactRestitution(restitution=0.9),
    "Liu, Bai-Zhao corr": fc.BaiZhao(**EXACT),
    "Bai-Zhao n1": type(fc.bai_zhao("n1"))(**EXACT),
    "Bai-Zhao lit15": type(fc.bai_zhao("lit15"))(**EXACT),
    "Johnson": fc.Johnson(**EXACT),
    "ESDU 78035": fc.ESDU78035(**EXACT),
    "Pereira": fc.Pereira(**EXACT),
}

RESTITUTION = [
    fc.HuntCrossley, fc.HerbertMcWhannell, fc.LeeWang, fc.LankaraniNikravesh, fc.Gonthier,
    fc.ZhiyingQishao, fc.Flores2011, fc.HuGuo,
]  # fmt: skip

FRICTION = {
    "true stick": fc.TrueStick(0.4, 0.3, stiffness=1e5, damping=126.0),
    "LuGre": fc.LuGre(0.4, 0.3, v_s=1e-2, stiffness=2e3, damping=5.0, damping_speed=1e-2),
    "Stribeck": fc.Stribeck(0.4, 0.3, v_s=1e-2, v0=1e-3),
    "CubicStribeck": fc.CubicStribeck(0.4, 0.3, v_s=1e-2, v_d=0.1),
    "BengisuAkay": fc.BengisuAkay(0.4, 0.3, v0=1e-2, decay=100.0),
    "SmoothCoulomb": fc.SmoothCoulomb(0.3, v0=1e-2),
    "Threlfall": fc.Threlfall(0.3, v0=1e-2),
    "ModifiedCoulomb": fc.ModifiedCoulomb(0.3, v0=1e-3, v1=1e-2),
}


def at_rest(law, depth):
    """Force of a normal law at rest, N."""
    p = SimpleNamespace(**law.values(CONTACT))
    force = type(law).force(ufl.as_ufl(float(depth)), ufl.as_ufl(0.0), ufl.as_ufl(1.0), p)
    return float(force)


def impact(law):
    """Time from the first touch, depth, force of a journal that hits its bearing; speed ratio."""
    system = fc.System(gravity=(0, 0, 0))
    body = system.add(fc.RigidBody(MASS, (1, 1, 1), velocity=(SPEED, 0, 0), name="journal"))
    system.add(
        fc.RevoluteClearance(
            system.ground.point((0, 0, 0)), body.center, axis=(0, 0, 1), bearing_radius=BORE,
            journal_radius=JOURNAL, length=LENGTH, materials=(STEEL, STEEL), normal=law,
            name="joint",
        )
    )  # fmt: skip
    stepper = fc.Stepper(system, t_end=0.05, contact_tolerance=1e-5)
    stepper.start()
    rows = []
    while not stepper.events or stepper.channels["joint.penetration"] > 0:
        stepper.advance()
        c = stepper.channels
        rows.append((stepper.t, c["joint.penetration"], c["joint.normal_force"]))
    t, depth, force = np.array(rows).T
    t -= stepper.events[0].time
    here = t >= 0
    return t[here], depth[here], force[here], -stepper.channels["journal.vx"] / SPEED


def slide(law, dt=2e-3, t_end=50.0):
    """A block of 1 kg on a belt of 0.2 m/s, held by 1 N/m under 10 N; its place over time.

    Seen from the belt: the other end of the spring moves off."""
    system = fc.System(gravity=(0, 0, 0))
    axis = (1, 0, 0)
    block = system.add(fc.RigidBody(1.0, (1, 1, 1), name="block"))
    hand = system.add(
        fc.RigidBody(1.0, (1, 1, 1), position=(-20, 0, 0), velocity=(-0.2, 0, 0), name="hand")
    )
    for body in (block, hand):
        system.add(fc.PrismaticJoint(system.ground, body.center, axis=axis))
    away = fc.functions.Linear(-0.2)
    system.add(fc.TranslationDriver(system.ground, hand.center, axis=axis, displacement=away))
    system.add(fc.SpringDamper(hand.center, block.center, stiffness=1.0))
    system.add(
        fc.FrictionElement(
            system.ground, block.center, axis, friction=law, normal_force=10.0, name="rub"
        )
    )
    stepper = fc.Stepper(system, dt=dt, t_end=t_end)
    stepper.start()
    rows = [(0.0, 0.0)]
    while stepper.t < t_end:
        stepper.advance()
        rows.append((stepper.t, stepper.channels["rub.slide"] + 0.2 * stepper.t))
    return np.array(rows).T


def curve(law, speeds):
    """Coefficient of friction over the speed."""
    p = SimpleNamespace(**law.values())
    return [float(type(law).coefficient(ufl.as_ufl(float(v)), p)) for v in speeds]


def pair(width=9.0):
    return style.subplots(1, 2, figsize=(width, 3.6))


def save(figure, name):
    FIGURES.mkdir(exist_ok=True)
    figure.savefig(FIGURES / name, dpi=110)


@style.styled
def normal_figure():
    figure, (left, right) = pair()
    depths = np.geomspace(1e-7, 1e-4, 60)
    print("law                   peak N  depth um  contact us  restitution")
    for (name, law), dashes in zip(NORMAL.items(), ["--", *["-"] * 6], strict=True):
        (line,) = left.loglog(depths * 1e6, [at_rest(law, d) for d in depths], dashes, label=name)
        t, depth, force, e = impact(law)
        right.plot(depth * 1e6, force / 1e3, dashes, color=line.get_color())
        print(
            f"{name:20s} {force.max():7.0f} {depth.max() * 1e6:9.2f} {t[-1] * 1e6:11.1f} {e:12.4f}"
        )
    left.set(xlabel="penetration (µm)", ylabel="force at rest (N)")
    right.set(xlabel="penetration (µm)", ylabel="force in the impact (kN)")
    right.set_xlim(0, 30)
    left.legend(fontsize=7)
    save(figure, "laws_normal.png")


@style.styled
def restitution_figure():
    figure, axis = style.subplots(figsize=(4.6, 4.2))
    given = np.linspace(0.02, 1, 60)
    axis.plot([0, 1], [0, 1], color="0.8", lw=3, label="what is asked for")
    for k, law in enumerate(RESTITUTION):
        e = [returned_restitution(law(restitution=g).hysteresis()) for g in given]
        (line,) = axis.plot(given, e, "--" if k > 6 else "-", label=law.__name__)
        for g in (0.3, 0.7):
            axis.plot(g, impact(fc.Liu(restitution=g, hysteresis=law))[-1], "o", ms=4,
                      color=line.get_color())  # fmt: skip
    axis.set(xlabel="restitution given", ylabel="restitution returned", xlim=(0, 1), ylim=(0, 1))
    axis.legend(fontsize=7)
    save(figure, "laws_restitution.png")


@style.styled
def friction_figure():
    figure, (left, right) = pair()
    speeds = np.geomspace(1e-4, 1, 120)
    print("law               largest x m  smallest later  period s")
    for k, (name, law) in enumerate(FRICTION.items()):
        color, dashes = f"C{k}", "--" if k > 6 else "-"
        if isinstance(law, fc.FrictionLaw):
            left.semilogx(speeds, curve(law, speeds), dashes, color=color, label=name)
        else:
            left.plot([], [], dashes, color=color, label=name)
        t, x = slide(law)
        late = t > 18
        right.plot(t, x, dashes, color=color, lw=1)
        peaks = t[1:-1][(x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:]) & (x[1:-1] > 3.2)]
        period = f"{np.diff(peaks)[-1]:.2f}" if len(peaks) > 1 else "-"
        print(f"{name:16s} {x.max():12.4f} {x[late].min():15.4f} {period:>9s}")
    left.set(xlabel="sliding speed (m/s)", ylabel="coefficient of friction (steady)")
    right.set(xlabel="time (s)", ylabel="place of the block on the ground (m)")
    left.legend(fontsize=7)
    save(figure, "laws_friction.png")


if __name__ == "__main__":
    normal_figure()
    restitution_figure()
    friction_figure()
