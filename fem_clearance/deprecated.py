"""Names of arguments and modules that have changed: the old ones go on to be understood."""

from __future__ import annotations

import functools
import importlib
import sys
import warnings
from collections.abc import Callable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, TypeVar

Called = TypeVar("Called")


def arguments(**names: str) -> Callable[[Called], Called]:
    """Decorator of a function or class some of whose arguments had other names, old -> new.

    Each old name gives a ``DeprecationWarning`` in one sentence.
    """

    def decorate(function: Any) -> Any:
        if isinstance(function, type):
            function.__init__ = decorate(function.__init__)  # type: ignore[misc]
            return function

        @functools.wraps(function)
        def call(*args, **options):
            for old, new in names.items():
                if old in options:
                    warnings.warn(f"{old} is called {new} now.", DeprecationWarning, stacklevel=2)
                    options[new] = options.pop(old)
            return function(*args, **options)

        return call

    return decorate


def method(old: str, new: Any) -> Any:
    """A method under the name ``old`` that it had before, for its class."""

    @functools.wraps(new)
    def call(self, *args, **options):
        message = f"{old} is called {new.__name__} now."
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return new(self, *args, **options)

    return call


def names(module: str, **names: str) -> Callable[[str], Any]:
    """A module's ``__getattr__`` for what had other names, old -> new."""

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{name} is called {names[name]} now.", DeprecationWarning, stacklevel=2)
        return getattr(sys.modules[module], names[name])

    return find


class _Renamed(Loader):
    """Loads a module by the name that it had before."""

    def __init__(self, old: str, new: str, silent: bool):
        self.old, self.new, self.silent = old, new, silent

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        if not self.silent:
            warnings.warn(f"{self.old} is called {self.new} now.", DeprecationWarning, stacklevel=2)
        module = importlib.import_module(self.new)
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # its own again: it has been run already


class Modules(MetaPathFinder):
    """Finds modules of a package that had other names, old -> new, both without the package's.

    Args:
        package: its name.
        names: each gives a ``DeprecationWarning`` in one sentence.
        kept: old names that stay, without a warning.
    """

    def __init__(self, package: str, names: dict[str, str], kept: dict[str, str]):
        self.names = {
            f"{package}.{old}": (f"{package}.{new}", old in kept)
            for old, new in {**names, **kept}.items()
        }

    def find_spec(self, fullname, path=None, target=None) -> ModuleSpec | None:
        if fullname not in self.names:
            return None
        return ModuleSpec(fullname, _Renamed(fullname, *self.names[fullname]))

    def install(self) -> None:
        """Let ``import`` ask here before all else."""
        sys.meta_path.insert(0, self)
