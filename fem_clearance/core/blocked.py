"""Arrays as kernels for several cells at once read them."""

import numpy as np

#: bytes of the longest vectors, at multiples of which blocks begin
VECTOR = 64


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy that begins where vectors can be read best."""
    room = np.empty(array.nbytes + VECTOR, np.uint8)
    start = -room.ctypes.data % VECTOR
    result = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


def in_blocks(rows: np.ndarray, lanes: int) -> np.ndarray:
    """Numbers of cells (cells x numbers) as blocks x numbers x lanes; the last cell is repeated
    until its block is full."""
    blocks = -(-len(rows) // lanes)
    cells = np.minimum(np.arange(blocks * lanes), len(rows) - 1)
    return rows[cells].reshape(blocks, lanes, rows.shape[1]).transpose(0, 2, 1)


def in_lanes(rows: np.ndarray, lanes: int) -> np.ndarray:
    """Rows of numbers of cells, (cells, n), in the order in which a kernel for ``lanes`` cells at
    a time reads them."""
    return aligned(in_blocks(rows, lanes)) if lanes > 1 else rows
