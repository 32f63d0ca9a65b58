// Compiles the standard library of Pyodide: node compile.mjs FOLDER-OF-PYODIDE NEW-ARCHIVE
//
// The archive on npm holds sources, and compiling them would be most of the time until a page rolls. Only the same
// Python writes bytecode that it can read, so Pyodide itself compiles them here.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, archive] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const py = await loadPyodide({ indexURL: `${folder}/` });
py.FS.writeFile("/sources.zip", readFileSync(`${folder}/python_stdlib.zip`));
py.runPython(`
from importlib._bootstrap_external import _code_to_timestamp_pyc
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

with ZipFile("/sources.zip") as sources, ZipFile("/compiled.zip", "w", ZIP_DEFLATED, compresslevel=9) as compiled:
    for name in sorted(sources.namelist()):
        data = sources.read(name)
        if name.endswith(".py"):
            # No path of this machine is in the code object, and no time in the archive: the same input, the same bytes.
            data = bytes(_code_to_timestamp_pyc(compile(data, f"/lib/{name}", "exec", dont_inherit=True), 0, 0))
            name += "c"
        entry = ZipInfo(name)
        entry.compress_type = ZIP_DEFLATED
        compiled.writestr(entry, data)
`);
writeFileSync(archive, py.FS.readFile("/compiled.zip"));
