"""Beams: straight, uniform, of one of the kinds in ``beam_kinds.py``."""

from __future__ import annotations

import numpy as np

from .. import checks
from ..component import Cell
from ..errors import InputError
from ..unknowns import ROTATION, TRANSLATION, Block
from .beam_kinds import AncfKind, BeamKind, CableKind, QuadraticKind
from .beam_shape import BeamShape, shape_of
from .frame import Frame, PointFrame, SectionFrame
from .materials import StVenantKirchhoff
from .sections import Section

MODELS = ("quadratic", "ancf", "cable")


class Beam:
    """A straight uniform beam.

    Args:
        start, end: ends of the undeformed centre line, m.
        section: cross-section; its y and z lie along the directors d2 and d3.
        material: elastic constants and density.
        elements: number of elements.
        model: ``"quadratic"`` (shear-flexible, locking-free), ``"ancf"`` (the paper's 24-coordinate
            element) or ``"cable"`` (thin, without torsion; its nodes have no triad).
        poisson: ``"split"`` or ``"full"``, see ``beam_kinds.DirectorKind``.
        up: direction near which d2 starts; by default the global y axis, or z for lines along y.
        velocity: initial velocity of the centre of mass, m/s.
        angular_velocity: initial, in the fixed axes, rad/s.
        load: uniform dead load, N per metre of undeformed length.
        name: for messages and channels.
        free: a body that flies freely, connected to nothing.

    Attributes:
        start, end: frames at the ends.
        axes: initial triad (along the line, d2, d3) by columns.

    Raises:
        InputError: values no beam has.
    """

    prefix = "beam"

    def __init__(
        self,
        start,
        end,
        section: Section,
        material: StVenantKirchhoff,
        elements=6,
        *,
        model="quadratic",
        poisson="split",
        up=None,
        velocity=(0, 0, 0),
        angular_velocity=(0, 0, 0),
        load=(0, 0, 0),
        name=None,
        free=False,
    ):
        label = name or "beam"
        self.name, self.free = name, free
        self.origin = checks.vector(f"{label}: start", start)
        line = checks.vector(f"{label}: end", end) - self.origin
        self.length = float(np.linalg.norm(line))
        if not self.length > 0:
            raise InputError(
                f"{label}: start and end are the same point, {_list(self.origin)}: a "
                "beam needs a length."
            )
        self.section, self.material = section, material
        for what, (kind, example) in _EXAMPLES.items():
            if not isinstance(getattr(self, what), kind):
                raise InputError(
                    f"{label}: {what} must be a {what} such as {example}, got "
                    f"{getattr(self, what)!r}."
                )
        self.elements = checks.count(f"{label}: elements", elements)
        self.kind = _kind(label, model, poisson, section)
        self.axes = _triad(label, line / self.length, up)
        self.velocity = checks.vector(f"{label}: velocity", velocity)
        self.angular_velocity = checks.vector(f"{label}: angular_velocity", angular_velocity)
        self.load = checks.vector(f"{label}: load", load)
        self.nodes: list[dict[str, Block]] = []
        self.start, self.end = self.node(0), self.node(-1)

    @property
    def position(self) -> np.ndarray:
        """Initial centre of mass, m."""
        return self.origin + self.length / 2 * self.axes[:, 0]

    @property
    def mass(self) -> float:
        """Mass, kg."""
        return self.material.rho * self.section.area * self.length

    @property
    def spacing(self) -> float:
        """Distance of two nodes, m."""
        return self.length / (self.elements * self.kind.spans)

    # --- frames ---------------------------------------------------------------------------------
    def node(self, k: int) -> Frame:
        """Frame at end ``k`` of the elements: 0 is the start, ``elements`` (or -1) the end."""
        last = self.elements
        if not -last - 1 <= k <= last:
            raise InputError(f"{self.name or 'beam'} has no node {k}: its nodes are 0 to {last}.")
        return _BeamNode(self, (k % (self.elements + 1)) * self.kind.spans)

    def at(self, position) -> Frame:
        """Frame at the node that starts at ``position`` (m)."""
        label, line = self.name or "beam", self.axes[:, 0]
        point = checks.vector(f"{label}: position", position)
        last = self.elements * self.kind.spans
        k = int(np.clip(round((point - self.origin) @ line / self.spacing), 0, last))
        node = _BeamNode(self, k)
        if np.linalg.norm(point - node.position) > 1e-6 * self.length:
            raise InputError(
                f"{label} has no node at {_list(point)}; its nodes lie every {self.spacing:.6g} m "
                f"from {_list(self.origin)} to {_list(self.end.position)}."
            )
        return node

    # --- building -------------------------------------------------------------------------------
    def build(self, system) -> None:
        e1, d2, d3 = self.axes.T
        per_element = self.length / self.elements
        half = float(np.abs(self.section.outline).max())
        self.nodes = []
        for k in range(self.elements * self.kind.spans + 1):
            along = (k * self.spacing - self.length / 2) * e1
            values = {"r": self.position + along, "slope": per_element * e1, "d2": d2, "d3": d3}
            arms = values | {"r": along}
            node = {}
            for name in self.kind.node_fields:
                rate = np.cross(self.angular_velocity, arms[name])
                if name == "r":
                    rate += self.velocity
                # a slope is a slope times the element's length, m: its row is a force
                row = ROTATION if name in ("d2", "d3") else TRANSLATION
                reach = half if row == ROTATION else None
                node[name] = Block(
                    f"{self.name}.node{k}.{name}", values[name], rate, row=row, reach=reach
                )
                system.add_block(node[name])
            self.nodes.append(node)
        factors = {"shear_y": 1.0, "shear_z": 1.0, "torsion": 1.0}
        parameters = self.kind.pack(
            **(self.kind.pack_beam(self.section, self.material, self.load, factors)
               if self.kind.spans == 2 or "d2" in self.kind.node_fields
               else self.kind.pack_beam(self.section, self.material, self.load))
        )
        for k in range(self.elements):
            nodes = self.nodes[k * self.kind.spans :]
            refs = [nodes[at][name].all for name, at in self.kind.layout]
            ends = (k * per_element, (k + 1) * per_element)
            system.add_cell(self.kind, Cell(self.name, refs, parameters, ends))

    # --- pictures -------------------------------------------------------------------------------
    def shape(self, values: np.ndarray) -> BeamShape:
        """Centre line and sections at the ends and middles of the elements.

        Args:
            values: coordinates of the whole system by global number.
        """
        return shape_of(self, values)


