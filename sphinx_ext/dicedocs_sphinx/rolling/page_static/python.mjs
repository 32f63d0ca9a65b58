// Python in a worker: one a page, started when it is first needed, and ended when it does not answer. It is asked one
// thing at a time, so that what never ends harms nothing else: whatever waits is asked of a new worker.

/** @typedef {{ start: () => void, ready: () => boolean, ask: (message: Asked | (() => Asked)) => Promise<any>, onProgress: (show: (text: string) => void, status: HTMLElement) => () => void, integrity: () => Record<string, string> }} Python */
/** @typedef {{ key: string, do: string, example: object, text?: object, link?: string }} Asked */

const HEARD = 10_000; // ms until progress is spoken again
const ANSWER_SECONDS = 20, LOAD_SECONDS = 60; // without an answer, or without any progress while it loads

// A browser may have no room for it, or not allow it.
const stored = (/** @type {string} */ name) => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "[]");
  } catch {
    return [];
  }
};
const store = (/** @type {string} */ name, /** @type {unknown} */ what) => {
  try {
    sessionStorage.setItem(name, JSON.stringify(what));
  } catch {}
};

/**
 * @param {string} address of the worker
 * @param {{ texts: Record<string, string>, manifest: string, integrity: Record<string, string> }} book
 * @param {string} cache where it keeps what it has loaded; empty for nowhere
 * @param {() => void} [started] called whenever it has started
 * @returns {Python}
 */
export const python = (address, { texts, manifest, integrity: digests }, cache, started) => {
  /** @type {Worker | undefined} */
  let worker;
  let timer = 0, ready = false, progress = "";
  /** @type {Record<string, string>} of the files of the site, once it is ready */
  let integrity = {};
  /** @typedef {{ message: Asked | (() => Asked), resolve: (answer: any) => void, reject: (error: Error) => void }} Question */
  const waiting = /** @type {Question[]} */ ([]);
  /** @type {Question & { message: Asked } | undefined} */
  let asked;
  const watching = /** @type {Set<(text: string) => void>} */ (new Set());
  // What a new worker must know of each example, and the examples that the present one knows. Until its tab is closed a
  // page that is loaded again knows it too, while it has the same examples and is played by the same games.
  const tab = `dicedocs ${location.pathname} ${digests[manifest]}`, id = (/** @type {Asked} */ { key, example }) => JSON.stringify([key, example]);
  const kept = /** @type {Map<string, unknown>} */ (new Map(stored(tab))), known = /** @type {Set<string>} */ (new Set());

  const end = (/** @type {string} */ message) => {
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
    // Where it did not even start there is nothing to wait for.
    const lost = ready ? [asked] : [asked, ...waiting.splice(0)];
    asked = undefined;
    for (const one of lost) one?.reject(new Error(message));
    if (waiting.length) start();
  };
  const limit = (/** @type {number} */ seconds) => {
    clearTimeout(timer);
    timer = setTimeout(end, seconds * 1000, texts.ended.replace("{seconds}", `${seconds}`));
  };
  const next = () => {
    const first = ready && worker && !asked && waiting.shift();
    if (!first || !worker) return;
    // What a message says of the page is what is there when it is sent.
    const message = typeof first.message === "function" ? first.message() : first.message, { key } = message;
    asked = { ...first, message };
    worker.postMessage({ message: known.has(key) ? message : { ...message, kept: kept.get(id(message)) } });
    known.add(key);
    limit(ANSWER_SECONDS);
  };
  const report = (/** @type {string} */ text) => {
    progress = text;
    for (const show of watching) show(text);
  };
  const failed = (/** @type {string} */ error) => end(texts.failed.replace("{error}", () => error));
  const take = (/** @type {any} */ answer) => {
    clearTimeout(timer);
    if (!asked) return;
    const { message, resolve, reject } = asked;
    asked = undefined;
    if (answer.kept) {
      kept.set(id(message), answer.kept);
      store(tab, [...kept]);
    }
    if (answer.error) reject(new Error(answer.error));
    else resolve(answer);
    // The page shows the answer first.
    setTimeout(next);
  };

  const start = () => {
    if (worker) return;
    ready = false;
    known.clear();
    worker = new Worker(address, { type: "module" });
    worker.onerror = (event) => failed(event.message ?? "worker.mjs");
    worker.onmessage = ({ data }) => {
      if (data.reload) return end(texts.reload);
      if (data.failed !== undefined) return failed(data.failed);
      if (data.changed !== undefined) return failed(texts.changed.replace("{file}", data.changed));
      if (data.answer) return take(data.answer);
      if (data.ready) {
        clearTimeout(timer);
        ready = true;
        ({ integrity } = data);
        // What is asked is said until it is answered.
        if (!waiting.length) report("");
        started?.();
        return next();
      }
      const mb = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
      const { loaded, total } = data, text = total ? texts.loading : texts.loading_some;
      report(total && loaded >= total ? texts.starting : text.replace("{loaded}", mb(loaded)).replace("{total}", mb(total)));
      limit(LOAD_SECONDS);
    };
    worker.postMessage({ manifest, integrity: digests[manifest], cache });
    report(texts.starting);
    limit(LOAD_SECONDS);
  };
  return {
    start,
    ready: () => ready && Boolean(worker),
    integrity: () => integrity,
    ask: (message) => new Promise((resolve, reject) => {
      waiting.push({ message, resolve, reject });
      start();
      next();
    }),
    // It shows how far something is, and speaks it from time to time.
    onProgress(show, status) {
      let last = -Infinity;
      const tell = (/** @type {string} */ text) => {
        show(text);
        if (performance.now() - last < HEARD) return;
        last = performance.now();
        status.textContent = text;
      };
      watching.add(tell);
      if (worker && !ready) tell(progress);
      return () => void watching.delete(tell);
    },
  };
};
