"""Files of a run: written completely or not at all; damaged ones are reported in one sentence,
whatever error a library raises."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..errors import InputError


def damaged(path: Path, why: str, remedy: str = "") -> InputError:
    """The error about a damaged file."""
    return InputError(f"{path} is damaged: {why.rstrip('.')}{'; ' if remedy else ''}{remedy}.")


@contextmanager
def reading(path: Path, remedy: str = "") -> Iterator[None]:
    """Report any error while a file is read as damage: libraries raise errors of all kinds on bytes
    that they did not write.

    Args:
        remedy: what to do about it, a clause.

    Raises:
        InputError: a file that is damaged, or cannot be read at all.
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
def writing(path: str | Path) -> Iterator[IO[str]]:
    """A text file to write, whose name the user gave.

    Raises:
        InputError: it cannot be written.
    """
    try:
        with open(path, "w", newline="", encoding="utf-8") as file:
            yield file
    except BrokenPipeError:  # the reader has gone, see cli.py
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None


@contextmanager
def replacing(path: Path, sync: bool = False) -> Iterator[Path]:
    """A temporary file to write, which then replaces ``path``: the earlier file stays until the new
    one is complete.

    Args:
        sync: flush it to the disk first; without that a power cut may leave an empty file.
    """
    temporary = path.with_name(path.name + ".tmp")
    yield temporary
    if sync:
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
    os.replace(temporary, path)
