"""``.. public:: fem_clearance.bodies``: documents what a package shows of its subpackage.

The lists are the packages' own ``__all__``, so no name can be missing here or be left over. What
several packages show is documented once; the others link to it.
"""

import importlib
import inspect
import re

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.ext.napoleon import GoogleDocstring
from sphinx.util.nodes import nested_parse_with_titles
from sphinx.util.typing import stringify_annotation

#: the first of these that shows an object documents it
FIRST = ("fem_clearance", "fem_clearance.gears", "fem_clearance.lubrication")

#: directive's ending -> role that links to what it documents
ROLES = {"class": "class", "function": "func"}


def shown(package: str) -> dict:
    """Public name -> object."""
    module = importlib.import_module(package)
    return {name: getattr(module, name) for name in getattr(module, "__all__", ())}


def documented_by(name: str, item, package: str) -> str:
    """The package under whose name an object that ``package`` shows is documented."""
    return next((p for p in FIRST if shown(p).get(name) is item), package)


class Public(Directive):
    """First argument: modules, by the beginning of their names, whose public objects are shown.
    Second: the package that shows them (default fem_clearance)."""

    required_arguments = 1
    optional_arguments = 1

    def run(self):
        modules = tuple(self.arguments[0].split(","))
        package = self.arguments[1] if len(self.arguments) > 1 else "fem_clearance"
        lines, links = StringList(), []
        for name, item in shown(package).items():
            home = getattr(item, "__module__", "")
            if inspect.ismodule(item) or not home.startswith(modules):
                continue
            kind = "class" if inspect.isclass(item) else "function"
            first = documented_by(name, item, package)
            if first != package:
                links.append(f":py:{ROLES[kind]}:`{first}.{name}`")
                continue
            lines.append(f".. auto{kind}:: {package}.{name}", __file__)
            if kind == "class":
                lines.append("   :members:", __file__)
            lines.append("", __file__)
        if links:
            text = f"``{package}`` also shows {', '.join(links)}."
            lines = StringList([text, ""], __file__) + lines
        if not lines:
            raise self.error(f"{package} shows nothing of {modules}")
        section = nodes.section(document=self.state.document)
        nested_parse_with_titles(self.state, lines, section)
        return section.children


def as_sentences(app, what, name, obj, options, lines):
    """Keeps docutils and Napoleon from taking words for marks.

    A description ``m.`` would be the letter of a list. Of a property's docstring, what stands
    before the first colon would be a type, were the first line no comment. Names of pages become
    links.
    """
    lines[:] = [re.sub(r"(:\s+)(?=[A-Za-z]\.(\s|$))", r"\1\\", line) for line in lines]
    lines[:] = [re.sub(r"\bdocs/(\w+)\.md", r":doc:`/\1`", line) for line in lines]
    if what in ("attribute", "property"):
        text = GoogleDocstring(lines, app.config, app, "method", name, obj, options)
        lines[:] = ["..", "", *text.lines()]


def attributes(app, what, name, obj, options, lines):
    """Gives each name of a class's list of attributes its type, as Napoleon has left the list."""
    if what != "class":
        return
    types: dict = {}
    for base in reversed(obj.__mro__):
        types |= base.__dict__.get("__annotations__", {})
    for k, line in enumerate(lines):
        if found := re.match(r"((?::Attributes:|\s+) *\* )\*\*([\w, ]+)\*\*(.*)", line):
            head, names, text = found.groups()
            kinds = dict.fromkeys(short(types[n]) for n in names.split(", ") if n in types)
            bold = ", ".join(f"**{n}**" for n in names.split(", "))
            lines[k] = f"{head}{bold}{f' ({", ".join(kinds)})' if kinds else ''}{text}"


def short(annotation) -> str:
    """A type as readers know it: ``float``, ``np.ndarray``."""
    text = annotation if isinstance(annotation, str) else stringify_annotation(annotation, "smart")
    return f"*{text.replace('~', '').replace('numpy.', 'np.')}*"


def without_aliases(app, what, name, obj, skip, options):
    """Fields of named tuples have Python's docstring, "Alias for field number 0": their class
    describes them."""
    return True if (inspect.getdoc(obj) or "").startswith("Alias for field number") else None


def of_its_package(app, doctree):
    """A name that several packages show, in a type: that of the package being documented."""
    for signature in doctree.findall(addnodes.desc_signature):
        package = signature.get("module") or "fem_clearance"
        for link in signature.findall(addnodes.pending_xref):
            target = link["reftarget"]
            if target in shown(package):
                first = documented_by(target, shown(package)[target], package)
                link["reftarget"] = f"{first}.{target}"


def setup(app):
    app.connect("doctree-read", of_its_package)
    app.connect("autodoc-process-docstring", as_sentences, priority=400)  # Napoleon's is 500
    app.connect("autodoc-process-docstring", attributes, priority=600)
    app.connect("autodoc-skip-member", without_aliases)
    app.add_directive("public", Public)
    return {"parallel_read_safe": True}
