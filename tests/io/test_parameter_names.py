"""Parameters of all cases: the same thing has the same name, and names they had are read."""

import numpy as np
import pytest

from fem_clearance import InputError, cases
from fem_clearance.runs.case import Case
from fem_clearance.runs.parameters import Parameter

#: names that say different things in different cases, which have had them since the first version
DIFFERENT = {
    "stiffness",  # a law in gears, N/m of a spring
    "friction",  # a law, a coefficient
    "spin",  # of a ball, about three axes; of a column
    "film.cells",  # round and along; one number in spheres
    "load",  # a force; one per length of a plane contact
}
#: further words for what has a name already: all must be aliases
SYNONYMS = {
    "viscosity": ("joint.viscosity", "film.viscosity", "mu"),
    "film.cells": ("joint.cells",),
    "joint.film": ("film",),
    "roughness": ("contact.roughness",),
    "coupler.damping": ("coupler.retardation",),
    "transition.band": ("joint.e0",),
    "transition.margin": ("joint.e1",),
    "grooves.pressures": ("supply", "supply.pressure"),
}


def parameters():
    for name in cases.names():
        for p in cases.get(name).parameters:
            yield name, p


def test_same_name_same_unit_and_type():
    known = {}
    for case, p in parameters():
        if p.name in DIFFERENT:
            continue
        own = p.unit, float if p.type is int else p.type
        first, kind = known.setdefault(p.name, (case, own))
        assert kind == own, f"{p.name} in {first} and {case}"


def test_one_word_for_one_thing():
    names = {p.name for _, p in parameters()}
    for wanted, others in SYNONYMS.items():
        assert wanted in names and not names & set(others)


def test_speeds_are_read_in_both_units():
    """Names end in the unit: rpm are revolutions a minute, speeds rad/s (but of belts)."""
    found = 0
    for case, p in parameters():
        part, _, last = p.name.rpartition(".")
        if part not in ("crank", "pinion") or last not in ("speed", "rpm"):
            continue
        found += 1
        other = f"{part}.{'rpm' if last == 'speed' else 'speed'}"
        factor = np.pi / 30 if last == "speed" else 30 / np.pi
        values = cases.get(case).resolve({other: "200"})
        assert values[p.name] == pytest.approx(200 * factor, rel=1e-15)
        assert p.name in values.given
    assert found == 6


def test_old_names_are_read(caplog):
    values = cases.get("double_pendulum").resolve({"joint.viscosity": 0.3, "joint.cells": "6"})
    assert (values["viscosity"], values["film.cells"]) == (0.3, 6)
    assert "joint.viscosity is called viscosity in this case" in caplog.text
    assert cases.get("quick_return").resolve({"film": "closed_form"})["joint.film"] == "closed_form"
    assert cases.get("sliding_pendulum").resolve({"joint.restitution": 0.5})["restitution"] == 0.5
    with pytest.raises(InputError, match="are the same parameter"):
        cases.get("double_pendulum").resolve({"joint.viscosity": 0.3, "viscosity": 0.4})
    with pytest.raises(InputError, match="crank.speed must be a number"):
        cases.get("four_bar_wear").resolve({"crank.speed": "fast"})


def test_alias_of_a_user():
    own = Case("own", "a case", lambda p: None,
               [Parameter("angle", 1.0, "rad", aliases={"angle_deg": np.pi / 180, "phi": 1.0})],
               settings={"dt": 1e-3})  # fmt: skip
    assert own.resolve({"angle_deg": 180})["angle"] == pytest.approx(np.pi, rel=1e-15)
    assert own.resolve({"phi": 0.2})["angle"] == 0.2
    assert own.under("angle_deg", "180") == pytest.approx(180, rel=1e-15)
    with pytest.raises(InputError, match="are the same parameter"):
        own.resolve({"phi": 0.2, "angle_deg": 1})


def test_words_under_an_alias():
    """A sweep asks what a value is under an alias: words and cells have no factor."""
    case = cases.get("quick_return")
    assert case.under("film", "closed_form") == "closed_form"
    assert case.under("joint.cells", "48x8") == "48x8"
