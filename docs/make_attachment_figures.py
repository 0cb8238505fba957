"""Figure of attachments.md.

python docs/make_attachment_figures.py
"""

from pathlib import Path

import numpy as np

from fem_clearance.cases.flexible_slider_crank import LENGTH, case
from fem_clearance.plotting import style

FIGURES = Path(__file__).parent / "figures"


@style.styled
def models():
    """Deflection of the slider-crank's coupler as a solid and as a beam, and their difference."""
    runs = {
        "solid, 8 elements": {"coupler.elements": 8},
        "solid, 32 elements": {"coupler.elements": 32},
        "beam, 16 elements": {"coupler.model": "quadratic"},
    }
    results = {name: case.simulation(changes, progress=False).run()
               for name, changes in runs.items()}  # fmt: skip
    figure, (above, below) = style.new(2)
    beam = results["beam, 16 elements"]
    for name, r in results.items():
        bent = r["coupler.deflection"] / LENGTH
        if r is not beam:
            other = np.interp(r.time, beam.time, beam["coupler.deflection"] / LENGTH)
            below.plot(r["crank.angle"], 1e3 * (bent - other))
        above.plot(r["crank.angle"], 1e3 * bent, "k:" if r is beam else "-", label=name)
    above.set_ylabel("deflection / length [10⁻³]")
    below.set_ylabel("solid less beam [10⁻³]")
    below.set_xlabel("crank angle [rad]")
    above.legend(ncols=2, **style.ABOVE)
    return figure


if __name__ == "__main__":
    FIGURES.mkdir(exist_ok=True)
    figure = models()
    style.save(figure, FIGURES / "slider_crank_models.png")
