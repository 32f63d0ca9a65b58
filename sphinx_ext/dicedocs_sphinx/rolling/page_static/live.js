// Makes the examples of a page playable. A script of its own, since a page from a file cannot load modules or workers:
// there, and in browsers without what it needs, the page stays as it is.
(() => {
  const SECONDS = 60; // within which a module must come
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const stayStill = () => document.documentElement.classList.add("dice-still-page");
  if (/^https?:$/.test(location.protocol) && "WebAssembly" in window && CSS.supports("selector(:has(a))")) {
    const book = JSON.parse(script.dataset.dicedocs ?? "{}");
    const check = (/** @type {string} */ name, /** @type {string} */ integrity) => new Promise((resolve, reject) => {
      const { href } = new URL(name, script.src), changed = Error(book.texts.changed.replace("{file}", name));
      const link = Object.assign(document.createElement("link"), { rel: "modulepreload", href, integrity, onload: resolve });
      link.onerror = () => fetch(href, { method: "HEAD" }).then(({ ok, status }) =>
        reject(ok ? changed : Error(`${name}: ${status}`)), reject);
      if (!integrity) reject(changed);
      else if (link.relList.supports("modulepreload")) document.head.append(link);
      else resolve(null);
    });
    /** @type {Record<string, Promise<any>>} */
    const checks = {};
    // A server may accept and never answer.
    const late = () => new Promise((_, reject) =>
      setTimeout(reject, SECONDS * 1000, Error(book.texts.ended.replace("{seconds}", `${SECONDS}`))));
    // A module is checked by its link, which loads it, and those that it imports by theirs; the import finds them there.
    const load = async (/** @type {string} */ name, /** @type {string[]} */ others = [], digests = book.integrity) => {
      const checked = Promise.all([name, ...others].map((one) => (checks[one] ??= check(one, digests[one]))));
      return Promise.race([checked.then(() => import(new URL(name, script.src).href)), late()]);
    };
    const start = () => load(`page.mjs?v=${book.version}`).then((page) => page.start(book, load)).catch((error) => {
      stayStill();
      throw error;
    });
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
    else start();
  } else stayStill();
})();
