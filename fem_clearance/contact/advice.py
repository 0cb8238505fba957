"""Which step resolves a contact: logged when a joint or a contact of facets is built."""

from __future__ import annotations

import logging

import numpy as np

from ..bodies.given import extremes
from ..bodies.solids.facets import FacetSet
from ..core.roles import Coordinate
from .laws.trial import slope_at

logger = logging.getLogger(__name__)


def recommend_step(joint) -> None:
    """Log a twentieth of the period of the bodies' reduced mass on the law's stiffness at a tenth
    of the clearance, where the masses are known.

    Args:
        joint: a ``Clearance``.
    """
    mobility = sum(_mobility(f) for f in (joint.i, joint.j))
    if mobility > 0:
        depth = 0.1 * joint.clearance
        stiffness = stiffness_at(joint, depth)
        step = 2 * np.pi / np.sqrt(stiffness * mobility) / 20
        logger.info(
            "%s: with a stiffness of %.3g N/m at a depth of %.3g m and a reduced mass of %.3g kg, "
            "contact needs steps of about %.2g s",
            joint.name, stiffness, depth, 1 / mobility, step,
        )  # fmt: skip


def recommend_step_of_facets(who: str, facets: FacetSet, k: float) -> None:
    """Log a twentieth of the period of the lightest facet on a penalty stiffness (Pa/m), which
    nothing in a run with fixed steps looks after.

    The mass of a facet's nodes is half that of its cell, or a sixth with nodes in the middle
    (Gauss and Lobatto's weights of the nodes on an end).
    """
    solid = facets.solid
    role = None if solid.block is None else solid.block.role
    if not isinstance(role, Coordinate) or role.massless:
        return
    volume = solid.thickness * solid.mesh.quadrature(2, facets.facets[:, 0])[0].sum(axis=1)
    depth = float(np.min(volume / facets.quadrature()[0].sum(axis=1)))
    mass = extremes(solid.material.rho)[0] * depth / (2 if solid.degree == 1 else 6)
    logger.info(
        "%s: with a stiffness of %.3g Pa/m and %.3g kg/m^2 at the nodes of the facets %r, steps of "
        "about %.2g s resolve a facet in contact; adaptive steps find their length, fixed ones are "
        "not shortened for it",
        who, k, mass, facets.name, 2 * np.pi * np.sqrt(mass / k) / 20,
    )  # fmt: skip


def stiffness_at(joint, depth: float) -> float:
    """Slope of a joint's normal force at a depth (m) at rest, N/m."""
    names = joint.normal.parameters
    return slope_at(joint.normal, {n: joint.numbers[f"normal.{n}"] for n in names}, depth)


def _mobility(frame) -> float:
    """Largest acceleration in the plane a force at a rigid body's point gives, 1/kg; 0 where the
    mass is not known."""
    mass, inertia = (getattr(frame.body, n, None) for n in ("mass", "inertia"))
    if mass is None or inertia is None:
        return 0.0
    lever = frame.offset @ frame.offset
    return float(1 / mass + lever / np.linalg.eigvalsh(inertia)[-1])
