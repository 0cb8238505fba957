"""Kinds and their mixins: what nobody would look at is refused when the class is made."""

import importlib
import pkgutil
from dataclasses import dataclass

import basix.ufl
import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.bodies.solids.elements import FacetKind
from fem_clearance.core.mixins import by_difference, has_gap, seen_each_step
from fem_clearance.extend import (
    ContactGap,
    DistributedParameters,
    ForeseeableChange,
    Kind,
    LimitedValidity,
    Observable,
    PairKind,
    RecoveredFields,
    RestrictedSparsity,
    RigidDirectors,
    SingleKind,
    UpdatesParameters,
)  # fmt: skip

#: what others are made of
GENERAL = (Kind, PairKind, SingleKind, FacetKind)


def nothing(*_):
    """Any hook."""


@pytest.mark.parametrize(
    "hook, mixin",
    [
        ("update", "UpdatesParameters"),
        ("exceeds_validity", "LimitedValidity"),
        ("time_to_change", "ForeseeableChange"),
        ("gap", "ContactGap"),
        ("sparsity", "RestrictedSparsity"),
        ("recovered", "RecoveredFields"),
        ("distributed", "DistributedParameters"),
        ("rigid_directors", "RigidDirectors"),
    ],
)
def test_a_hook_without_its_mixin(hook, mixin):
    with pytest.raises(TypeError, match=f"Mine.{hook}: only kinds with the mixin {mixin} have it"):
        type("Mine", (PairKind,), {hook: nothing})


@pytest.mark.parametrize(
    "old, new", [("accept", "update"), ("time_left", "time_to_change"), ("memory", "history")]
)
def test_old_names_of_hooks(old, new):
    with pytest.raises(TypeError, match=f"Mine.{old} is called {new} now"):
        type("Mine", (Kind,), {old: nothing})


@pytest.mark.parametrize(
    ("mixin", "hook", "arguments"),
    [
        (UpdatesParameters, "update", (np.zeros((1, 0)), {})),
        (ForeseeableChange, "time_to_change", (np.zeros((1, 0)), {})),
        (LimitedValidity, "exceeds_validity", (np.zeros((1, 0)), {})),
        (RestrictedSparsity, "sparsity", ()),
        (RecoveredFields, "recovered", (None,)),
    ],
)
def test_a_mixin_without_its_hook(mixin, hook, arguments):
    with pytest.raises(NotImplementedError, match=rf"Mine must define {hook}\(\)"):
        getattr(type("Mine", (mixin,), {})(), hook)(*arguments)


def test_fields_of_parameters():
    """By default the reference shape, in the space of the unknowns, of kinds that have one."""

    class Bar(Kind, DistributedParameters):
        def element(self, cell):
            return basix.ufl.element("P", cell, 2)

    shaped = type("Shaped", (Bar,), {"parameters": {"reference": (3,)}})
    assert Bar().distributed("interval") == {}
    assert shaped().distributed("interval") == {"reference": basix.ufl.element("P", "interval", 2)}


def test_directors_of_rigid_bodies():
    """They are where the kind says: those of a body that begins turned by 0.3 rad about z."""
    system = fc.System(gravity=(0, 0, 0))
    at = {"position": (1, 2, 3), "orientation": (0, 0, 0.3)}
    system.add(fc.RigidBody(1.0, (1, 1, 1), free=True, name="body", **at))
    ((kind, (cell,)),) = [(k, c) for k, c in system.cells.items() if isinstance(k, RigidDirectors)]
    values = np.concatenate([ref.block.values[ref.indices] for ref in cell.refs])
    c, s = np.cos(0.3), np.sin(0.3)
    directors = [(c, s, 0), (-s, c, 0), (0, 0, 1)]
    assert values[kind.rigid_directors].reshape(3, 3) == pytest.approx(np.array(directors))


def test_what_is_said_of_a_residual_holds_for_it_alone():
    damper = type("Damper", (SingleKind,), {"residual": nothing, "feeds_energy": False})
    other = type("Other", (damper,), {"label": "other"})
    engine = type("Engine", (damper,), {"residual": nothing})
    assert other().feeds_energy is False
    assert engine().feeds_energy is None and engine().conservative is False


@dataclass(frozen=True)
class Touching(SingleKind, ContactGap):
    """Watched at will."""

    watched: bool = True

    @property
    def gap(self):
        return ("depth", "rate", "acceleration") if self.watched else ()


def test_contacts_are_seen_after_each_step():
    assert has_gap(Touching()) and seen_each_step(Touching())
    assert not has_gap(Touching(watched=False)) and not seen_each_step(Touching(watched=False))
    assert {"peak", "direction", "entry", "slow"} == set(Touching().whole_history)
    assert not Touching(watched=False).whole_history
    assert seen_each_step(type("Mine", (SingleKind, ForeseeableChange), {})())


def test_energies_of_laws_that_change():
    """Their gain is a difference; so is that of kinds of which nobody says what they do."""
    told = {"e": Observable(1.0, "J", "energy", "energy.strain")}
    spring = type("Spring", (SingleKind,), {"feeds_energy": False})
    worn = type("Worn", (SingleKind, UpdatesParameters), {"feeds_energy": False})
    assert not by_difference(spring(), told) and not by_difference(worn(), {})
    assert by_difference(worn(), told) and by_difference(SingleKind(), told)


def test_messages_call_kinds_by_words():
    """No class names of ours: of each kind that no other is made of."""
    for module in pkgutil.walk_packages(fc.__path__, "fem_clearance."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)

    def leaves(base):
        for cls in base.__subclasses__():
            yield from leaves(cls) if cls.__subclasses__() else [cls]

    ours = [c for c in leaves(Kind) if c.__module__.startswith("fem_clearance.")]
    assert len(ours) > 40
    for cls in ours:
        named = [b for b in cls.__mro__ if "label" in vars(b) and b not in GENERAL]
        assert cls.called or named, f"{cls.__name__} is called by its class's name"
        assert "Kind" not in cls.called


def test_users_kinds_are_called_by_their_class():
    assert type("Damper", (SingleKind,), {})().label == "Damper (point)"
