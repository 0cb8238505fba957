"""One element of a beam in a given state, its strains and energies in NumPy.

Strains follow from nodal values by the element's shape functions, at the points of its quadrature;
a row of the residual is the derivative of a number."""

import numpy as np
import pytest

import fem_clearance as fc

from ..forces import residuals_only

STEEL = fc.StVenantKirchhoff(E=3e6, nu=0.3, rho=900.0)
E, MU, LAM, RHO = STEEL.E, STEEL.mu, STEEL.lam, STEEL.rho
B, H, LENGTH = 0.05, 0.08, 0.6
GRAVITY, LOAD = np.array([1.0, -9.0, 2.0]), np.array([30.0, -20.0, 10.0])


def slopes(function, x, step=1e-6):
    """Derivatives of a scalar by its arguments, by central differences of fourth order."""
    result = np.zeros_like(x)
    for k in range(x.size):
        for way, weight in ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0)):
            y = x.copy()
            y.flat[k] += way * step
            result.flat[k] += weight * function(y) / (12 * step)
    return result


def gauss(count, length=1.0):
    x, w = np.polynomial.legendre.leggauss(count)
    return (1 + x) / 2 * length, w / 2 * length


class Element:
    """One element of a beam, with what is added to it, whose nodal values, rates and accelerations
    are disturbed."""

    def __init__(self, beam, *more, seed=4, size=0.08, gravity=GRAVITY):
        self.system = fc.System(gravity=gravity)
        self.beam = self.system.add(beam)
        for item in more:
            self.system.add(item)
        with residuals_only():
            self.state = self.system.state
        self.fields = beam.kind.node_fields
        self.at = np.array([
            [self.state.locate(node[f].numbers) for f in self.fields] for node in beam.nodes
        ])  # fmt: skip
        self.rest = self.state.q[self.at].copy()
        random = np.random.default_rng(seed)
        scale = size * LENGTH * np.where(np.isin(self.fields, ("r", "slope")), 0.5, 1.5)
        self.q = self.rest + scale[:, None] * random.uniform(-1, 1, self.rest.shape)
        self.v, self.a = random.uniform(-1, 1, (2, *self.rest.shape))
        self.state.q[self.at], self.state.v[self.at] = self.q, self.v
        self.state.q_n[:] = self.state.q

    @property
    def rows(self):
        return self.state.residual()[self.at]

    def check_damping(self, dissipation):
        """What rows owe to the rates is the derivative by them of Rayleigh's function, half the
        power that is lost."""
        moving = self.rows.copy()
        self.state.v[self.at] = 0.0
        wanted = slopes(dissipation, self.v, 1e-3)
        np.testing.assert_allclose(moving - self.rows, wanted, atol=1e-6 * np.abs(wanted).max())
        self.state.v[self.at] = self.v
        self.system.channels.read()
        lost = self.system.channels["b.damping_loss"]
        assert lost == pytest.approx(2 * dissipation(self.v), rel=1e-6)

    def lines(self, q, x):
        """Position, directors and their derivatives by arc length at places x (0 to 1), each (n,
        3); by name."""
        x = np.asarray(x)[:, None]
        h = LENGTH
        f = {n: q[:, k] for k, n in enumerate(self.fields)}
        if "slope" in f:  # Hermite; slope unknowns are derivatives by x
            r, s = f["r"], f["slope"]
            shapes = [(1 - 3 * x**2 + 2 * x**3, -6 * x + 6 * x**2, -6 + 12 * x),
                      (x - 2 * x**2 + x**3, 1 - 4 * x + 3 * x**2, -4 + 6 * x),
                      (3 * x**2 - 2 * x**3, 6 * x - 6 * x**2, 6 - 12 * x),
                      (x**3 - x**2, 3 * x**2 - 2 * x, 6 * x - 2)]  # fmt: skip
            values = [r[0], s[0], r[1], s[1]]
            line = [sum(z[k] * v for z, v in zip(shapes, values, strict=True)) for k in range(3)]
            result = {"r": line[0], "t": line[1] / h, "n": line[2] / h**2}
            for d in ("d2", "d3"):
                if d in f:
                    result[d] = (1 - x) * f[d][0] + x * f[d][1]
                    result["t" + d[1]] = 0 * x + (f[d][1] - f[d][0]) / h
            return result
        shapes = [(1 - x) * (1 - 2 * x), 4 * x * (1 - x), x * (2 * x - 1)]
        rates = [4 * x - 3, 4 - 8 * x, 4 * x - 1]
        result = {}
        for n, name in (("r", "t"), ("d2", "t2"), ("d3", "t3")):
            result[n] = sum(z * v for z, v in zip(shapes, f[n], strict=True))
            result[name] = sum(z * v for z, v in zip(rates, f[n], strict=True)) / h
        return result


