// The worker behind a page: Pyodide with the core of dicedocs, which answers the messages of the page one by one.

const here = new URL(".", import.meta.url);

const sha256 = async (/** @type {BlobPart[]} */ parts) => {
  const digest = await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer());
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
};

/**
 * Returns the list that the page names, whose rules its text is about: any other is that of another build.
 * @param {string} address
 * @param {string} integrity
 */
const list = async (address, integrity) => {
  const { href } = new URL(address, here);
  const read = (/** @type {RequestCache} */ cache) => fetch(href, { cache, integrity });
  const wrong = async (/** @type {Error} */ { message }) => {
    const other = await fetch(href).catch(() => self.caches?.match(href, { ignoreSearch: true }));
    if (other?.ok) postMessage({ reload: true });
    throw new Error(`manifest.json: ${other?.status ?? message}`);
  };
  // Without a network, the last one.
  return (await read("no-cache").catch(() => read("force-cache")).catch(wrong)).json();
};

/**
 * @param {string} address of the list
 * @param {string} integrity
 * @param {string} cache where the service worker, when it comes, finds what was loaded; empty if none will come
 */
const load = async (address, integrity, cache) => {
  // The smallest module there is: where a policy forbids WebAssembly that is said here, and not hidden by Pyodide.
  new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  const manifest = await list(address, integrity);
  /** @type {Map<string, string>} */
  const digests = new Map();
  for (const [name, integrity] of Object.entries(manifest.integrity)) digests.set(new URL(name, here).href, integrity);
  let loaded = 0;
  const plain = self.fetch.bind(self);
  // Pyodide says nothing about what it loads, and waits for ever if it gets none, so whatever it fetches is counted, and
  // checked here: checked by `fetch` it would come all at once, and be compiled only then.
  const counted = async (/** @type {string} */ href, /** @type {RequestInit} */ options = {}) => {
    const { pathname } = new URL(href), digest = digests.get(href);
    const lost = (/** @type {unknown} */ why) => postMessage({ failed: `${pathname}: ${why}` });
    const response = await plain(href, options).catch((error) => {
      lost(error.message);
      throw error;
    });
    if (!response.ok) lost(response.status);
    if (!response.ok || !response.body) return response;
    /** @type {BlobPart[]} */
    const chunks = [];
    const count = new TransformStream({
      transform(chunk, out) {
        postMessage({ loaded: (loaded += chunk.length), total: manifest.total });
        chunks.push(chunk);
        out.enqueue(chunk);
      },
      // A file that is not the one that was built never ends, so nothing runs it.
      async flush() {
        if (digest && crypto.subtle && digest !== (await sha256(chunks))) {
          postMessage({ changed: pathname.split("/").at(-1) });
          throw new Error(pathname);
        }
        // Not every window has a cache, or room in it.
        if (digest && cache) self.caches?.open(cache).then((kept) => kept.put(href, new Response(new Blob(chunks), { headers }))).catch(() => {});
      },
    });
    const { status, headers } = response;
    return new Response(response.body.pipeThrough(count), { status, headers });
  };
  const runtime = new URL(manifest.runtime, here).href, core = new URL(manifest.core, here).href;
  // All at once: Pyodide itself would ask for some only when it has others.
  /** @type {Map<string, Promise<Response>>} */
  const early = new Map();
  for (const href of digests.keys()) if (href === core || href.startsWith(runtime)) early.set(href, counted(href));
  self.fetch = (/** @type {any} */ address, /** @type {RequestInit | undefined} */ options) => {
    const { href } = new URL(address, here);
    return early.get(href) ?? counted(href, options);
  };
  // There is no check for modules of a worker, so they are fetched with one before they are imported.
  const modules = [...early].filter(([href]) => href.endsWith(".mjs"));
  await Promise.all(modules.map(async ([, response]) => (await response).arrayBuffer()));
  const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
  const py = await loadPyodide({ indexURL: runtime });
  self.fetch = plain;
  py.unpackArchive(await (await early.get(core))?.arrayBuffer(), "zip", { extractDir: "/lib/dicedocs" });
  py.globals.set("manifest", JSON.stringify(manifest));
  const receive = py.runPython(`
import json, sys
manifest = json.loads(manifest)
sys.path[:0] = ["/lib/dicedocs", *(f"/lib/dicedocs/{path}" for path in manifest["paths"])]
from dicedocs.panel.page_player import PagePlayer
folders = [f"/lib/dicedocs/{name}" for name in manifest["catalogues"]]
player = PagePlayer(folders=folders, **manifest["player"])
lambda message: json.dumps(player.receive(json.loads(message)))
`);
  postMessage({ ready: true, integrity: manifest.integrity });
  return receive;
};

/** @type {Promise<(message: string) => string>} */
let loading;
onmessage = async ({ data: { manifest, integrity, cache, message } }) => {
  if (manifest) loading = load(manifest, integrity, cache);
  const receive = await loading;
  if (message) postMessage({ answer: JSON.parse(receive(JSON.stringify(message))) });
};
// What fails while it loads, and what Pyodide does not pass on.
onunhandledrejection = ({ reason }) => postMessage({ failed: `${reason?.message ?? reason}`.trim().split("\n").at(-1) });
