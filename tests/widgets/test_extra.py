"""What is said without the packages of an extra."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import dicedocs_widgets

EXTRAS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]


def without(package, code):
    """The last line on standard error of code that is run as if a package were not installed."""
    code = f"import sys; sys.modules[{package!r}] = None\n{code}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    return done.stderr.strip().rpartition("\n")[2]


@pytest.mark.parametrize("package", dicedocs_widgets._EXTRA)
def test_a_panel_names_the_extra_to_install(package):
    said = without(package, "from dicedocs_widgets import panel")
    assert said == f"ImportError: panel() needs {package}: pip install 'dicedocs[widgets]'"


def test_a_class_of_panels_does_too():
    said = without("ipywidgets", "import dicedocs_widgets\ndicedocs_widgets.Panel")
    assert said == "ImportError: Panel needs ipywidgets: pip install 'dicedocs[widgets]'"


def test_another_missing_package_is_not_blamed_on_the_extra():
    said = without("lark", "from dicedocs_widgets import panel; panel('methuen/expression', expression='3d6')")
    assert "dicedocs[widgets]" not in said


def test_the_extra_is_that_of_the_project():
    extra = EXTRAS["optional-dependencies"]["widgets"]
    assert {Requirement(each).name.casefold() for each in extra} == {
        each.casefold() for each in dicedocs_widgets._EXTRA
    }


def test_the_packages_themselves_can_be_imported_without_their_extras():
    assert without("ipywidgets", "import dicedocs_widgets") == ""
    assert without("sphinx", "import dicedocs_sphinx, dicedocs_sphinx.pytest_plugin") == ""