def dot(a, b):
    return np.sum(a * b, axis=-1)


def size_of(a):
    return np.sqrt(dot(a, a))


def across_section(count=4):
    """Points of the rectangle with their areas."""
    y, w = np.polynomial.legendre.leggauss(count)
    Y, Z = np.meshgrid(y * B / 2, y * H / 2, indexing="ij")
    return Y.ravel(), Z.ravel(), np.outer(w, w).ravel() * B * H / 4


def green_tensor(at, y, z):
    """Green's strain of the fibre as a tensor (n, 3, 3)."""
    F = np.stack([at["t"] + y * at["t2"] + z * at["t3"], at["d2"], at["d3"]], axis=-1)
    return (np.swapaxes(F, 1, 2) @ F - np.eye(3)) / 2


def biot_tensor(at, y, z):
    """Stretch along the section's normal, shear, curvatures with unit directors."""
    n = np.cross(at["d2"], at["d3"])
    n = n / size_of(n)[:, None]
    l2, l3 = size_of(at["d2"]), size_of(at["d3"])
    u2, u3 = at["d2"] / l2[:, None], at["d3"] / l3[:, None]
    e = np.zeros((len(n), 3, 3))
    e[:, 0, 0] = dot(at["t"], n) - 1 + y * dot(at["t2"], n) / l2 + z * dot(at["t3"], n) / l3
    e[:, 0, 1] = (dot(at["t"], u2) + y * dot(at["t2"], at["d2"]) + z * dot(at["t3"], u2) / l3) / 2
    e[:, 0, 2] = (dot(at["t"], u3) + y * dot(at["t2"], u3) / l2 + z * dot(at["t3"], at["d3"])) / 2
    e[:, 1, 1], e[:, 2, 2] = (dot(at[d], at[d]) / 2 - 0.5 for d in ("d2", "d3"))
    e[:, 1, 2] = dot(at["d2"], at["d3"]) / 2
    return e + np.triu(e, 1).swapaxes(1, 2)


def whole(e):
    """St. Venant-Kirchhoff's quadratic form."""
    return LAM / 2 * np.trace(e, axis1=1, axis2=2) ** 2 + MU * np.sum(e * e, axis=(1, 2))


def split(tensor, at, y, z, shear, torsion):
    """Hooke's law without Poisson's effect but on the axis; shear on the axis and off it have
    factors of their own."""
    e, axis = tensor(at, y, z), tensor(at, 0, 0)
    normals = sum(e[:, k, k] ** 2 for k in range(3))
    off = e - axis
    sheared = shear[0] * axis[:, 0, 1] ** 2 + shear[1] * axis[:, 0, 2] ** 2
    sheared = sheared + torsion * (off[:, 0, 1] ** 2 + off[:, 0, 2] ** 2) + e[:, 1, 2] ** 2
    poisson = whole(axis * np.eye(3)) - E / 2 * sum(axis[:, k, k] ** 2 for k in range(3))
    return E / 2 * normals + 2 * MU * sheared + poisson


SHEAR, TORSION = (0.8, 0.7), 0.6 * (B**3 * H + B * H**3) / 12
LAWS = {
    "biot": ({"shear": SHEAR, "torsion_constant": TORSION}, biot_tensor, True),
    "green": ({"shear": SHEAR, "torsion_constant": TORSION, "strain": "green"}, green_tensor, True),
    "full": ({"poisson": "full"}, green_tensor, False),
}


def energy_of(element, q, points, tensor, is_split):
    """Strain energy of a beam with directors."""
    x, w = gauss(points, 1.0)
    at, total = element.lines(q, x), 0.0
    for y, z, area in zip(*across_section(), strict=True):
        density = split(tensor, at, y, z, SHEAR, 0.6) if is_split else whole(tensor(at, y, z))
        total += area * LENGTH * w @ density
    return total


def kinetic(element, v):
    """Kinetic energy of the rates v."""
    x, w = gauss(5)
    at, total = element.lines(v, x), 0.0
    for y, z, area in zip(*across_section(), strict=True):
        speed = at["r"] + y * at["d2"] + z * at["d3"]
        total += RHO * area * LENGTH / 2 * w @ dot(speed, speed)
    return total


def potential(element, q, area=B * H):
    """Of weight and dead load."""
    x, w = gauss(5)
    return -LENGTH * w @ (element.lines(q, x)["r"] @ (RHO * area * GRAVITY + LOAD))
