"""Contact of deformable bodies: facets on an analytic surface, and facets on facets."""

import numpy as np

from .draw import BLUE, BRASS, INK, RED, SOFT, STEEL, THIN, Sketch


def _curve(x, height, bend, waves=0.0):
    """Edge of a body over x."""
    return np.column_stack([x, height + bend * x**2 + waves * np.sin(3 * x)])


def _body(s, edge, depth, color):
    """A body that goes on beyond its edge by ``depth``."""
    base = edge[::-1] + (0, depth)
    base[:, 1] = edge[len(edge) // 2, 1] + depth
    s.polygon(np.vstack([edge, base]), color, 3, width=0.9)


def _at(edge, x):
    """Point of an edge and its direction."""
    y = np.interp(x, *edge.T)
    slope = (np.interp(x + 0.05, *edge.T) - np.interp(x - 0.05, *edge.T)) / 0.1
    t = np.array([1.0, slope])
    return np.array([x, y]), t / np.linalg.norm(t)


def facet_contact():
    """A facet's point on an analytic surface; facets of two solids cut where they begin and end."""
    s = Sketch(7.6, 3.3, (-2.0, 2.0, -1.55, 1.75), place=(0, 0, 0.46, 1))
    x = np.linspace(-1.8, 1.8, 60)
    body = _curve(x, 0.1, 0.1)
    _body(s, body, 1.0, STEEL)
    s.line(*_curve(x, -0.05, -0.14), color=BRASS, width=2.4, z=2)
    for k in np.linspace(-1.8, 1.8, 7):
        p, _ = _at(body, k)
        s.point(p, None, (0, 0), 2.6)
    p, _ = _at(body, 0.3)
    s.point(p, None, (0, 0), 4.2, RED)
    q, t = _at(_curve(x, -0.05, -0.14), 0.27)
    n = np.array([-t[1], t[0]])
    s.arrow(q, q - 0.62 * n, None, INK, THIN, head=7)
    s.text(q - 0.62 * n + (0.2, 0.0), r"$\mathbf{n}$")
    s.text((0.36, 0.33), r"$\mathbf{s}$", RED)
    s.text((-0.9, 0.85), "solid", white=False)
    s.text((-1.25, -0.62), r"surface $g(\mathbf{s})=0$", size=9, white=False)
    o = np.array([0.55, -1.2])
    s.axis(o, o + (0.55, 0), "$s_1$", (0.16, 0))
    s.axis(o, o + (0, 0.55), "$s_2$", (0.17, 0.02))
    s.text((0.0, 1.6), "facets on an analytic surface", size=9, white=False)

    z = Sketch(0, 0, (-2.3, 2.3, -1.55, 1.75), beside=s, place=(0.47, 0, 0.53, 1))
    up, low = _curve(x, 0.14, 0.05), _curve(x, -0.2, 0.02)
    _body(z, up, 1.0, STEEL)
    _body(z, low, -0.9, BRASS)
    mine, theirs = (-1.8, -0.6, 0.6, 1.8), (-1.8, -1.0, -0.1, 0.9, 1.8)
    for ends, edge in ((mine, up), (theirs, low)):
        for k in ends:
            z.point(_at(edge, k)[0], None, (0, 0), 3.4)
    for k in (-1.0, -0.1, 0.9):  # where the other's facets end, on the first
        a, b = _at(low, k)[0], _at(up, k)[0]
        z.line(a, b, color=SOFT, width=0.8, style="--", z=8)
    for k in (-0.04, 0.25, 0.54):
        a, b = _at(up, k)[0], _at(low, k)[0]
        z.line(a, b, color=BLUE, width=0.8, z=8)
        z.point(a, None, (0, 0), 3.0, RED)
        z.point(b, None, (0, 0), 3.0, BLUE)
    z.text((0.27, 0.42), r"$\mathbf{x}=\sum N_A\mathbf{x}_A$", RED, size=9)
    z.text((0.3, -0.5), r"$\mathbf{y}=\sum M_B\mathbf{y}_B$", BLUE, size=9)
    q, t = _at(low, -1.35)
    z.arrow(q, q + 0.5 * np.array([-t[1], t[0]]), None, INK, THIN, head=7)
    z.text(q + (-0.17, 0.42), r"$\mathbf{n}$")
    z.text((-1.2, 0.85), "first solid", size=9, white=False)
    z.text((-1.2, -0.75), "second solid", size=9, white=False)
    z.text((0.0, 1.6), "facets on facets, cut at the dashed lines", size=9, white=False)
    return s
