// Registers the service worker of the site, which is in its root since no other place could answer for all pages.

/** @type {Promise<void> | undefined} */
let done;

/**
 * @param {boolean} offline whether the book is to be kept; if not, an earlier build may have kept it
 * @returns {Promise<void>}
 */
export const keep = (offline) => (done ??= register(offline).catch(() => {})); // a browser may refuse, as in a private window

const register = async (/** @type {boolean} */ offline) => {
  const { serviceWorker } = navigator;
  const root = new URL("../../", import.meta.url).href, address = `${root}dicedocs-offline.js`;
  const found = (await serviceWorker.getRegistrations()).find(({ scope }) => scope === root);
  const ours = [found?.installing, found?.waiting, found?.active].some((one) => one?.scriptURL === address);
  // A site may have a service worker of its own.
  if (found && !ours) return;
  if (!offline) {
    await found?.unregister();
    for (const name of await caches.keys()) if (name.startsWith(`dicedocs ${root} `)) await caches.delete(name);
    return;
  }
  const tell = async () => {
    const { active } = await serviceWorker.ready;
    active?.postMessage([location.href.split(/[?#]/)[0], ...performance.getEntriesByType("resource").map(({ name }) => name)]);
  };
  serviceWorker.addEventListener("controllerchange", tell);
  await serviceWorker.register(address);
};
