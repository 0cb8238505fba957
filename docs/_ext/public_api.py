"""``.. public:: fem_clearance.bodies``: documents what a package shows of its subpackage.

The lists are the packages' own ``__all__``, so no name can be missing here or be left over.
"""

import importlib
import inspect

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.util.nodes import nested_parse_with_titles


class Public(Directive):
    """First argument: modules, by the beginning of their names, whose public objects are shown.
    Second: the package that shows them (default fem_clearance)."""

    required_arguments = 1
    optional_arguments = 1

    def run(self):
        modules = tuple(self.arguments[0].split(","))
        package = self.arguments[1] if len(self.arguments) > 1 else "fem_clearance"
        names = importlib.import_module(package).__all__
        lines = StringList()
        for name in names:
            item = getattr(importlib.import_module(package), name)
            home = getattr(item, "__module__", "")
            if inspect.ismodule(item) or not home.startswith(modules):
                continue
            kind = "autoclass" if inspect.isclass(item) else "autofunction"
            lines.append(f".. {kind}:: {package}.{name}", __file__)
            if kind == "autoclass":
                lines.append("   :members:", __file__)
            lines.append("", __file__)
        if not lines:
            raise self.error(f"{package} shows nothing of {modules}")
        section = nodes.section(document=self.state.document)
        nested_parse_with_titles(self.state, lines, section)
        return section.children


def setup(app):
    app.add_directive("public", Public)
    return {"parallel_read_safe": True}
