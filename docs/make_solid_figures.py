"""Makes docs/figures/solid_*.png: runs two small models and draws them."""

from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

import fem_clearance as fc
from fem_clearance import cases, meshes
from fem_clearance.plotting import solids

FIGURES = Path(__file__).parent / "figures"


def small(path: Path) -> None:
    """256 colours, which take a third of the bytes."""
    image = Image.open(path).convert("RGB")
    palette = image.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=3)
    image.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True)


def column(folder: Path) -> None:
    changes = {"t_end": 0.1, "output.fields_every": 0.02}
    cases.get("twisting_column").simulation(changes, output=folder, progress=False).run()
    look = solids.Appearance(size=560)
    target = FIGURES / "solid_twisting_column.png"
    small(solids.picture(folder, "column", target, look, at=[0.0, 0.04, 0.1]))


def block(folder: Path) -> None:
    system = fc.System(gravity=(0, 0, 0))
    mesh = meshes.block_with_hole((0.1, 0.05, 0.03), radius=0.01, cells=(32, 4, 4), grading=3)
    steel = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
    part = system.add(fc.Solid(mesh, steel, clamped="x0", name="block"))
    system.add(fc.Traction(part.facets("x1"), (0, -3e6, 0), name="load"))
    fc.Simulation(system, dt=5e-6, t_end=2e-4, output=folder, fields_every=5, progress=False).run()
    when = solids.largest(folder, "block")[0]
    look = solids.Appearance(cut="z", exaggerate=100, size=560)
    small(solids.picture(folder, "block", FIGURES / "solid_cut.png", look, at=when))


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        column(Path(folder) / "column")
        block(Path(folder) / "block")
