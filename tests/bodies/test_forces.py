"""Forces of bodies: rows of the residual against differences of an energy written in NumPy.

Beams: their strains in NumPy from nodal values by the element's shape functions, at the points of
its quadrature. Inertia and loads likewise: a form's row is the derivative of a number."""

import numpy as np
import pytest

import fem_clearance as fc

from ..forces import Bench, residuals_only

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


# --- rigid bodies -------------------------------------------------------------------------------
def test_rigid_body():
    """Newton and Euler: m (a - g), and J alpha + omega x J omega as the moment of the rows."""
    found = Bench()
    found.system.gravity = GRAVITY
    found.assemble()
    found.state.globals[3:6] = GRAVITY
    found.move(found.a, (0.1, 0.2, -0.3), (0.2, 0.1, -0.5), (1, 2, 3), (0.7, -1.1, 0.4))
    r, axes, v, w = found.pose(found.a)
    a, alpha, at = np.array([0.3, -0.4, 0.9]), np.array([2.0, 1.0, -3.0]), found.numbers(found.a)
    d = axes.T
    rates = np.cross(alpha, d) + np.cross(w, np.cross(w, d))
    found.state.a[at] = np.r_[a, rates.ravel()]
    force, moment = found.wrench(found.a, r)
    J = axes @ found.a.inertia @ axes.T
    np.testing.assert_allclose(-force, 1.3 * (a - GRAVITY))
    np.testing.assert_allclose(-moment, J @ alpha + np.cross(w, J @ w))
    see = found.channels
    other, _, v_b, w_b = found.pose(found.b)
    kinetic = 1.3 / 2 * v @ v + w @ J @ w / 2
    assert (v_b @ v_b, w_b @ w_b) == (0, 0)
    assert see["energy.kinetic"] == pytest.approx(kinetic)
    assert see["energy.potential"] == pytest.approx(-1.3 * GRAVITY @ (r + other))
    assert (see["a.x"], see["a.vz"]) == pytest.approx((r[0], v[2]))


def test_orthonormality():
    """Rows of the six products of directors, and what their multipliers do to them."""
    found = Bench()
    state = found.assemble()
    at, lam = found.numbers(found.a), found.block("a.orthonormality")
    d = state.q[at[3:]].reshape(3, 3) + [[0.1, 0, 0.2], [0, -0.1, 0.1], [0.3, 0, 0]]
    state.q[at[3:]] = d.ravel()
    pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)]

    def products(d):
        return np.array([d[i] @ d[j] - (i == j) for i, j in pairs])

    np.testing.assert_allclose(state.residual()[lam], products(d))
    values = np.array([1.0, -2, 3, 4, -5, 6])
    state.q[lam] = values
    work = slopes(lambda x: values @ products(x), d)
    np.testing.assert_allclose(state.residual()[at[3:]].reshape(3, 3), work, atol=1e-8)


# --- beams --------------------------------------------------------------------------------------
class Element:
    """One element of a beam with disturbed nodal values, rates and accelerations."""

    def __init__(self, beam, seed=4, size=0.08):
        self.system = fc.System(gravity=GRAVITY)
        self.beam = self.system.add(beam)
        with residuals_only():
            self.state = self.system.assemble()
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


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("model", "points"), [("quadratic", 2), ("ancf", 4)])
def test_beam_with_directors(model, points, law):
    """Elastic forces, inertia, weight and load; energies and their rates."""
    options, tensor, is_split = LAWS[law]
    element = Element(
        fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.Rectangle(B, H), STEEL, 1, model=model, load=LOAD,
                name="b", free=True, damping=0.0, **options)
    )  # fmt: skip
    elastic = slopes(lambda q: energy_of(element, q, points, tensor, is_split), element.q)
    weight = slopes(lambda q: potential(element, q), element.q)
    size = np.abs(elastic).max()
    assert np.abs(weight).max() > 1e-4 * size
    np.testing.assert_allclose(element.rows, elastic + weight, atol=2e-7 * size)
    still = element.rows.copy()
    element.state.a[element.at] = element.a
    inertia = slopes(lambda a: kinetic(element, a), element.a)
    np.testing.assert_allclose(element.rows - still, inertia, atol=2e-7 * np.abs(inertia).max())
    element.system.channels.read()
    see = element.system.channels
    assert see["b.strain_energy"] == pytest.approx(
        energy_of(element, element.q, points, tensor, is_split)
    )
    assert see["energy.kinetic"] == pytest.approx(kinetic(element, element.v))
    assert see["energy.potential"] == pytest.approx(potential(element, element.q))


