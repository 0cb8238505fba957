"""Files of a run: written whole or not at all; one sentence of those that are not what was
written, whatever their reader says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError


def damaged(path: Path, why: str, remedy: str = "") -> InputError:
    """The sentence about a file of which something is wrong."""
    return InputError(f"{path} is damaged: {why.rstrip('.')}{'; ' if remedy else ''}{remedy}.")


@contextmanager
def reading(path: Path, remedy: str = "") -> Iterator[None]:
    """While a file is read: what its content makes a reader raise says that it is damaged.

    Libraries raise errors of any kind on bytes they did not write.

    Args:
        remedy: what to do about it, a clause.

    Raises:
        InputError: of a file that is damaged, or cannot be read at all.
    """
    if path.exists() and not path.is_file():  # a folder, or a pipe that nobody fills
        raise InputError(f"{path} cannot be read: it is no file.")
    try:
        yield
    except InputError:
        raise
    except (FileNotFoundError, PermissionError) as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except Exception as error:
        said = " ".join(str(error).split()) or type(error).__name__
        raise damaged(path, said, remedy) from error


@contextmanager
def replacing(path: Path, sync: bool = False) -> Iterator[Path]:
    """Another file to write, which then takes the place of ``path``: the earlier one stays until
    this is complete.

    Args:
        sync: put it on the disk first, else a power cut may leave an empty file in its place.
    """
    temporary = path.with_name(path.name + ".tmp")
    yield temporary
    if sync:
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
    os.replace(temporary, path)
