"""Beams by section matrices beside published and independent values.

    python benchmarks/beams_by_matrices.py

Prints the table of docs/beams.md: tips of BeamDyn's composite cantilever, of the 45-degree bend, of
MacNeal and Harder's twisted strip and of a tapered cantilever; the first frequency of a wedge.
"""

import numpy as np

import fem_clearance as fc

#: order: shear along d2, shear along d3, axial, bending about d2, bending about d3, torsion
COMPOSITE = np.zeros((6, 6))
COMPOSITE[:3, :3] = np.diag([88560.0, 38780.0, 1368170.0])
COMPOSITE[3:, 3:] = [
    [59120.0, -370.0, 17610.0], [-370.0, 141470.0, -351.0], [17610.0, -351.0, 16960.0],
]  # fmt: skip
BEND = fc.SectionMatrices.from_constants(
    EA=1e7, GA=5e6 * 5 / 6, EI=1e7 / 12, GJ=5e6 / 6, rho_A=1.0, rho_I=1 / 12
)
STRIP = fc.SectionMatrices.of(fc.Rectangle(1.1, 0.32), fc.StVenantKirchhoff(29e6, 0.22, 1.0))


def tip(beam, force, steps=10):
    """Displacement of the end of a clamped beam, m."""
    system = fc.System(gravity=(0, 0, 0))
    system.add(beam)
    system.add(fc.FixedJoint(system.ground, beam.start))
    system.add(fc.Force(beam.end, force))
    system.add(fc.Probe(beam.end, name="tip"))
    results = fc.Statics(system, steps=steps).solve()
    return np.array([results[f"tip.{x}"][-1] for x in "xyz"]) - beam.end.position


def composite(elements):
    section = fc.SectionMatrices(COMPOSITE, np.diag([1.0, 1, 1, 0.01, 0.01, 0.02]))
    beam = fc.Beam((0, 0, 0), (10, 0, 0), section, elements=elements, up=(0, 1, 0))
    return tip(beam, (0, 0, 150.0))


def bend(elements):
    arc = fc.Arc((0, -100, 0), (0, 0, 0), (0, 0, -1), np.pi / 4)
    return tip(fc.Beam.along(arc, BEND, elements=elements, up=(0, 0, 1)), (0, 0, 600.0))


def strip(elements):
    def up(s):
        return 0.0, np.cos(np.pi / 2 * s / 12), np.sin(np.pi / 2 * s / 12)

    def one(force):
        beam = fc.Beam((0, 0, 0), (12, 0, 0), STRIP, elements=elements, up=up)
        return 1e3 * tip(beam, force, 1)[np.argmax(force)]

    return np.array([one((0, 0, 1e-3)), one((0, 1e-3, 0))])


def along(depths, length=2.0, bending=1):
    """A table of sections whose stiffness and mass go with a depth, bending with a power of it."""
    sections = [
        fc.SectionMatrices.from_constants(
            EA=4e8 * z, GA=1e9 * z, EI=1e3 * z**bending, GJ=1e6 * z, rho_A=15.7 * z,
            rho_I=1e-5 * z,
        )
        for z in depths
    ]  # fmt: skip
    return fc.SectionTable(np.linspace(0, length, len(depths)), sections)


def tapered(elements):
    beam = fc.Beam((0, 0, 0), (2, 0, 0), along([1.0, 0.2]), elements=elements)
    return 1e6 * tip(beam, (0, 0, 1.0), 1)[2:]


def wedge(elements):
    table = along(np.linspace(1.0, 3e-4, 65), bending=3)
    system = fc.System(gravity=(0, 0, 0))
    beam = system.add(fc.Beam((0, 0, 0), (2, 0, 0), table, elements=elements))
    system.add(fc.FixedJoint(system.ground, beam.start))
    omega = 2 * np.pi * fc.eigenmodes(system, 1).frequencies[0]
    return np.array([omega * 2.0**2 * np.sqrt(15.7 / 1e3)])


def tapered_by_hand(end=0.2, length=2.0):
    """Integral of (L - s)^2 / EI and of 1 / GA, m, under 1 N."""
    a = 1 - end
    bending = (0.5 - 2 * end + 1.5 * end**2 - end**2 * np.log(end)) / a**3
    return length**3 / 1e3 * bending - length / 1e9 * np.log(end) / a


def main():
    print("| case | elements | found | reference |")
    print("|---|---|---|---|")
    for name, case, reference in (
        ("composite cantilever", composite, "-0.090273, -0.064749, 1.229736"),
        ("45-degree bend", bend, "-23.5613, 13.6050, 53.4761"),
        ("strip twisted by 90 degrees", strip, "0.005424, 0.001754"),
        ("tapered cantilever", tapered, f"{1e6 * tapered_by_hand():.6g}"),
        ("wedge", wedge, "5.315"),
    ):
        for elements in (4, 8, 16):
            found = ", ".join(f"{x:.6g}" for x in case(elements))
            print(f"| {name} | {elements} | {found} | {reference} |")


if __name__ == "__main__":
    main()
