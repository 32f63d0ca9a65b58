"""Runs the notebooks of the documentation as MyST-NB reads them.

MyST-NB takes :func:`executed` for its reader of notebooks (``nb_custom_formats``), and runs nothing itself. What was
run is kept in ``build/notebooks`` until the notebook or our code changes, so that the site, the doctest builder and the
tests run it once. The same notebook gives the same page, byte for byte, and the page shows a panel as it was when the
notebook ended, or, without scripts, the outcome that its cell had.
"""

from __future__ import annotations

import json
import os
import re
import sys
from functools import cache
from hashlib import sha256
from html import escape
from importlib.metadata import version
from logging import ERROR
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from nbformat import NotebookNode
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment
    from sphinx.util.typing import ExtensionMetadata

ROOT: Final = Path(__file__).resolve().parents[2]
KEPT: Final = ROOT / "build" / "notebooks"
"""Where what was run is kept."""
CODE: Final = ("dicedocs", "widgets/dicedocs_widgets", "docs/_ext/notebooks.py")
"""What the outputs of a notebook depend on, beside itself and the Python that runs it."""
PACKAGES: Final = ("anywidget", "ipykernel", "ipywidgets", "nbclient", "traitlets")
"""What else has a say in them."""
VIEW: Final = "application/vnd.jupyter.widget-view+json"
STATE: Final = "application/vnd.jupyter.widget-state+json"
_SECONDS: Final = 120
"""How long a cell may take."""


@cache
def digest() -> str:
    """Give the digest of all code on which the outputs of a notebook depend."""
    held = sha256(f"{sys.version} {[version(package) for package in PACKAGES]}".encode())
    for name in CODE:
        path = ROOT / name
        files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.suffix != ".pyc")
        for file in filter(Path.is_file, files):
            held.update(f"{file.relative_to(ROOT)}\0".encode())
            held.update(sha256(file.read_bytes()).digest())
    return held.hexdigest()


def executed(text: str) -> NotebookNode:
    """Give a notebook with its outputs.

    Parameters:
        text: the notebook as it stands in its file, without outputs.

    Raises:
        CellExecutionError: a cell raises what it is not tagged to raise.
    """
    import nbformat

    notebook: NotebookNode = nbformat.reads(text, as_version=4)
    title = re.sub(r"\W+", "-", notebook.cells[0].source.partition("\n")[0]).strip("-").lower()
    kept = KEPT / f"{title}.{sha256(f'{digest()}{text}'.encode()).hexdigest()[:16]}.ipynb"
    if kept.is_file():
        known: NotebookNode = nbformat.read(kept, as_version=4)
        return known
    made = settled(run(notebook))
    KEPT.mkdir(parents=True, exist_ok=True)
    for outdated in KEPT.glob(f"{title}.*.ipynb"):
        outdated.unlink(missing_ok=True)
    # Another build may be doing the same.
    with NamedTemporaryFile("w", dir=KEPT, suffix=".part", encoding="utf-8", delete=False) as part:
        nbformat.write(made, part)
    Path(part.name).replace(kept)
    return made


def run(notebook: NotebookNode) -> NotebookNode:
    """Run all cells in a kernel that knows nothing of whoever runs it, and keep the state of the widgets."""
    from nbclient import NotebookClient

    home = KEPT / "ipython"
    home.mkdir(parents=True, exist_ok=True)
    client = NotebookClient(notebook, timeout=_SECONDS, kernel_name="python3", record_timing=False)
    client.log.setLevel(ERROR)
    client.extra_arguments = [f"--log-level={ERROR}"]
    client.execute(env=os.environ | {"IPYTHONDIR": str(home)}, cwd=str(ROOT / "docs" / "notebooks"))
    return notebook


def settled(notebook: NotebookNode) -> NotebookNode:
    """Take out what chance decides: random names of widgets, widgets that are not shown, how printed text was cut."""
    for cell in notebook.cells:
        if "outputs" in cell:
            cell["outputs"] = joined(cell.outputs)
    saved = notebook.metadata.get("widgets", {}).get(STATE, {})
    models: dict[str, Any] = saved.get("state", {})
    names: dict[str, str] = {}

    def meet(id: str) -> None:
        if id in models and id not in names:
            names[id] = f"{len(names) + 1:032x}"
            for other in re.findall(r'"IPY_MODEL_(\w+)"', json.dumps(models[id])):
                meet(other)

    for bundle in shown(notebook):
        meet(bundle[VIEW]["model_id"])
    for bundle in shown(notebook):
        bundle[VIEW]["model_id"] = names.get(bundle[VIEW]["model_id"], "")
    if models:
        text = json.dumps({id: models[id] for id in names})
        saved["state"] = json.loads(re.sub(r"[0-9a-f]{32}", lambda found: names.get(found[0], found[0]), text))
    return notebook


def joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join printed texts that follow one another: a kernel cuts them wherever its clock says."""
    whole: list[NotebookNode] = []
    for output in outputs:
        if whole and output.output_type == whole[-1].output_type == "stream" and output.name == whole[-1].name:
            whole[-1].text += output.text
        else:
            whole.append(output)
    return whole


def shown(notebook: NotebookNode) -> list[NotebookNode]:
    """Give the outputs of a notebook that are widgets."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [output.data for output in outputs if VIEW in output.get("data", {})]


def read(text: str) -> NotebookNode:
    """Give a notebook with its outputs to MyST-NB, each panel above what is shown where no script runs."""
    notebook = executed(text)
    for output in (output for cell in notebook.cells for output in cell.get("outputs", ())):
        if "text/html" in output.get("data", {}):
            # pandas heads the column of names with nothing, which a screen reader would read out.
            output.data["text/html"] = output.data["text/html"].replace("<th></th>", "<td></td>")
    for bundle in shown(notebook):
        view = json.dumps(bundle.pop(VIEW))
        still = bundle.get("text/html") or f"<p>{escape(bundle['text/plain'])}</p>"
        bundle["text/html"] = f'<div><div data-unscripted>{still}</div><script type="{VIEW}">{view}</script></div>'
    return notebook


def pages_to_read(_: Sphinx, env: BuildEnvironment, *_changes: object) -> list[str]:
    """Have the notebooks read again when our code has changed."""
    before, now = getattr(env, "notebooks_digest", ""), digest()
    env.notebooks_digest = now  # type: ignore[attr-defined]
    return [] if before == now else [page for page in env.found_docs if env.doc2path(page).suffix == ".ipynb"]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Hand notebooks to MyST-NB as it should show them."""
    app.setup_extension("myst_nb")
    app.config.nb_custom_formats = {".ipynb": "notebooks.read"}
    app.config.nb_execution_mode = "off"
    app.config.nb_ipywidgets_js = {"saved.js": {}}
    app.connect("env-get-outdated", pages_to_read)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
