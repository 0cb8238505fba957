"""Levels of constraints: conditions on positions or on velocities.

A row Phi(q, t) = 0 is holonomic: velocities must satisfy its derivative, B v + dPhi/dt = 0 with
B = dPhi/dq. A row s(q, v, t) = A(q) v + b(q, t) = 0 (a blade that does not slip sideways, rolling)
need not be the derivative of anything; it is itself a condition on velocities, with A = ds/dv. The
level of a row follows from whether its form depends on v.
"""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..user_code import is_added
from .state import State

#: dv/dq (and its square, da/dq) of tangents in which terms with rates dominate all others
FAST = 2.0**60
#: what gives a multiplier its equation and its force
BOTH = (
    "write c.along(lam * phi), which gives both (not lam * c.along(phi)), or, for a condition s on "
    "velocities, lam * c.power(s) + test * s"
)
#: what an internal variable without equation lacks
RATE = (
    "this internal variable has no equation for its rate, because no residual has its test "
    "function beside c.a; write (c.a - rate) * c.test of its field, with its value in c.v, or give "
    "the block the role Algebraic"
)


def velocity_level(state: State) -> np.ndarray:
    """Which constraint rows hold velocities, by local number; collective.

    Derivatives are taken at the start and, since they may vanish there, at a state nearby, equal on
    all ranks.

    Raises:
        InputError: a row that holds accelerations, a multiplier without equation or force, or an
            internal variable without an equation for its rate.
    """
    rates, accelerations, held, acting, growing = np.zeros((5, state.total))
    constrained, internal = state.problem.constrained, state.problem.order == 1
    if not any(b.constraint or b.role.order == 1 for b in state.problem.blocks):
        return rates > 0
    keep = state.array.copy()
    for apart in (False, True):
        if apart:
            _move(state)
        for k, c in enumerate(state.components):
            mine = state.problem.local_unknowns[k]
            if not is_added(type(c.kind)):
                growing[mine] = 1
            if not (constrained | internal & (growing == 0))[mine].any():
                continue
            if c.tangent is None and c.residual is not None:  # not compiled: nothing is known
                held[mine] = acting[mine] = growing[mine] = 1
            if c.tangent is None:
                continue
            plain = _tangent(state, k, 0.0, 0.0)
            for along, found in ((2, held), (1, acting)):
                np.add.at(found, mine, (plain != 0).any(axis=along))
            for gamma, beta, found in ((FAST, 0.0, rates), (0.0, FAST**2, accelerations)):
                varied = _tangent(state, k, gamma, beta)
                np.add.at(found, mine, ((varied != plain) & np.isfinite(varied)).any(axis=2))
    state.array[:] = keep
    on_rates, on_accelerations, on_any, on_forces, known = (
        _rows(state, z) for z in (rates, accelerations, held, acting, growing)
    )
    _refuse(state, on_accelerations & constrained)
    _refuse_missing(
        state, constrained & ~(on_rates | on_any),
        f"this multiplier has no equation, because no residual has its test function; {BOTH}",
    )  # fmt: skip
    _refuse_missing(
        state, constrained & ~on_forces,
        f"this multiplier has no force, because no residual contains it; {BOTH}",
    )  # fmt: skip
    _refuse_missing(state, internal & ~(on_accelerations | known), RATE)
    return on_rates & constrained


def holding_rates(state: State) -> list[str]:
    """Names of the constraints that hold velocities; collective."""
    numbers = state.comm.allgather(state.numbers[state.problem.velocity_level])
    return _constraints(state, np.concatenate(numbers))


def _constraints(state: State, numbers: np.ndarray) -> list[str]:
    blocks = [b for b in state.problem.blocks if b.constraint and np.isin(b.numbers, numbers).any()]
    return list(dict.fromkeys(str(b.constraint) for b in blocks))


def _move(state: State) -> None:
    """To coordinates nearby, with velocities."""
    size = float(np.max(np.abs(state.q * state.problem.dynamic), initial=0.0))
    size = max(state.comm.allgather(size)) or 1.0
    q, v = np.random.default_rng(0).standard_normal((2, state.size))
    n = state.local
    state.q[:n] += 1e-3 * size * (q[state.numbers[:n]] * state.problem.dynamic[:n])
    state.v[:n] += size * (v[state.numbers[:n]] * state.problem.dynamic[:n])
    state.globals[0] = 1e-3


def _tangent(state: State, k: int, gamma: float, beta: float) -> np.ndarray:
    """Tangents of the cells of component k, cells x dofs x dofs."""
    c = state.components[k]
    assert c.tangent is not None
    state.globals[1:3] = gamma, beta
    return state.evaluate(k, c.tangent, c.dofs**2).reshape(-1, c.dofs, c.dofs).copy()


def _rows(state: State, found: np.ndarray) -> np.ndarray:
    """Rows found on any rank, by local number; collective."""
    here = state.spread(state.add_over_ranks(found) > 0)
    return np.append(here > 0, np.zeros(state.total - state.local, bool))


def _refuse(state: State, accelerations: np.ndarray) -> None:
    numbers = state.comm.allgather(state.numbers[accelerations])
    for name in _constraints(state, np.concatenate(numbers)):
        raise InputError(
            f"{name}: a constraint holds positions, Phi(q, t) = 0, or velocities, s(q, v, t) = 0; "
            "one of its rows depends on accelerations. Write it a level lower, or as a plain "
            "algebraic unknown (a Block whose role is Algebraic)."
        )


def _refuse_missing(state: State, found: np.ndarray, what: str) -> None:
    numbers = np.concatenate(state.comm.allgather(state.numbers[found]))
    for block in state.problem.blocks:
        if np.isin(block.numbers[block.free], numbers).any():
            raise InputError(f"{block.name}: {what}.")
