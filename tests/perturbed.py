"""Pytest plugin (``-p perturbed``): models with other round-off.

Every initial coordinate, and the place of every node of a mesh, is off by up to ``FC_PERTURB``
(1e-13) of the largest in its block. The amount depends on the model's own numbers only, so that two
runs of one model, or of two that are built alike, are perturbed alike.
"""

import os

import numpy as np


def noise(values: np.ndarray, salt: np.ndarray | int = 0) -> np.ndarray:
    """Numbers in [-1, 1) by the bits of the values, as good as random (mixing of splitmix64)."""
    z = np.ascontiguousarray(values + 0.0).view(np.uint64)  # -0.0 and 0.0 are the same number
    z = z + np.uint64(0x9E3779B97F4A7C15) * np.asarray(salt, dtype=np.uint64)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (z ^ (z >> np.uint64(31))) / 2.0**63 - 1.0


def pytest_configure(config):
    import dolfinx_solver  # noqa: F401  (wheels: loads MPI before the bindings)

    from fem_clearance.core.system import System

    amount = float(os.environ.get("FC_PERTURB", "1e-13"))
    add_block, add_cell = System.add_block, System.add_cell

    def perturbed_block(self, block, after=None):
        if block.order == 2 and block.leader is None and len(block.values):
            salt = 1 + len(self.blocks) * 1000003 + np.arange(len(block.values))
            off = amount * np.abs(block.values).max() * noise(block.values, salt)
            block.values += np.where(block.fixed, 0.0, off)
        add_block(self, block, after)

    def perturbed_cell(self, kind, cell):
        if cell.geometry is not None:  # by the place alone: cells that share a node still do
            places = np.asarray(cell.geometry, dtype=float)
            cell.geometry = places * (1 + amount * noise(places))
        add_cell(self, kind, cell)

    System.add_block, System.add_cell = perturbed_block, perturbed_cell
