"""The pages of the reference: read without a warning, every public name documented once."""

import importlib
import inspect
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")
pytest.importorskip("myst_nb")

ROOT = Path(__file__).parents[1]
PACKAGES = (
    "fem_clearance", "fem_clearance.analysis", "fem_clearance.dolfinx", "fem_clearance.extend",
    "fem_clearance.functions",
    "fem_clearance.gears", "fem_clearance.guides", "fem_clearance.lubrication",
    "fem_clearance.meshes", "fem_clearance.shapes",
)  # fmt: skip


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """What Sphinx says of docs/api, with the extension and settings of the documentation, and what
    it finds documented there: name -> whether it is another name of something."""
    out = tmp_path_factory.mktemp("api")
    extensions = "myst_parser,sphinx.ext.autodoc,sphinx.ext.intersphinx,sphinx.ext.napoleon"
    extensions += ",public_api"
    # the other pages, which docstrings link to, are not here: `make docs` checks these links
    settings = {
        "root_doc": "system", "extensions": extensions,
        "suppress_warnings": "toc.not_included,ref.doc",
    }  # fmt: skip
    options = [x for key, value in settings.items() for x in ("-D", f"{key}={value}")]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-b", "dummy", "-d", out / "trees", "-c",
         ROOT / "docs", *options, ROOT / "docs" / "api", out / "none"],
        capture_output=True, text=True, timeout=500,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with open(out / "trees" / "environment.pickle", "rb") as file:
        domains = pickle.load(file).domaindata
    return done.stderr, {k: entry.aliased for k, entry in domains["py"]["objects"].items()}, out


def test_no_warnings(pages):
    """A docstring that is no valid reST, a name documented twice, a link with two targets."""
    said = [line for line in pages[0].splitlines() if "WARNING" in line or "ERROR" in line]
    assert not said


def test_nothing_private(pages):
    """No name that begins with an underscore is documented."""
    assert not [n for n in pages[1] if any(part.startswith("_") for part in n.split("."))]


def test_public_names_are_documented_once(pages):
    """Under the package that shows them or, where several do, under one of these."""
    places: dict = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            item = getattr(module, name)
            if inspect.isclass(item) or inspect.isroutine(item):
                places.setdefault(item, []).append(f"{package}.{name}")
    assert len(places) > 200
    found = {place for place, aliased in pages[1].items() if not aliased}
    counts = {names[0]: len(found.intersection(names)) for names in places.values()}
    assert {name: n for name, n in counts.items() if n != 1} == {}


def test_types_are_shown(pages):
    """In signatures and lists of attributes, under the names that users know."""
    with open(pages[2] / "trees" / "films.doctree", "rb") as file:
        text = pickle.load(file).astext()
    assert "ForwardRef" not in text and "_array_like" not in text
    assert "stiffness, damping (np.ndarray) – -d(force, moment)" in text
    assert "radius: float" in text


def test_pages_read_as_docstrings_do(pages):
    """Units are no letters of lists, colons in a property's docstring begin no type, and fields of
    named tuples show no docstring of Python's."""
    from docutils import nodes

    texts = []
    for page in ("bodies", "films", "extend"):
        with open(pages[2] / "trees" / f"{page}.doctree", "rb") as file:
            tree = pickle.load(file)
        assert not list(tree.findall(nodes.enumerated_list))
        texts.append(tree.astext())
    bodies, films, extend = texts
    assert "radius – m." in films and "second moment" in bodies
    assert "Alias for field" not in extend
    assert "Fields after the frames’: name -> shape." in extend
