// The worker behind a page: Pyodide with the core of dicedocs, which answers the messages of the page one by one.

const here = new URL(".", import.meta.url);

const load = async () => {
  // The newest one; without a network the last one.
  const list = (/** @type {RequestCache} */ cache) => fetch(new URL("manifest.json", here), { cache });
  const listed = await list("no-cache").catch(() => list("force-cache"));
  if (!listed.ok) throw new Error(`manifest.json: ${listed.status}`);
  const manifest = await listed.json();
  let loaded = 0;
  const plain = self.fetch.bind(self);
  // Pyodide says nothing about what it loads, and waits for ever if it gets none, so whatever it fetches is counted.
  self.fetch = async (/** @type {any} */ address, /** @type {RequestInit | undefined} */ options) => {
    const lost = (/** @type {unknown} */ why) => postMessage({ failed: `${new URL(address, here).pathname}: ${why}` });
    const response = await plain(address, options).catch((error) => {
      lost(error.message);
      throw error;
    });
    if (!response.ok) lost(response.status);
    if (!response.ok || !response.body) return response;
    const count = new TransformStream({
      transform(chunk, out) {
        postMessage({ loaded: (loaded += chunk.length), total: manifest.total });
        out.enqueue(chunk);
      },
    });
    const { status, headers } = response;
    return new Response(response.body.pipeThrough(count), { status, headers });
  };
  const core = fetch(new URL(manifest.core, here), { integrity: manifest.integrity }).then((response) => response.arrayBuffer());
  const runtime = new URL(manifest.runtime, here).href;
  const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
  const py = await loadPyodide({ indexURL: runtime });
  self.fetch = plain;
  py.unpackArchive(await core, "zip", { extractDir: "/lib/dicedocs" });
  py.globals.set("manifest", JSON.stringify(manifest));
  return py.runPython(`
import json, sys
sys.path.insert(0, "/lib/dicedocs")
from dicedocs.panel.page_player import PagePlayer
manifest = json.loads(manifest)
folders = [f"/lib/dicedocs/{name}" for name in manifest["catalogues"]]
player = PagePlayer(manifest["modules"], manifest["language"], folders)
lambda message: json.dumps(player.receive(json.loads(message)))
`);
};

const loading = load();
loading.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: `${error.message ?? error}`.trim().split("\n").at(-1) }),
);
onmessage = async ({ data: { n, message } }) => {
  const receive = await loading;
  postMessage({ n, answer: JSON.parse(receive(JSON.stringify(message))) });
};
