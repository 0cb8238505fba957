"""Sainsot's table against elasticity: a ring held at its bore, loaded over an arc of its rim, by
Muskhelishvili's potentials, harmonic by harmonic. E, rim radius and width are 1."""

import numpy as np
import pytest

from fem_clearance.gears.chaari import sainsot

NU = 0.3


def ring(h, half, plane_strain, load, orders, points=201):
    """Displacements of the rim, radial and along the angle, over the loaded arc.

    Args:
        h: rim over bore radius.
        half: half angle of the arc, rad.
        load: normal and shear stress at places from -1 to 1 of the arc.
    """
    modulus, nu = (1 / (1 - NU**2), NU / (1 - NU)) if plane_strain else (1.0, NU)
    shear, kappa, bore = modulus / (2 * (1 + nu)), (3 - nu) / (1 + nu), 1 / h
    x, w = np.polynomial.legendre.leggauss(300)
    normal, along = load(x)
    stress = (normal - 1j * along) * w * half / (2 * np.pi)
    angle = half * np.linspace(-1, 1, points)
    # order 0: 2 phi = A z, psi = D / z; torsion
    mean = stress.sum()
    a, d = np.linalg.solve([[2, 1], [(kappa - 1) * bore, -h]], [mean.real, 0])
    u = np.full(points, (kappa - 1) * a - d + 1j * mean.imag * (1 - h**2))

    def rows(c, r, n):
        """2 G (u_r + i u_t) and s_rr - i s_rt at a radius, factors of e^(int) and e^(-int), of
        phi = A z^(n+1) + B z^(1-n), psi = C z^(n-1) + D z^(-n-1); for n = 1 the force's logarithms
        take the place of C."""
        A, B, C, D = c
        low, lower = (bore / r) ** (n - 1), (bore / r) ** (n + 1)  # of B and D, scaled to the bore
        high, log = r ** (n + 1), np.log(r)
        u1 = kappa * A * high + np.conj(B) * (n - 1) * low - np.conj(D) * lower
        u2 = kappa * B * low - np.conj(A) * (n + 1) * high
        s1 = (1 - n**2) * A * high / r - np.conj(B) * (n - 1) * low / r
        s2 = np.conj(A) * (n + 1) * high / r + (1 - n**2) * B * low / r + D * (n + 1) * lower / r
        if n == 1:
            u1, u2 = u1 - np.conj(C), u2 + 2 * kappa * C * log
            return u1, u2, s1 + np.conj(C) * (1 + kappa) / r, s2 + 2 * C / r
        return u1, u2 - np.conj(C) * r ** (n - 1), s1 - C * (n - 1) * r ** (n - 2), s2

    for n in range(1, orders):
        t = half * x
        given = [stress @ np.exp(-1j * n * t), stress @ np.exp(1j * n * t)]
        matrix = np.zeros((8, 8))
        for k in range(8):
            c = np.zeros(4, complex)
            c[k // 2] = 1 if k % 2 == 0 else 1j
            values = np.array([*rows(c, bore, n)[:2], *rows(c, 1.0, n)[2:]])
            matrix[:, k] = values.view(float)
        right = np.concatenate([np.zeros(4), np.array(given).view(float)])
        c = np.linalg.lstsq(matrix, right, rcond=1e-14)[0].view(complex)
        one, other = np.sinc(n / orders) * np.array(rows(c, 1.0, n)[:2])  # Lanczos: no ripples
        u += one * np.exp(1j * n * angle) + other * np.exp(-1j * n * angle)
    return angle, u.real / (2 * shear), u.imag / (2 * shear)


@pytest.mark.parametrize("h, half", [(4.2, 0.11988), (2.0, 0.06)])
def test_sainsots_table_is_plane_strain_at_the_middle_of_the_root(h, half):
    """L* (moment, a beam's linear stress) is the rotation of the root's middle in plane strain, P*
    (a beam's shear stress) the mean displacement that does work, P* Q* (even normal stress) that of
    the middle. The rotation that does the work of the moment is a quarter smaller than L*; that
    in plane stress is a tenth larger."""
    wide, orders = 2 * half, int(30 / half)
    L, _, P, Q = sainsot(h, half)

    def rotations(plane_strain):
        t, out, along = ring(h, half, plane_strain, lambda x: (6 * x / wide**2, 0 * x), orders)
        middle = np.gradient(out, t)[len(t) // 2] - along[len(t) // 2]
        return wide**2 * np.array([middle, np.trapezoid(6 * t / half * out, t) / wide**2])

    strain, stress = rotations(True), rotations(False)
    assert strain[0] == pytest.approx(L, rel=1e-2)
    assert 0.7 * L < strain[1] < 0.76 * L
    assert stress[0] == pytest.approx(strain[0] / (1 - NU**2), rel=1e-2)
    t, _, along = ring(h, half, True, lambda x: (0 * x, 1.5 * (1 - x**2) / wide), orders)
    mean = np.trapezoid(along * 1.5 * (1 - (t / half) ** 2), t) / wide
    assert mean == pytest.approx(P, rel=5e-3)
    t, out, _ = ring(h, half, True, lambda x: (1 / wide + 0 * x, 0 * x), orders)
    assert out[len(t) // 2] == pytest.approx(P * Q, rel=3e-2)


def test_ring_against_lame_and_torsion():
    """Even pressure and shear all round: closed forms of a ring held inside, plane stress."""
    h, bore = 3.0, 1 / 3.0
    _, out, _ = ring(h, np.pi, False, lambda x: (1 + 0 * x, 0 * x), 2)
    # s_rr = a - d / r^2, u = (1 - nu) a r + (1 + nu) d / r
    a, d = np.linalg.solve([[1, -1], [(1 - NU) * bore, (1 + NU) / bore]], [1, 0])
    assert out == pytest.approx((1 - NU) * a + (1 + NU) * d, rel=1e-9)
    _, _, along = ring(h, np.pi, False, lambda x: (0 * x, 1 + 0 * x), 2)
    # torque 2 pi, shear stress 1 / r^2: u_t = (1 / bore^2 - 1) / (2 G)
    assert along == pytest.approx((1 / bore**2 - 1) * (1 + NU), rel=1e-9)
