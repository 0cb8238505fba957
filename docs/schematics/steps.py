"""Time steps: the instants of a step, and a contact that is located."""

import numpy as np

from .draw import BLUE, GREEN, INK, RED, SOFT, Sketch


def time_step():
    """Steps in time, the generalised mid-points, a located event, a rejected step."""
    s = Sketch(7.6, 2.5, (-0.3, 8.2, -1.15, 1.5))
    s.axis((-0.2, 0), (7.9, 0), "$t$", (0.13, 0))
    for t, name in ((0.6, "$t_{n-1}$"), (2.6, "$t_n$"), (5.0, "$t_{n+1}$"), (6.4, "$t_{n+2}$")):
        s.line((t, -0.12), (t, 0.12), width=1.6)
        s.text((t, -0.34), name, white=False)
    s.dimension((2.6, -0.72), (5.0, -0.72), "$h$")
    s.point((2.6 + 0.62 * 2.4, 0), color=BLUE, size=5)
    s.text((4.1, 0.3), r"$t_{n+1-\alpha_f}$", BLUE)
    s.point((2.6 + 0.82 * 2.4, 0), color=GREEN, size=5)
    s.text((4.3, -0.36), r"$t_{n+1-\alpha_m}$", GREEN)
    s.line((5.0, 0.15), (5.6, 0.75), (7.3, 0.15), color=SOFT, width=0.9, style="--")
    s.text((6.75, 0.8), "tried, rejected", SOFT, size=9)
    s.point((6.4, 0), color=RED, size=5)
    s.text((6.4, -0.75), "contact begins:\nthe step ends here", RED, size=8)
    s.text((1.6, 0.62), r"known: $q_n,\ v_n,\ a_n$", size=9, white=False)
    s.line((1.8, 0.5), (2.55, 0.08), color=SOFT, width=0.7)
    s.text((3.8, 1.05), r"forces at $t_{n+1-\alpha_f}$, inertia at $t_{n+1-\alpha_m}$", size=9,
           white=False)  # fmt: skip
    return s


def contact_event():
    """Depth and force of a contact over time: onset, compression, restitution, loss."""
    s = Sketch(6.8, 3.4, (-0.5, 6.6, -1.7, 2.15))
    t = np.linspace(0, 6, 181)
    depth = -0.9 + 1.75 * np.sin(np.pi * np.clip(t, 0, 6) / 6) ** 1.0
    s.axis((-0.2, 0), (6.3, 0), "$t$", (0.12, 0))
    s.axis((0, -1.1), (0, 1.9), r"$\delta$, $F_n$", (0.4, 0))
    s.line(*zip(t, depth, strict=True), width=1.6)
    inside = depth > 0
    rate = np.gradient(depth, t)
    force = 1.9 * depth[inside] ** 1.5 * (1 + 0.75 * rate[inside] / rate[inside][0])
    s.line(*zip(t[inside], force, strict=True), color=RED, width=1.6)
    first, last = t[inside][0], t[inside][-1]
    for x, word in ((first, "onset"), (last, "loss")):
        s.line((x, -1.0), (x, 1.6), color=SOFT, width=0.8, style="--")
        s.text((x, -1.15), word, size=9, white=False)
    s.line((3, -0.05), (3, 1.25), color=SOFT, width=0.6, style=":")
    s.text(((first + 3) / 2, -0.45), r"compression" "\n" r"$\dot\delta>0$", size=8, white=False)
    s.text(((last + 3) / 2, -0.45), r"restitution" "\n" r"$\dot\delta<0$", size=8, white=False)
    s.text((4.05, 0.95), r"$\delta$")
    s.text((2.2, 1.6), r"$F_n(\delta,\dot\delta)$", RED)
    s.arrow((first - 0.55, -0.55), (first + 0.15, 0.28), None, BLUE, 1.0, head=7)
    s.text((first - 0.75, -0.85), r"approach speed $\dot\delta^{(-)}$", BLUE, size=9)
    for x in np.concatenate([np.linspace(0.2, first, 4), np.linspace(first, last, 14)]):
        s.line((x, -1.38), (x, -1.28), width=0.9, color=INK)
    s.text((5.6, -1.35), "steps", size=8, white=False)
    return s
