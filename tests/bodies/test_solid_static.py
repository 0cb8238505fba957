"""Solids at rest: closed forms of large uniaxial stretch, pressure, thick rings, bent blocks; order
of convergence."""

from dataclasses import dataclass

import basix.ufl
import numpy as np
import pytest
import ufl
from scipy.optimize import fsolve

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.core.component import Cell
from fem_clearance.core.kind import Kind
from fem_clearance.core.observables import Observable
from fem_clearance.diagnostics import tangent_errors
from fem_clearance.meshes import cells as reference
from fem_clearance.runs.statics import Statics


def plane_or_space(cell, counts, degree=1):
    """A unit block (1 m thick where plane)."""
    d = 2 if cell in ("triangle", "quadrilateral") else 3
    mesh = meshes.block((1,) * d, counts[:d], center=(0.5,) * d + (0,) * (3 - d), degree=degree)
    return meshes.simplices(mesh) if cell in ("triangle", "tetrahedron") else mesh


# --- uniaxial stretch -----------------------------------------------------------------------------
@dataclass(frozen=True)
class MooneyRivlin(fc.Material):
    """A user's law: c1 (I1 - 3) + c2 (I2 - 3) - 2 (c1 + 2 c2) ln J + k/2 (ln J)^2."""

    c1: float
    c2: float
    k: float
    parameters = ("c1", "c2", "k")

    @staticmethod
    def energy(F, p):
        C = F.T * F
        I1, I2, log = ufl.tr(C), (ufl.tr(C) ** 2 - ufl.tr(C * C)) / 2, ufl.ln(ufl.det(F))
        return p.c1 * (I1 - 3) + p.c2 * (I2 - 3) - 2 * (p.c1 + 2 * p.c2) * log + p.k / 2 * log**2


MATERIALS = [
    fc.NeoHookean(E=1e6, nu=0.3, rho=1000),
    fc.StVenantKirchhoff(E=1e6, nu=0.3, rho=1000),
    MooneyRivlin(rho=1000, c1=1.5e5, c2=5e4, k=6e5),
]


def principal_stress(material, stretches):
    """Derivatives of the energy by the principal stretches, Pa (by hand)."""
    s = np.asarray(stretches, float)
    log = np.log(s.prod())
    if isinstance(material, fc.NeoHookean):
        return material.mu * (s - 1 / s) + material.lam * log / s
    if isinstance(material, fc.StVenantKirchhoff):
        E = (s**2 - 1) / 2
        return s * (material.lam * E.sum() + 2 * material.mu * E)
    others = (s**2).sum() - s**2
    return (
        2 * material.c1 * s
        + 2 * material.c2 * s * others
        + (material.k * log - 2 * (material.c1 + 2 * material.c2)) / s
    )


def uniaxial(material, stress, state):
    """Stretches along, sideways and (plane) across under a stress per undeformed area."""
    if state == "plane_strain":
        x, y = fsolve(
            lambda s: principal_stress(material, [s[0], s[1], 1])[:2] - [stress, 0], [1.1, 0.95],
            xtol=1e-13,
        )  # fmt: skip
        return x, y, 1.0
    x, y = fsolve(
        lambda s: principal_stress(material, [s[0], s[1], s[1]])[:2] - [stress, 0], [1.1, 0.95],
        xtol=1e-13,
    )  # fmt: skip
    return x, y, y