class _BeamNode(Frame):
    """The frame of a node; its unknowns exist once the beam has been added."""

    def __init__(self, body: Beam, k: int):
        self.k = k
        kind = SectionFrame() if "d2" in body.kind.node_fields else PointFrame()
        position = body.origin + k * body.spacing * body.axes[:, 0]
        super().__init__(body, "", kind, [], position, body.axes)

    @property
    def refs(self):
        names = ("r", "d2", "d3") if self.kind.has_triad else ("r",)
        return [self.body.nodes[self.k][name].all for name in names]

    @refs.setter
    def refs(self, value):
        pass

    @property
    def name(self):
        last = self.body.elements * self.body.kind.spans
        place = {0: "start", last: "end"}.get(self.k, f"node{self.k}")
        return f"{self.body.name or 'beam'}.{place}"

    @name.setter
    def name(self, value):
        pass


_EXAMPLES = {
    "section": (Section, "Rectangle(0.02, 0.02)"),
    "material": (StVenantKirchhoff, "StVenantKirchhoff(E=2.07e11, nu=0.3, rho=7800)"),
}


def _kind(label: str, model, poisson, section: Section) -> BeamKind:
    checks.choice(f"{label}: model", model, MODELS)
    checks.choice(f"{label}: poisson", poisson, ("split", "full"))
    if model == "quadratic":
        return QuadraticKind(poisson)
    if model == "ancf":
        return AncfKind(poisson)
    if poisson == "full":
        raise InputError(
            f"{label}: a cable has no strains across its section, so poisson='full' "
            "says nothing; use model='ancf' or 'quadratic'."
        )
    if abs(section.I_y - section.I_z) > 1e-9 * section.I_y:
        raise InputError(
            f"{label}: a cable bends alike in all directions, but this section has "
            f"second moments {section.I_y:.3g} and {section.I_z:.3g} m^4; use "
            "model='quadratic'."
        )
    return CableKind()


def _triad(label: str, axis: np.ndarray, up) -> np.ndarray:
    """Axis, d2 near ``up``, and d3, by columns."""
    if up is None:
        guess = np.array([0.0, 0.0, 1.0] if abs(axis[1]) > 0.99 else [0.0, 1.0, 0.0])
    else:
        guess = checks.direction(f"{label}: up", up)
    d2 = guess - (guess @ axis) * axis
    if np.linalg.norm(d2) < 1e-6:
        raise InputError(f"{label}: up must not be parallel to the beam, got {_list(guess)}.")
    d2 /= np.linalg.norm(d2)
    return np.column_stack([axis, d2, np.cross(axis, d2)])


def _list(x) -> str:
    return "(" + ", ".join(f"{z:.6g}" for z in x) + ")"
