// Keeps what pages roll with, and the pages that were read, for when there is no network. With one nothing comes from
// here: whatever is asked for is fetched, as without it. The build writes `dicedocs` before this text, and with it
// changes whenever a file does; all that was kept is then replaced.

const worker = /** @type {any} */ (self), { scope } = worker.registration;
/** @type {{ version: string, files: Record<string, string> }} */
const { version, files } = worker.dicedocs;
const MINE = `dicedocs ${scope} `, NAME = MINE + version;
const rolling = new Map(Object.entries(files).map(([file, integrity]) => [new URL(file, scope).href, integrity]));

const install = async () => {
  const cache = await caches.open(NAME);
  const keep = async (/** @type {[string, string]} */ [href, integrity]) => {
    // What has a digest has it in its address too, so what the page or an earlier build has loaded is the same.
    const loaded = integrity && (await caches.match(href));
    const response = loaded || (await fetch(href, { integrity }));
    if (!response.ok) throw new Error(`${href}: ${response.status}`);
    await cache.put(href, response);
  };
  await Promise.all([...rolling].map(keep));
  await worker.skipWaiting();
};

const activate = async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith(MINE) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
};

const isOurs = (/** @type {string} */ href) => href.startsWith(scope) || rolling.has(href);

// A search has its words in the address of its page, which is the same file.
const keyOf = (/** @type {Request} */ request) => request.mode === "navigate" ? request.url.split(/[?#]/)[0] : request;

const answer = async (/** @type {any} */ event) => {
  const { request } = event, cache = await caches.open(NAME);
  try {
    const response = await fetch(request);
    if (response.status === 200 && !rolling.has(request.url)) event.waitUntil(cache.put(keyOf(request), response.clone()));
    return response;
  } catch (error) {
    const kept = await cache.match(keyOf(request), { ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
};

// The page that was open when this came, and what it had loaded.
const keepOpen = async (/** @type {string[]} */ addresses) => {
  const cache = await caches.open(NAME), wanted = new Set(addresses.filter((href) => isOurs(href) && !rolling.has(href)));
  // Not those that the browser has kept from before this build.
  await Promise.allSettled([...wanted].map((href) => cache.add(new Request(href, { cache: "no-cache" }))));
};

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(keepOpen(event.data)));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method === "GET" && isOurs(event.request.url)) event.respondWith(answer(event));
});