@pytest.mark.parametrize("material", MATERIALS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize(
    ("cell", "state"),
    [
        ("triangle", "plane_stress"), ("quadrilateral", "plane_stress"),
        ("quadrilateral", "plane_strain"), ("tetrahedron", None), ("hexahedron", None),
    ],
)  # fmt: skip
def test_uniaxial_stretch(cell, state, degree, material):
    """A bar of large stretch, two or three sides on rollers: closed forms by the derivatives of the
    energy by the principal stretches; plane stress is what happens in space."""
    stress = 4e5
    mesh = plane_or_space(cell, (2, 1, 1), degree)
    system = fc.System(gravity=(0, 0, 0))
    rollers = {f"{x}0": x for x in "xyz"[: mesh.dimension]}
    bar = system.add(
        fc.Solid(mesh, material, degree=mesh.degree, state=state, clamped=rollers, name="bar")
    )
    system.add(fc.Traction(bar.facets("x1"), (stress, 0, 0), name="pull"))
    system.add(fc.Probe(bar.at((1, 1, 1 if state is None else 0)), name="corner"))
    results = Statics(system, steps=4).solve()
    x, y, z = uniaxial(material, stress, state)
    assert x > 1.2
    found = [system.channels[f"corner.{k}"] for k in "xyz"[: mesh.dimension]]
    assert found == pytest.approx([x, y, z][: mesh.dimension], rel=1e-8)
    if state == "plane_stress":
        across = 1 + system.state.q[: system.state.size][system.blocks[-1].numbers]
        assert across == pytest.approx(z, rel=1e-8)
    assert system.channels["pull.x"] == pytest.approx(stress, rel=1e-12)
    assert system.channels["energy.potential"] == pytest.approx(-stress * x, rel=1e-8)
    assert results.summary["newton_iterations"] < 40


# --- pressure -------------------------------------------------------------------------------------
@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("cell", ["triangle", "quadrilateral", "tetrahedron", "hexahedron"])
def test_pressure_all_round(cell, degree):
    """Under a large pressure on all sides a block shrinks evenly: dW/ds = -p s^(d-1), with the
    present area under the pressure; without it, on the undeformed area, dW/ds = -p."""
    material, p = MATERIALS[0], 8e5
    mesh = plane_or_space(cell, (2, 2, 2), degree)
    d = mesh.dimension
    for follower in (True, False):
        system = fc.System(gravity=(0, 0, 0))
        rollers = {f"{x}0": x for x in "xyz"[:d]}
        state = "plane_strain" if d == 2 else None
        block = system.add(
            fc.Solid(mesh, material, degree=mesh.degree, state=state, clamped=rollers, name="block")
        )
        for x in "xyz"[:d]:
            system.add(fc.Pressure(block.facets(f"{x}1"), p, follower=follower, name=f"p{x}"))
        system.add(fc.Probe(block.at((1, 1, 1 if d == 3 else 0)), name="corner"))
        Statics(system, steps=2).solve()
        exact = fsolve(
            lambda s, power=(d - 1) * follower: (
                principal_stress(material, [s[0]] * d + [1] * (3 - d))[0] + p * s[0] ** power
            ),
            [0.8], xtol=1e-13,
        )[0]  # fmt: skip
        assert exact < 0.85
        found = [system.channels[f"corner.{k}"] for k in "xyz"[:d]]
        assert found == pytest.approx([exact] * d, rel=1e-8)
        assert ("energy.potential" in system.channels.names) and max(
            tangent_errors(system.state, step=1e-5).values()
        ) < 1e-6


@pytest.mark.parametrize("cell", ["quadrilateral", "hexahedron"])
def test_pressure_on_a_closed_surface(cell):
    """However a closed surface is deformed, a pressure on it has no resultant, and its power is p
    times the rate at which the volume shrinks (divergence theorem)."""
    mesh = plane_or_space(cell, (2, 2, 2), 2)
    d = mesh.dimension
    system = fc.System(gravity=(0, 0, 0))
    state = "plane_strain" if d == 2 else None
    block = system.add(
        fc.Solid(mesh, MATERIALS[0], degree=mesh.degree, state=state, free=True, name="block")
    )
    for name in mesh.facets:
        system.add(fc.Pressure(block.facets(name), 1.0, name=f"p{name}"))
    system.add(fc.SolidProbe(block, name="whole"))
    s = system.state
    random = np.random.default_rng(2)
    numbers = block.displacement(np.arange(len(block.nodes))[:, None]).numbers
    u, v = random.uniform(-0.1, 0.1, (2, *numbers.shape))

    def volume(moment):
        x = block.nodes.copy()
        x[:, :d] += u + moment * v
        points, weights = reference.quadrature(mesh.cell, 6)
        slopes = reference.shape_functions(mesh.cell, 2, points)[1:]
        jacobians = np.einsum("dpn,mnx->mpxd", slopes, x[block.cells][..., :d])
        return float((np.linalg.det(jacobians) * weights).sum())

    s.q[numbers], s.v[numbers] = u, v
    system.channels.read()
    names = [f"p{n}" for n in mesh.facets]
    for axis in "xyz"[:d]:
        assert abs(sum(system.channels[f"{n}.{axis}"] for n in names)) < 1e-12
    power = sum(system.channels[f"{n}.power"] for n in names)
    rate = (volume(1e-4) - volume(-1e-4)) / 2e-4
    assert power == pytest.approx(-rate, rel=1e-6)


@pytest.mark.parametrize(
    ("kind", "round_", "through", "error"),
    [("hex", 32, 4, 1e-5), ("hex", 64, 6, 2e-6), ("tri", 32, 4, 5e-5)],
)
def test_hollow_cylinder(kind, round_, through, error):
    """Bore pressure p, rim fixed, plane strain, a = 15, b = 25 mm, nu = 0.3: Lame's displacement of
    the bore, u = p a / E (1 + nu) (1 - 2 nu) (b^2 - a^2) / (a^2 + (1 - 2 nu) b^2) -> 0.437895 p a/E
    (u = A r + B / r with u(b) = 0)."""
    a, b, nu, E, p = 0.015, 0.025, 0.3, 2e11, 1e3
    exact = (1 + nu) * (1 - 2 * nu) * (b**2 - a**2) / ((1 - 2 * nu) * b**2 + a**2)
    assert exact == pytest.approx(0.437895, abs=5e-7)
    mesh = meshes.hollow_cylinder(a, b, 0.01, (round_, through), degree=2, grading=1.6)
    mesh = meshes.simplices(mesh) if kind == "tri" else mesh
    for follower in (True, False):
        system = fc.System(gravity=(0, 0, 0))
        ring = system.add(
            fc.Solid(
                mesh, fc.StVenantKirchhoff(E=E, nu=nu, rho=7800),
                degree=mesh.degree, state="plane_strain",
                clamped="rim", name="ring",
            )
        )  # fmt: skip
        system.add(fc.Pressure(ring.facets("bore"), p, follower=follower, name="oil"))
        Statics(system, steps=1).solve()
        bore = ring.facets("bore").nodes
        u = system.state.q[ring.displacement(bore[:, None]).numbers]
        radial = np.einsum("kx,kx->k", u, ring.nodes[bore, :2]) / a
        assert radial / (p * a / E) == pytest.approx(exact, rel=error)


def test_hollow_cylinder_in_space():
    """The same with hexahedra between rollers at both ends; the bore yields by 3e-9 m."""
    a, b, E, p = 0.015, 0.025, 2e11, 1e5
    mesh = meshes.hollow_cylinder(a, b, 0.005, (32, 1, 4), degree=2, grading=1.6)
    system = fc.System(gravity=(0, 0, 0))
    ring = system.add(
        fc.Solid(
            mesh, fc.StVenantKirchhoff(E=E, nu=0.3, rho=7800), degree=mesh.degree,
            clamped={"rim": "xy", "z0": "z", "z1": "z"}, name="ring",
        )
    )  # fmt: skip
    system.add(fc.Pressure(ring.facets("bore"), p, name="oil"))
    system.add(fc.Probe(ring.at((a, 0, 0)), name="bore"))
    Statics(system, steps=1).solve()
    assert (system.channels["bore.x"] - a) / (p * a / E) == pytest.approx(0.437895, rel=1e-5)


# --- bending --------------------------------------------------------------------------------------
@pytest.mark.parametrize("model", ["quadratic", "ancf"])
def test_large_bending_like_a_beam(model):
    """The same load on this package's beams of shear-flexible sections and on a plane solid: tips
    within 1e-3 L (nu = 0: beams know nothing of the contraction at a clamp)."""
    L, h, E = 2.0, 0.1, 2.07e11
    steel, force = fc.StVenantKirchhoff(E=E, nu=0.0, rho=7800), 3 * E * h**4 / 12 / L**2
    system = fc.System(gravity=(0, 0, 0))
    mesh = meshes.block((L, h), (20, 2), center=(L / 2, 0, 0), degree=2)
    arm = system.add(
        fc.Solid(
            mesh,
            steel,
            degree=mesh.degree,
            state="plane_stress",
            thickness=h,
            clamped="x0",
            name="arm",
        )
    )
    system.add(fc.Traction(arm.facets("x1"), (0, -force / h**2, 0), name="load"))
    system.add(fc.Probe(arm.at((L, 0, 0)), name="solid"))
    count = {"quadratic": 16, "ancf": 64}[model]
    beam = system.add(
        fc.Beam((0, 0, 0), (L, 0, 0), fc.Rectangle(h, h), steel, elements=count, model=model,
                name="beam")
    )  # fmt: skip
    system.add(fc.FixedJoint(system.ground, beam.start, name="clamp"))
    system.add(fc.Force(beam.end, (0, -force, 0), name="push"))
    system.add(fc.Probe(beam.end, name="beam_end"))
    Statics(system, steps=8).solve()
    tips = [[system.channels[f"{n}.{k}"] for k in "xy"] for n in ("solid", "beam_end")]
    print(model, tips)
    assert tips[0] == pytest.approx(tips[1], abs=1e-3 * L)


# --- order of convergence -------------------------------------------------------------------------
def bump(x, d, amplitude):
    """A displacement that vanishes on the surface of the unit square or cube."""
    pi = np.pi
    s = [ufl.sin(pi * x[k]) for k in range(d)]
    product = s[0] * s[1] * (s[2] if d == 3 else 1)
    return [amplitude * product, amplitude / 2 * product * ufl.sin(2 * pi * x[0])] + (
        [-amplitude / 2 * product] if d == 3 else []
    )


@dataclass(frozen=True)
class Manufactured(Kind):
    """The body force under which ``bump`` is the equilibrium, -Div P; the error's square."""

    cell: str = "quadrilateral"
    order: int = 1
    geometry_degree: int = 1
    parameters = {"load": (), "lam": (), "mu": ()}

    def element(self, cell):
        d = {"t": 2, "q": 2}.get(self.cell[0], 3) if self.cell != "tetrahedron" else 3
        return basix.ufl.element("Lagrange", cell, self.order, shape=(d,))

    def exact(self, c):
        d = c.element.reference_value_shape[0]
        return ufl.as_vector(bump(c.x, d, 0.12)), d

    def residual(self, c):
        u, d = self.exact(c)
        G = ufl.grad(u)
        F = ufl.Identity(3) + ufl.as_tensor(
            [[G[i, j] if max(i, j) < d else 0 for j in range(3)] for i in range(3)]
        )
        inverse, log = ufl.inv(F).T, ufl.ln(ufl.det(F))
        P = c.par("mu") * (F - inverse) + c.par("lam") * log * inverse
        force = [-sum(P[i, j].dx(j) for j in range(d)) for i in range(d)]
        return -c.par("load") * ufl.dot(ufl.as_vector(force), c.test) * c.dx(2 * self.order + 4)

    def observables(self, c):
        gap = c.q - self.exact(c)[0]
        return {"square": Observable({2 * self.order + 4: ufl.dot(gap, gap)}, "m^5", "error")}


class Error:
    """An item that is but cells: they measure the error."""

    name, prefix = "error", "error"

    def __init__(self, kind, cells):
        self.kind, self.cells = kind, cells

    def build(self, builder):
        builder.add_cell(self.kind, self.cells)


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize(
    ("cell", "sizes"),
    [
        ("triangle", (8, 16)), ("quadrilateral", (8, 16)),
        pytest.param("tetrahedron", (4, 8), marks=pytest.mark.slow),
        pytest.param("hexahedron", (4, 8), marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_order(cell, sizes, degree):
    """Order degree + 1 in L2 for a manufactured solution with strains of some 40 %, on meshes bent
    smoothly."""
    errors = []
    for n in np.array(sizes) * (3 - degree):  # a coarse mesh of degree 1 does not resolve the sines
        mesh = plane_or_space(cell, (n, n, n))
        d = mesh.dimension
        x = mesh.points.copy()
        x[:, 0] += 0.05 * np.sin(np.pi * x[:, 0]) * np.sin(2 * np.pi * x[:, 1])
        x[:, 1] += 0.05 * np.sin(np.pi * x[:, 1]) * np.sin(2 * np.pi * x[:, 0])
        mesh = meshes.Mesh(cell, x, mesh.cells, mesh.facets)
        system = fc.System(gravity=(0, 0, 0))
        state = "plane_strain" if d == 2 else None
        material = MATERIALS[0]
        solid = system.add(
            fc.Solid(mesh, material, degree=degree, state=state, clamped=[*mesh.facets], name="s")
        )
        kind = Manufactured(cell, degree)
        own = kind.pack(load=1.0, lam=material.lam, mu=material.mu)
        geometry = mesh.points[mesh.cells]
        refs = [solid.displacement(solid.cells)]
        cells = Cell("error", refs, own, geometry=geometry, count=len(mesh.cells))
        system.add(Error(kind, cells))
        Statics(system, steps=2).solve()
        errors.append(system.channels["error.square"] ** 0.5)
    order = np.log2(errors[0] / errors[1])
    print(cell, degree, errors, order)
    assert order == pytest.approx(degree + 1, abs=0.2)
