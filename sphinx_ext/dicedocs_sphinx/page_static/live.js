// Makes the examples of a page playable. A script of its own, since a page from a file cannot load modules or workers:
// there, and in browsers without what it needs, the page stays as it is.
(() => {
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  if (/^https?:$/.test(location.protocol) && "WebAssembly" in window && CSS.supports("selector(:has(a))")) {
    const book = JSON.parse(script.dataset.dicedocs ?? "{}");
    const start = async () => (await import(new URL(`page.mjs?v=${book.version}`, script.src).href)).start(book);
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
    else start();
  } else document.documentElement.classList.add("dice-still-page");
})();
