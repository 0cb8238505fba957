"""Stiffness of a ball in a socket and restitution of the hysteretic laws, as audited.

Impacts that are simulated: ``tests/contact``.
"""

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.contact.laws.hysteresis import returned_restitution
from fem_clearance.contact.laws.pair_data import sphere_stiffness

SOURCE = "ln((1 + chi)/(1 - chi e)) = chi (1 + e), SciPy"
STEEL = fc.StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)
SOFT = fc.StVenantKirchhoff(E=6e7, nu=0.3, rho=6000)
#: laws by their names in e_restitution.csv
LAWS = {
    "LN": fc.LankaraniNikravesh, "HC": fc.HuntCrossley, "BAI": fc.ZhiyingQishao,
    "FLORES2011": fc.Flores2011, "GONTHIER": fc.Gonthier,
    "HERBERT_MCWHANNELL": fc.HerbertMcWhannell,
}  # fmt: skip


@pytest.mark.parametrize(
    "radii, steel, soft",
    [("sum", 1.476037e10, 4.278367e6), ("difference", 6.433895e10, 1.864897e7)],
)
def test_stiffness_of_ball_in_socket(published, radii, steel, soft):
    """Audited values of Tian et al. (2009) eq. (18), section 6.1 (docs/errata.md)."""
    found = [sphere_stiffness(0.02, 0.018, m, m, radii) for m in (STEEL, SOFT)]
    published(f"stiffness, steel and rubber, {radii} of the radii", found, (steel, soft), rel=1e-6,
              unit="N/m^1.5", source="Tian et al. 2009, eq. (18), as corrected")  # fmt: skip


@pytest.mark.parametrize("law", [*LAWS.values(), fc.LeeWang, fc.HuGuo])
def test_restitution_of_the_laws(reference, published, law):
    """restitution_laws.json: what each law returns of ten restitutions."""
    table = reference("restitution_laws.json")
    column = next(v for k, v in table["e_out"].items() if k.startswith(law.__name__ + " "))
    found = [returned_restitution(law(restitution=e).hysteresis()) for e in table["e_in"]]
    published(f"restitution returned, {law.__name__}", found, column, abs=1e-11)


@pytest.mark.parametrize("name", LAWS)
def test_the_tables_agree(reference, published, name):
    """e_restitution.csv, made independently of the json file, all of its rows."""
    table, law = reference("e_restitution.csv"), LAWS[name]
    chi = np.array([law(restitution=e).hysteresis() for e in table["c_e"]])
    returned = [returned_restitution(x) for x in chi]
    published(f"chi, {law.__name__}", chi, table[f"{name}_chi"], rel=1e-10)
    published(f"restitution, {law.__name__}", returned, table[f"{name}_eeff"], abs=1e-11)


def test_exact_restitution(published):
    chi = fc.ExactRestitution(restitution=0.4).hysteresis()
    published("chi that returns 0.4", chi, 2.082498164147, rel=1e-12)
