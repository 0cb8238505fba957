"""Names: what files and channels are called by."""

import os

import pytest

import fem_clearance as fc
from fem_clearance import meshes
from fem_clearance.io.files import reading
from fem_clearance.io.vtk import Collection, entries, read_vtu, vtu

SOFT = fc.LinearElastic(E=1e6, nu=0.3, rho=1000.0)


@pytest.mark.parametrize(
    "name", ["../../x", "a/b", "a\\b", ".x", "", " ", "a\0", "a\n", "\ud800", "x" * 101, "fields",
             "energy", "time", "energy.x", 3],
)  # fmt: skip
def test_refused_where_they_are_given(here, name):
    """The solid's would be files outside of the run's folder."""
    for item in (
        fc.RigidBody(1.0, (1, 1, 1), name=name, free=True),
        fc.Solid(meshes.block((1, 1, 1), (1, 1, 1)), SOFT, name=name),
    ):
        system = fc.System()
        with pytest.raises(fc.InputError, match="name must not|name must be"):
            system.add(item)
        assert not system.items
    assert not os.listdir(here)


@pytest.mark.parametrize("name", ["µm", "a b", "a.b", '"', "<b>", "a" * 100])
def test_accepted(name):
    assert fc.System().add(fc.RigidBody(1.0, (1, 1, 1), name=name, free=True)).name == name


def test_of_cases_and_parameters():
    for name in ("../x", "a/b", ""):
        with pytest.raises(fc.InputError, match="the name of a case"):
            fc.Case(name, "", lambda p: None)
    for name in ("case", "case_sha256", "a=b", " a", "", "a\nb"):
        with pytest.raises(fc.InputError, match="parameter"):
            fc.Parameter(name, 1.0)


def test_collections_stay_in_their_folder(tmp_path, comm):
    with pytest.raises(fc.InputError, match="slash"):
        Collection(tmp_path / "fields", "../x", None, comm)
    (tmp_path / "x.pvd").write_text('<a><DataSet timestep="0" file="../x.vtu"/></a>')
    with pytest.raises(fc.InputError, match="x.pvd is damaged: it lists '../x.vtu'"):
        entries(tmp_path / "x.pvd")


@pytest.mark.parametrize("name", ['"', "<a>", "&", "'", "]]>"])
def test_in_xml(tmp_path, comm, name):
    import numpy as np

    x, cells = np.eye(3), [[0, 1, 2]]
    series = Collection(tmp_path, name, None, comm)
    series.add(1.5, vtu(x, cells, 7, {name: x[0]}, {}, {"names": [name]}))
    ((t, file),) = entries(tmp_path / f"{name}.pvd")
    data = read_vtu(tmp_path / file)
    assert t == 1.5 and (data[name] == x[0]).all() and data["names"] == [name]


@pytest.mark.parametrize("name", ["<!--<script>", "<script>", "<img src=x>"])
def test_in_a_page(here, name):
    system = fc.System(gravity=(0, -9.81, 0))
    system.add(fc.RigidBody(shape=fc.shapes.Sphere(0.1), density=1000, name="ball", free=True))
    fc.Simulation(system, dt=1e-3, t_end=1e-3, output=here / name, fields_every=1e-3).run()
    scene = fc.Results.open(here / name).scene()
    text = scene.page(here / "page.html").read_text(encoding="utf-8")
    assert scene.title == name and name not in text  # the data is packed
    assert text.count("<script") == 1 and "<!--" not in text and "<img" not in text


def test_damage_is_one_sentence(tmp_path):
    for error in (KeyError("x"), MemoryError(), RecursionError("a\nb"), OSError(5, "I/O error")):
        sentence = pytest.raises(fc.InputError, match=r"^.*file is damaged: [^\n]+; mend it\.$")
        with sentence, reading(tmp_path / "file", "mend it"):
            raise error
    os.mkfifo(tmp_path / "pipe")
    sentence = pytest.raises(fc.InputError, match="pipe cannot be read: it is no file")
    with sentence, reading(tmp_path / "pipe"):
        pass
