"""Executes the notebooks of the documentation when MyST-NB reads them.

MyST-NB calls :func:`read` for each notebook (``nb_custom_formats``) and executes nothing itself. Executed notebooks are
cached in ``build/notebooks`` until the notebook or our code changes, so that the site, the doctest builder and the
tests execute each once. The same notebook gives the same page, byte for byte. The page shows a panel in its last state
or, where no script runs, the outcome that its cell displayed.
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
from logging import ERROR, getLogger
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from nbformat import NotebookNode
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment
    from sphinx.util.typing import ExtensionMetadata

ROOT: Final = Path(__file__).resolve().parents[2]
CACHE: Final = ROOT / "build" / "notebooks"
CODE: Final = ("dicedocs", "widgets/dicedocs_widgets", "docs/_ext/notebooks.py")
"""The code that the outputs of a notebook depend on."""
PACKAGES: Final = ("anywidget", "ipykernel", "ipywidgets", "nbclient", "traitlets")
"""Packages whose versions the outputs depend on."""
VIEW: Final = "application/vnd.jupyter.widget-view+json"
STATE: Final = "application/vnd.jupyter.widget-state+json"
_TIMEOUT: Final = 120
"""The maximum number of seconds for a cell."""


@cache
def digest() -> str:
    """Return the digest of everything, except the notebook itself, that its outputs depend on."""
    total = sha256(f"{sys.version} {[version(package) for package in PACKAGES]}".encode())
    for name in CODE:
        path = ROOT / name
        files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.suffix != ".pyc")
        for file in filter(Path.is_file, files):
            total.update(f"{file.relative_to(ROOT)}\0".encode())
            total.update(sha256(file.read_bytes()).digest())
    return total.hexdigest()


def executed(text: str) -> NotebookNode:
    """Return a notebook with its outputs, executed or from the cache.

    Parameters:
        text: the content of the notebook's file, without outputs.

    Raises:
        CellExecutionError: a cell raised an exception.
    """
    import nbformat

    notebook: NotebookNode = nbformat.reads(text, as_version=4)
    title = re.sub(r"\W+", "-", notebook.cells[0].source.partition("\n")[0]).strip("-").lower()
    path = CACHE / f"{title}.{sha256(f'{digest()}{text}'.encode()).hexdigest()[:16]}.ipynb"
    if path.is_file():
        cached: NotebookNode = nbformat.read(path, as_version=4)
        return cached
    notebook = reproducible(run(notebook))
    CACHE.mkdir(parents=True, exist_ok=True)
    for outdated in CACHE.glob(f"{title}.*.ipynb"):
        outdated.unlink(missing_ok=True)
    # Another build may write the same file at the same time.
    with NamedTemporaryFile("w", dir=CACHE, suffix=".part", encoding="utf-8", delete=False) as part:
        nbformat.write(notebook, part)
    Path(part.name).replace(path)
    return notebook


def run(notebook: NotebookNode) -> NotebookNode:
    """Execute all cells in a kernel without the user's IPython settings, and save the widgets' state."""
    from nbclient import NotebookClient

    home = CACHE / "ipython"
    home.mkdir(parents=True, exist_ok=True)
    # A logger of its own: by default nbclient shares that of every widget in this process.
    log = getLogger(__name__)
    log.setLevel(ERROR)
    client = NotebookClient(notebook, timeout=_TIMEOUT, kernel_name="python3", record_timing=False, log=log)
    client.extra_arguments = [f"--log-level={ERROR}"]
    client.execute(env=os.environ | {"IPYTHONDIR": str(home)}, cwd=str(ROOT / "docs" / "notebooks"))
    return notebook


def reproducible(notebook: NotebookNode) -> NotebookNode:
    """Renumber the widgets' random ids, remove widgets that are not displayed, and join the parts of printed text."""
    for cell in notebook.cells:
        if "outputs" in cell:
            cell["outputs"] = joined(cell.outputs)
    saved = notebook.metadata.get("widgets", {}).get(STATE, {})
    models: dict[str, Any] = saved.get("state", {})
    names: dict[str, str] = {}

    def visit(id: str) -> None:
        if id in models and id not in names:
            names[id] = f"{len(names) + 1:032x}"
            for other in re.findall(r'"IPY_MODEL_(\w+)"', json.dumps(models[id])):
                visit(other)

    bundles = widget_outputs(notebook)
    for bundle in bundles:
        visit(bundle[VIEW]["model_id"])
    for bundle in bundles:
        bundle[VIEW]["model_id"] = names.get(bundle[VIEW]["model_id"], "")
    if models:
        text = json.dumps({id: models[id] for id in names})
        saved["state"] = json.loads(re.sub(r"[0-9a-f]{32}", lambda match: names.get(match[0], match[0]), text))
    return notebook


def joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join consecutive stream outputs, which a kernel splits at arbitrary moments."""
    whole: list[NotebookNode] = []
    for output in outputs:
        if whole and output.output_type == whole[-1].output_type == "stream" and output.name == whole[-1].name:
            whole[-1].text += output.text
        else:
            whole.append(output)
    return whole


def widget_outputs(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the MIME bundles of the outputs that are widgets."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [output.data for output in outputs if VIEW in output.get("data", {})]


def read(text: str) -> NotebookNode:
    """Return an executed notebook for MyST-NB, with a replacement in each panel for browsers without scripts."""
    notebook = executed(text)
    for output in (output for cell in notebook.cells for output in cell.get("outputs", ())):
        if "text/html" in output.get("data", {}):
            # pandas gives the index column an empty heading, which screen readers announce, and its tables a style,
            # which an e-book must not contain.
            html = output.data["text/html"].replace("<th></th>", "<td></td>")
            output.data["text/html"] = re.sub(r"<style scoped>.*?</style>\n*", "", html, flags=re.DOTALL)
    for bundle in widget_outputs(notebook):
        view = json.dumps(bundle.pop(VIEW))
        static = bundle.get("text/html") or f"<p>{escape(bundle['text/plain'])}</p>"
        bundle["text/html"] = f'<div><div data-unscripted="">{static}</div><script type="{VIEW}">{view}</script></div>'
    return notebook


def pages_to_read(_: Sphinx, env: BuildEnvironment, *_changes: object) -> list[str]:
    """Return all notebooks if our code has changed since the last build."""
    old, new = getattr(env, "notebooks_digest", ""), digest()
    env.notebooks_digest = new  # type: ignore[attr-defined]
    return [] if old == new else [page for page in env.found_docs if env.doc2path(page).suffix == ".ipynb"]


def setup(app: Sphinx) -> ExtensionMetadata:
    """Configure MyST-NB to read notebooks with :func:`read`."""
    app.setup_extension("myst_nb")
    app.config.nb_custom_formats = {".ipynb": "notebooks.read"}
    app.config.nb_execution_mode = "off"
    app.config.nb_ipywidgets_js = {"saved.js": {}}
    app.connect("env-get-outdated", pages_to_read)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