@pytest.mark.parametrize("law", LAWS)
def test_damping_of_a_beam_with_directors(law):
    """Retardation time x derivative by the rates of the law's form of the rates of strain."""
    options, tensor, is_split = LAWS[law]
    element = Element(
        fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.Rectangle(B, H), STEEL, 1, name="b", free=True,
                damping=0.02, **options)
    )  # fmt: skip
    h = 1e-5

    def dissipation(v):
        x, w = gauss(2)
        ends = [element.lines(element.q + k * h * v, x) for k in (1, -1)]
        total = 0.0
        for y, z, area in zip(*across_section(), strict=True):

            def rate(at, y, z):
                return (tensor(ends[0], y, z) - tensor(ends[1], y, z)) / (2 * h)

            one = split(rate, None, y, z, SHEAR, 0.6) if is_split else whole(rate(None, y, z))
            total += area * LENGTH * 0.02 * w @ one
        return total

    moving = element.rows.copy()
    element.state.v[element.at] = 0.0
    wanted = slopes(dissipation, element.v, 1e-3)
    np.testing.assert_allclose(moving - element.rows, wanted, atol=1e-6 * np.abs(wanted).max())
    element.state.v[element.at] = element.v
    element.system.channels.read()
    lost = element.system.channels["b.damping_power"]
    assert lost == pytest.approx(2 * dissipation(element.v), rel=1e-6)


def cable_energy(element, q):
    """Stretch (4 Gauss points) and turn per reference length (2)."""
    total = 0.0
    for points, stiffness, bends in ((4, E * B * B, False), (2, E * B**4 / 12, True)):
        x, w = gauss(points)
        at = element.lines(q, x)
        strain = size_of(at["t"]) - 1
        if bends:
            strain = size_of(np.cross(at["t"], at["n"])) / dot(at["t"], at["t"])
        total += LENGTH * stiffness / 2 * w @ strain**2
    return total


def test_cable():
    """EA (abs(r') - 1)^2 / 2 + EI (abs(r' x r'') / abs(r')^2)^2 / 2; inertia, loads, damping."""
    element = Element(
        fc.Beam((0, 0, 0), (LENGTH, 0, 0), fc.Rectangle(B, B), STEEL, 1, model="cable", load=LOAD,
                name="b", free=True, damping=0.02)
    )  # fmt: skip
    element.state.v[element.at] = 0.0
    elastic = slopes(lambda q: cable_energy(element, q), element.q)
    weight = slopes(lambda q: potential(element, q, B * B), element.q)
    size = np.abs(elastic).max()
    still = element.rows.copy()
    np.testing.assert_allclose(still, elastic + weight, atol=2e-7 * size)
    element.state.a[element.at] = element.a

    def moving(v):
        x, w = gauss(5)
        speed = element.lines(v, x)["r"]
        return RHO * B * B * LENGTH / 2 * w @ dot(speed, speed)

    inertia = slopes(moving, element.a)
    np.testing.assert_allclose(element.rows - still, inertia, atol=2e-7 * np.abs(inertia).max())
    element.state.a[element.at] = 0.0
    element.state.v[element.at] = element.v
    h = 1e-5

    def dissipation(v):
        total = 0.0
        for points, stiffness, bends in ((4, E * B * B, False), (2, E * B**4 / 12, True)):
            x, w = gauss(points)
            now, *ends = (element.lines(element.q + k * h * v, x) for k in (0, 1, -1))
            if not bends:
                rate = (size_of(ends[0]["t"]) - size_of(ends[1]["t"])) / (2 * h)
                total += LENGTH * 0.02 * stiffness / 2 * w @ rate**2
                continue
            bend = [np.cross(z["t"], z["n"]) / dot(z["t"], z["t"])[:, None]
                    for z in (now, *ends)]  # fmt: skip
            spin = np.cross(now["t"], (ends[0]["t"] - ends[1]["t"]) / (2 * h))
            spin = spin / dot(now["t"], now["t"])[:, None]
            # seen from axes that turn with the tangent, without spin about it
            rate = (bend[1] - bend[2]) / (2 * h) - np.cross(spin, bend[0])
            total += LENGTH * 0.02 * stiffness / 2 * w @ dot(rate, rate)
        return total

    wanted = slopes(dissipation, element.v, 1e-3)
    np.testing.assert_allclose(element.rows - still, wanted, atol=1e-6 * np.abs(wanted).max())
    element.system.channels.read()
    see = element.system.channels
    assert see["b.strain_energy"] == pytest.approx(cable_energy(element, element.q))
    assert see["b.damping_power"] == pytest.approx(2 * dissipation(element.v), rel=1e-6)


