"""Large arrays outside of the heap, so that the memory of those that are freed returns to the
system."""

import ctypes
from functools import cache

#: GNU C library's number of the option, and bytes from which an array has pages of its own
MMAP_THRESHOLD, LARGE = -3, 1 << 17


@cache
def thrifty() -> None:
    """Let each large array from now on have pages of its own, of which those never written take no
    memory, and give back the pages of the heap that are free.

    The GNU C library would raise its limit to 32 MB as soon as such arrays are freed and keep the
    gaps between others: a tenth of what a model of 100,000 unknowns needs. Small models do not need
    this, in which a page that is new each time would cost more than it saves. Other C libraries
    decide for themselves.
    """
    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt") and hasattr(library, "malloc_trim"):
        library.mallopt(MMAP_THRESHOLD, LARGE)
        library.malloc_trim(0)
