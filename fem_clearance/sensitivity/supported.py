"""Refuses, before a run begins, models whose derivatives are not available."""

from __future__ import annotations

from ..contact.kind import ChangingContactKind
from ..core.mixins import LimitedValidity, has_gap
from ..errors import InputError
from ..timestepping.row_engine import RowEngine
from .contact_numbers import by_forms
from .memory import remembering
from .recording import RecordingStepper, special


def check(stepper: RecordingStepper) -> None:
    """Refuse models and settings for which derivatives would be wrong, after ``prepare``.

    Raises:
        InputError: such a system or setting; the message says what to use instead.
    """
    scheme, state = stepper.scheme, stepper.state
    if not isinstance(scheme, RowEngine):
        raise InputError(
            f"Sensitivity: derivatives are not available for {stepper.integrator}; use "
            "GeneralizedAlpha(0.8) or another implicit integrator."
        )
    if scheme.substeps > 1 and stepper.event_set.any:
        raise InputError(
            f"Sensitivity: derivatives are not available for {stepper.integrator} where contacts "
            "may begin within its stages; use GeneralizedAlpha(0.8) or another integrator with "
            "one stage."
        )
    if scheme.stabilised and state.problem.velocity_level[: state.local].any():
        raise InputError(
            f"Sensitivity: derivatives are not available for {stepper.integrator} with "
            "constraints on velocities where joints constrain velocities alone, as rolling joints "
            "do; use constraints='position' and rho_inf = 0.95 or less."
        )
    if (
        scheme.turning is not None
        and stepper.adaptive
        and (stepper.stops or stepper.milestones.stops)
    ):
        raise InputError(
            "Sensitivity: with constraints on velocities, rotating bodies and adaptive steps, "
            "derivatives are not available for runs in which a step must end at a given time; "
            "give dt, or use constraints='position'."
        )
    if stepper.event_set.changing and (special(scheme) or state.problem.bulk):
        raise InputError(
            f"Sensitivity: derivatives are not available for {stepper.integrator} where laws "
            "change at foreseen times (gear pairs, sliding points) if it has several stages or "
            "holds constraints on velocities too, nor with solids; use GeneralizedAlpha(0.8)."
        )
    remembered = remembering(state)
    for k, component in enumerate(state.components):
        kind, owners = component.kind, ", ".join(component.owners[:3])
        if getattr(kind, "remembers", isinstance(kind, LimitedValidity)) and not getattr(
            kind, "cellwise", False
        ):
            raise InputError(
                f"{owners}: the {kind.label} has a memory from step to step (worn bearings of "
                "films, contact of two solids), for which derivatives are not available; use a law "
                "without memory. In a kind of your own, set cellwise = True in the class that "
                "defines update, if that works cell by cell."
            )
        if k in remembered and (special(scheme) or (has_gap(kind) and state.problem.bulk)):
            raise InputError(
                f"{owners}: derivatives through the memory of the {kind.label} are not available "
                "with integrators of several stages, with constraints on velocities or, for "
                "sticking friction in joints, with solids; use GeneralizedAlpha(0.8), "
                "constraints='position' and no solids."
            )
        if k in remembered and isinstance(kind, ChangingContactKind):
            if stepper.adaptive:
                what = "wear" if kind.worn else "sticking friction"
                raise InputError(
                    f"{owners}: derivatives through {what} in a clearance joint are not verified "
                    "with adaptive steps; give dt."
                )
            if kind.worn and kind.worn.coupled(kind, state.parameters[k]):
                raise InputError(
                    f"{owners}: the slices of the joint together determine how often their first "
                    "wear period is repeated, through which derivatives are not available; give "
                    "Wear(repeat=...) in place of growth."
                )
        if has_gap(kind) and component.residual is not None and not by_forms(component):
            raise InputError(
                f"{owners}: the {kind.label} has contacts on cells that are not points, of "
                "whose onsets derivatives are not available; use a kind whose cells are points."
            )
        if has_gap(kind) and kind.discontinuous and not kind.has_stick_modes:
            raise InputError(
                f"{owners}: the force of the {kind.label} jumps when contact begins, so that "
                "derivatives are not available; use a law whose force begins at zero, such as "
                "HuntCrossley() or LankaraniNikravesh()."
            )