def test_curved_cable():
    """Strains are differences to the arc's: stretch over the stretch at rest, curvature vectors by
    the length at rest."""
    line = fc.Spline([(0, 0, 0), (0.2, 0.03, 0), (0.4, 0.02, 0), (0.6, -0.05, 0)])
    element = Element(
        fc.Beam.along(line, fc.Rectangle(B, B), STEEL, 1, model="cable", name="b", free=True)
    )
    length = element.beam.length

    def energy(q):
        total = 0.0
        for points, stiffness, bends in ((4, E * B * B, False), (2, E * B**4 / 12, True)):
            x, w = gauss(points)
            now, rest = element.lines(q, x), element.lines(element.rest, x)
            measure = size_of(rest["t"])
            strain = size_of(now["t"]) / measure - 1
            square = strain**2
            if bends:
                bend = [np.cross(z["t"], z["n"]) / dot(z["t"], z["t"])[:, None]
                        for z in (now, rest)]  # fmt: skip
                change = (bend[0] - bend[1]) / measure[:, None]
                square = dot(change, change)
            total += LENGTH * stiffness / 2 * w @ (measure * square)
        return total

    assert abs(length - LENGTH) > 1e-3
    weight = element.rows.copy()
    element.state.globals[3:6] = 0.0
    elastic = slopes(energy, element.q)
    np.testing.assert_allclose(element.rows, elastic, atol=2e-7 * np.abs(elastic).max())

    def potential(q):
        x, w = gauss(5)
        measure = size_of(element.lines(element.rest, x)["t"])
        return -LENGTH * RHO * B * B * w @ (measure * (element.lines(q, x)["r"] @ GRAVITY))

    heavy = slopes(potential, element.q)
    np.testing.assert_allclose(weight - element.rows, heavy, atol=1e-5 * np.abs(heavy).max())


@pytest.mark.parametrize("law", ["biot", "green", "neo-hookean"])
def test_beam_curved_at_rest(law):
    """By fibres: of a law in space, that of F = (derivatives now) (derivatives at rest)^-1 over the
    volume at rest; of the split law, strains are differences to those at rest by its length."""
    material = fc.NeoHookean(E=E, nu=0.3, rho=RHO) if law == "neo-hookean" else STEEL
    options = {"green": {"poisson": "full"}}.get(law, {})
    if law == "biot":
        options = {"shear": SHEAR, "torsion_constant": TORSION}
    line = fc.Spline([(0, 0, 0), (0.2, 0.03, 0.01), (0.4, 0.02, 0), (0.6, -0.05, -0.02)])
    element = Element(
        fc.Beam.along(line, fc.Rectangle(B, H), material, 1, name="b", free=True, **options)
    )
    x, w = gauss(2)
    rest = element.lines(element.rest, x)
    points, weights = fc.Rectangle(B, H).quadrature(4)

    def energy(q):
        now, total = element.lines(q, x), 0.0
        for (y, z), area in zip(points, weights, strict=True):
            F, F0 = (
                np.stack([at["t"] + y * at["t2"] + z * at["t3"], at["d2"], at["d3"]], axis=-1)
                for at in (now, rest)
            )
            volume = np.linalg.det(F0)
            if law == "biot":
                n0 = np.cross(rest["d2"], rest["d3"])
                n0 = n0 / size_of(n0)[:, None]
                g = dot(F0[:, :, 0], n0)

                def change(at, y, z, g=g, n0=n0):
                    e = biot_tensor(now, y, z) - biot_tensor(rest, y, z)
                    along = g if (y, z) != (0, 0) else dot(rest["t"], n0)
                    e[:, 0, :] /= along[:, None]
                    e[:, 1:, 0] /= along[:, None]
                    return e

                density = split(change, None, y, z, SHEAR, 0.6)
            else:
                G = F @ np.linalg.inv(F0)
                C = np.swapaxes(G, 1, 2) @ G
                J = np.linalg.det(G)
                density = whole((C - np.eye(3)) / 2)
                if law == "neo-hookean":
                    density = MU / 2 * (np.trace(C, axis1=1, axis2=2) - 3) - MU * np.log(J)
                    density = density + LAM / 2 * np.log(J) ** 2
            total += area * LENGTH * w @ (volume * density)
        return total

    element.state.globals[3:6] = 0.0
    elastic = slopes(energy, element.q)
    np.testing.assert_allclose(element.rows, elastic, atol=3e-7 * np.abs(elastic).max())
    element.system.channels.read()
    assert element.system.channels["b.strain_energy"] == pytest.approx(energy(element.q))
    # weight and inertia: places of the fibres
    element.state.globals[3:6] = GRAVITY
    element.state.a[element.at] = element.a
    fine, wf = gauss(4)
    at_rest = element.lines(element.rest, fine)

    def work(a, q):
        total = 0.0
        for (y, z), area in zip(points, weights, strict=True):
            F0 = np.stack([at_rest["t"] + y * at_rest["t2"] + z * at_rest["t3"], at_rest["d2"],
                           at_rest["d3"]], axis=-1)  # fmt: skip
            mass = RHO * area * LENGTH * wf * np.linalg.det(F0)
            at = [element.lines(z, fine) for z in (a, q)]
            speed, place = (k["r"] + y * k["d2"] + z * k["d3"] for k in at)
            total += mass @ (dot(speed, speed) / 2)
            total -= mass @ (place @ GRAVITY)
        return total

    whole_rows = slopes(lambda a: work(a, element.q), element.a)
    whole_rows += slopes(lambda q: work(element.a, q), element.q)
    size = np.abs(whole_rows).max()
    np.testing.assert_allclose(element.rows - elastic, whole_rows, atol=1e-4 * size)
