"""The page of a run: numbers with units, parameters, figures, warnings."""

import re

import pytest

from fem_clearance import StepFailed, Stepper, cases

from ..conftest import shell


def cells(page, name):
    """Texts of the row of a table whose first cell is ``name``."""
    row = re.search(rf"<tr><td>(?:<b>)?{re.escape(name)}(?:</b>)?</td>(.*?)</tr>", page)[1]
    return re.findall(r"<td[^>]*>(.*?)</td>", row)


@pytest.fixture
def page(here):
    """Of a pendulum of rigid arms through its first impact."""
    values = "arm.model=rigid joint.ball_radius=0.017"
    assert shell(f"run double_pendulum --set {values} --t-end 0.036 --out run --quiet") == 0
    assert shell("report run") == 0
    return (here / "run" / "report.html").read_text(encoding="utf-8")


def test_numbers_parameters_figures(page, here):
    summary = cases.get("double_pendulum").units
    number, unit = cells(page, "first_impact_speed")
    assert unit == summary["first_impact_speed"] == "m/s"
    assert float(number) == pytest.approx((2 * 9.81 * 0.003 / 2) ** 0.5, rel=0.05)
    assert cells(page, "joint.ball_radius")[:2] == ["0.017", "m"]
    assert "<b>joint.ball_radius</b>" in page and "<b>gravity</b>" not in page
    drawn = len(list((here / "run" / "figures").glob("*.png")))
    assert drawn > 0 and page.count('src="data:image/png;base64,') == drawn
    assert 'class="warning"' not in page


def test_a_run_that_stopped(here, monkeypatch):
    advance = Stepper.advance

    def stop(self, *_):
        if self.steps == 20:
            raise StepFailed("the rope broke")
        advance(self)

    monkeypatch.setattr(Stepper, "advance", stop)
    values = "--set arm.model=rigid --dt 1e-4 --t-end 0.01"
    assert shell(f"run double_pendulum {values} --out run --quiet") == 3
    assert shell("report run --html page.html") == 0
    text = (here / "page.html").read_text(encoding="utf-8")
    assert re.search(r'class="warning">Stopped at t = 0.002 s: the rope broke<', text)


def test_no_run(here, capsys):
    assert shell("report nowhere") == 2
    assert "there is no folder nowhere" in capsys.readouterr().err
    here.joinpath("empty").mkdir()
    assert shell("report empty") == 2
    assert "empty holds no results of a run" in capsys.readouterr().err


@pytest.mark.parametrize("name", cases.names())
def test_cases_name_units_of_their_numbers(name):
    case = cases.get(name)
    assert bool(case.units) == (case.summary is not None)
