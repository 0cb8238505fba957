"""Films with a given pressure and motion, and integrals over the exact bore in NumPy.

No film is solved: nodes get a smooth pressure, the port gets a motion, and what the residual makes
of both is held against integrals of stresses. Cells are fine enough for 3e-3."""

import numpy as np

import fem_clearance as fc
from fem_clearance.lubrication import Film, Full, Lubricant, cylinder
from fem_clearance.lubrication.bearings.bearing import HeldFilm

from ..forces import residuals_only

R, L, C, MU = 15e-3, 9e-3, 2e-5, 0.04
TIME_STEP = 1e-4
E, T = np.array([0.35 * C, -0.2 * C, 0.1 * L]), np.array([0.3, -0.4]) * C / L
V, OMEGA = np.array([4e-3, 6e-3, 0.9]), np.array([0.8, -1.1, 100.0])
UNIT = MU * R * 100 * R / C**2


def bore(cavitation=None, lubricant=None, **more):
    surface = cylinder(R, L, (96, 24))
    return Film(surface, C, lubricant or Lubricant(MU), cavitation or Full(), {"z0": 0.0},
                sliding_speed=100 * R, **more)  # fmt: skip


class Held:
    """A film whose port is held at a motion; ``rows`` of its residual."""

    def __init__(self, film, e=E, t=T, V=V, Omega=OMEGA, pressure=None, other=None):
        self.system = fc.System(gravity=(0, 0, 0))
        self.item = self.system.add(HeldFilm(film, name="film"))
        with residuals_only():
            self.state = self.system.state
        self.film, self.places = film, film.surface.nodes
        self.port = np.concatenate([self.at(b) for b in self.item.port])
        self.state.q[self.port] = np.r_[e, t, V, Omega]
        self.pressure, other_block = self.at(self.item.pressure), self.item.complement
        self.other = self.at(other_block) if other_block else None
        if pressure is not None:
            self.state.q[self.pressure] = pressure(self.places)
        if other is not None:
            self.state.q[self.other] = other(self.places)
        self.state.q_n[:] = self.state.q

    def at(self, block):
        return self.state.locate(block.numbers)

    @property
    def rows(self):
        return self.state.residual()

    @property
    def force(self):
        """Force and moment on the journal."""
        return -self.rows[self.port[5:]]

    def channel(self, name):
        self.system.channels.read()
        return self.system.channels[f"film.{name}"]


def smooth(x):
    """A pressure of both signs whose gradient acts all round."""
    phi, z = np.arctan2(x[:, 1], x[:, 0]), x[:, 2] / L
    return UNIT * (0.4 + np.cos(phi - 0.4) + 0.5 * np.sin(2 * phi)) * (0.6 + 0.5 * z - z**2)


class Stresses:
    """The exact cylinder: places, normals, and the film there; ``per``: area of each place."""

    def __init__(self, e=E, t=T, V=V, Omega=OMEGA, pressure=smooth, mu=MU):
        count, along = 720, 48
        phi = 2 * np.pi * (np.arange(count) + 0.5) / count
        z, w = np.polynomial.legendre.leggauss(along)
        phi, z = (g.ravel() for g in np.meshgrid(phi, z * L / 2, indexing="ij"))
        self.per = np.tile(w, count) * L / 2 * 2 * np.pi * R / count
        self.n = np.stack([np.cos(phi), np.sin(phi), 0 * phi], 1)
        self.round = np.stack([-np.sin(phi), np.cos(phi), 0 * phi], 1)
        self.x, self.up = R * self.n + np.outer(z, [0, 0, 1]), np.array([0, 0, 1.0])
        self.axis = np.array([*t, 1.0])
        self.s = self.x[:, 2] - e[2]  # along the journal from its centre
        self.h = C - self.n[:, :2] @ e[:2] - self.s * (self.n[:, :2] @ t)
        arm = np.outer(self.s, self.axis) + R * self.n  # from the journal's centre to its surface
        self.arm = arm
        # normal of a leaning journal, outwards
        self.outward = self.n - np.outer(self.n[:, :2] @ t, self.up)
        # the thickness at a place of the bore falls with the journal's velocity along its normal;
        # what its turning does to the radius is of the next order in clearance / length
        self.rate = -np.sum((V + np.cross(Omega, np.outer(self.s, self.axis))) * self.outward, 1)
        slide = V * self.up + np.cross(Omega, self.x)
        self.U = slide - np.sum(slide * self.n, axis=1)[:, None] * self.n
        self.p, self.slope, self.mu = pressure(self.x), self.gradient(pressure), mu

    def gradient(self, field, d=1e-7):
        """Along the surface, by differences."""
        c, s = np.cos(d / R), np.sin(d / R)
        parts = []
        for sign in (1, -1):
            turned = self.x.copy()
            turned[:, 0] = c * self.x[:, 0] - sign * s * self.x[:, 1]
            turned[:, 1] = sign * s * self.x[:, 0] + c * self.x[:, 1]
            parts.append((field(turned), field(self.x + sign * d * self.up)))
        (a, b), (c_, d_) = parts
        slope = ((a - c_) / (2 * d))[:, None] * self.round
        return slope + ((b - d_) / (2 * d))[:, None] * self.up

    def total(self, traction):
        """Force and moment about the journal's centre of a traction on the journal."""
        return np.r_[self.per @ traction, self.per @ np.cross(self.arm, traction)]

    @property
    def pressing(self):
        return -self.p[:, None] * self.outward

    @property
    def shear(self):
        """On the journal: -mu U / h - h/2 grad p."""
        return -self.mu * self.U / self.h[:, None] - (self.h / 2)[:, None] * self.slope


def close(found, *parts, tolerance=3e-3):
    """A sum of terms, each component against the largest of its terms."""
    total, size = sum(parts), np.max(np.abs(parts), axis=0)
    np.testing.assert_allclose(found / size, total / size, atol=tolerance, rtol=0)
