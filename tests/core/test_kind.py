"""Kinds and their mixins: what nobody would look at is refused when the class is made."""

import importlib
import pkgutil
from dataclasses import dataclass

import numpy as np
import pytest

import fem_clearance as fc
from fem_clearance.bodies.solids.elements import FacetKind
from fem_clearance.core.mixins import by_difference, has_gap, seen_each_step
from fem_clearance.extend import (
    ContactGap,
    ForeseeableChange,
    Kind,
    Observable,
    PairKind,
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


def test_a_mixin_without_its_hook():
    with pytest.raises(NotImplementedError, match="Mine must define update"):
        type("Mine", (UpdatesParameters,), {})().update(np.zeros((1, 0)), {})


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
