// Compiles the Python sources in an archive: node compile.mjs FOLDER-OF-PYODIDE ARCHIVE NEW-ARCHIVE LOADED-FROM [LEFT-OUT]
//
// Compiling them in a page would be most of the time until it rolls. Only the same Python writes bytecode that it can
// read, so Pyodide itself compiles them here. LOADED-FROM is the folder of the page's Python that will hold them. For the
// library of Python, LEFT-OUT are the modules that no page can use, separated by commas; it is compiled without docstrings.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, archive, compiled] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const py = await loadPyodide({ indexURL: `${folder}/` });
py.FS.writeFile("/sources.zip", readFileSync(archive));
py.globals.set("loaded_from", process.argv[5]);
py.globals.set("left_out", (process.argv[6] ?? "").split(",").filter(Boolean));
py.runPython(`
from importlib._bootstrap_external import _code_to_timestamp_pyc
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

unused = set(left_out.to_py())
with ZipFile("/sources.zip") as sources, ZipFile("/compiled.zip", "w", ZIP_DEFLATED, compresslevel=9) as compiled:
    for name in sorted(sources.namelist()):
        if name.partition("/")[0].partition(".")[0] in unused:
            continue
        data = sources.read(name)
        if name.endswith(".py"):
            # No path of this machine is in the code object, and no time in the archive: the same input, the same bytes.
            code = compile(data, f"{loaded_from}/{name}", "exec", dont_inherit=True, optimize=2 if unused else 0)
            data, name = bytes(_code_to_timestamp_pyc(code, 0, 0)), f"{name}c"
        entry = ZipInfo(name)
        entry.compress_type = ZIP_DEFLATED
        compiled.writestr(entry, data)
`);
writeFileSync(compiled, py.FS.readFile("/compiled.zip"));
