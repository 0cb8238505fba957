"""What derivatives of runs are not known of, said before a run begins."""

from __future__ import annotations

from ..core.mixins import ForeseeableChange, LimitedValidity, UpdatesParameters
from ..errors import InputError
from ..timestepping.row_engine import RowEngine
from .recording import RecordingStepper


def check(stepper: RecordingStepper) -> None:
    """Refuse what derivatives would be wrong for, after ``prepare``.

    Raises:
        InputError: the system or a setting, and what would be right.
    """
    scheme, state = stepper.scheme, stepper.state
    if state.comm.size > 1:
        raise InputError("Sensitivity works on one rank: leave mpirun out.")
    if not isinstance(scheme, RowEngine):
        raise InputError(
            f"Sensitivity: derivatives of {stepper.integrator} are not known; take "
            "GeneralizedAlpha(0.8), or another implicit integrator."
        )
    if scheme.substeps > 1 and stepper.event_set.any:
        raise InputError(
            f"Sensitivity: derivatives of {stepper.integrator} are not known where contacts may "
            "touch within its stages; take GeneralizedAlpha(0.8), or another integrator of one."
        )
    if scheme.stabilised and state.problem.velocity_level[: state.local].any():
        raise InputError(
            f"Sensitivity: derivatives of {stepper.integrator} with constraints on velocities are "
            "not known where joints hold velocities alone, as rolling does; take "
            "constraints='position' and rho_inf = 0.95 or less."
        )
    if (
        scheme.turning is not None
        and stepper.adaptive
        and (stepper.stops or stepper.milestones.stops)
    ):
        raise InputError(
            "Sensitivity: with constraints on velocities, turning bodies and adaptive steps no "
            "derivatives are known of runs that must end a step at a given time within; give dt, "
            "or take constraints='position'."
        )
    for component in state.components:
        kind, owners = component.kind, ", ".join(component.owners[:3])
        if isinstance(kind, ForeseeableChange | LimitedValidity) or (
            isinstance(kind, UpdatesParameters) and kind.remembers
        ):
            raise InputError(
                f"{owners}: {kind.label} keeps numbers from step to step (wear, anchors of "
                "friction, meshing teeth, a sliding point) whose derivatives are not known; take "
                "it out, or a law without them."
            )
        if getattr(kind, "discontinuous", False) and getattr(kind, "gap", ()):
            raise InputError(
                f"{owners}: the force of {kind.label} jumps as contact begins, by which its "
                "derivatives are not known; take a law whose force begins at zero, as "
                "HuntCrossley() or LankaraniNikravesh()."
            )
