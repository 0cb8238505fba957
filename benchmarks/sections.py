"""How much stiffer beams of plane sections are than those of sections that warp freely.

    python benchmarks/sections.py

Prints the table of docs/beams.md: factors of the torsional stiffness and of the shear stiffness
along y and z (nu = 0.3), and by how much the tip of a cantilever ten heights long sags more.
"""

import fem_clearance as fc

NU = 0.3
ANGLE = [(0, 0), (60, 0), (60, 10), (10, 10), (10, 40), (0, 40)]
SECTIONS = {
    "circle": fc.Circle(0.5),
    "tube, radii 1 : 0.9": fc.Tube(0.5, 0.45),
    "square": fc.Rectangle(1.0, 1.0),
    "rectangle 2 : 1": fc.Rectangle(1.0, 0.5),
    "rectangle 10 : 1": fc.Rectangle(1.0, 0.1),
    "ellipse 2 : 1": fc.Ellipse(0.5, 0.25),
    "I 100 x 100 x 6 x 8": fc.IProfile(100.0, 100.0, 6.0, 8.0),
    "I 300 x 150 x 7.1 x 10.7": fc.IProfile(300.0, 150.0, 7.1, 10.7),
    "angle 60 x 40 x 10": fc.Polygon(ANGLE),
}


def main():
    print("| section | torsion | shear along y, z | tip |")
    print("|---|---|---|---|")
    for name, section in SECTIONS.items():
        torsion = (section.I_y + section.I_z) / section.saint_venant
        factors = section.shear_factors(NU)
        shear = ", ".join(f"{1 / k:.2f}" for k in factors)
        length = 10 * (section.outline[:, 0].max() - section.outline[:, 0].min())
        bent = 6 * (1 + NU) * section.I_y / section.area / length**2  # shear by bending, k = 1
        tip = bent * (1 / factors[0] - 1) / (1 + bent)
        print(f"| {name} | {torsion:.3g} | {shear} | {100 * tip:.2f} % |")


if __name__ == "__main__":
    main()
