// Python in a worker: one a page, started when it is first needed, and ended when it does not answer.

/** @typedef {{ start: () => void, ask: (message: object) => Promise<any>, onProgress: (show: (text: string) => void) => () => void, integrity: () => Record<string, string> }} Python */

const ANSWER_SECONDS = 20, LOAD_SECONDS = 60; // without an answer, or without any progress while it loads

/**
 * @param {URL} address of the worker
 * @param {{ texts: Record<string, string>, manifest: string, integrity: Record<string, string> }} book
 * @param {() => void} [started] called whenever it has started
 * @returns {Python}
 */
export const python = (address, { texts, manifest, integrity: digests }, started) => {
  /** @type {Worker | undefined} */
  let worker;
  let n = 0, timer = 0, ready = false, progress = "";
  /** @type {Record<string, string>} of the files of the site, once it is ready */
  let integrity = {};
  /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  /** @type {Set<(text: string) => void>} */
  const watching = new Set();

  const end = (/** @type {string} */ message) => {
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
    const all = [...waiting.values()];
    waiting.clear();
    for (const one of all) one.reject(new Error(message));
  };
  const watch = () => {
    clearTimeout(timer);
    const seconds = ready ? ANSWER_SECONDS : LOAD_SECONDS;
    if (waiting.size || !ready) timer = setTimeout(end, seconds * 1000, texts.ended.replace("{seconds}", `${seconds}`));
  };
  const report = (/** @type {string} */ text) => {
    progress = text;
    for (const show of watching) show(text);
  };
  const failed = (/** @type {string} */ error) => end(texts.failed.replace("{error}", () => error));

  const start = () => {
    if (worker) return;
    ready = false;
    worker = new Worker(address, { type: "module" });
    worker.onerror = (event) => failed(event.message ?? "worker.mjs");
    worker.onmessage = ({ data }) => {
      if (data.reload) return end(texts.reload);
      if (data.failed !== undefined) return failed(data.failed);
      if (data.changed !== undefined) return failed(texts.changed.replace("{file}", data.changed));
      if (data.loaded !== undefined) {
        const mb = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
        const { loaded, total } = data, text = total ? texts.loading : texts.loading_some;
        report(total && loaded >= total ? texts.starting : text.replace("{loaded}", mb(loaded)).replace("{total}", mb(total)));
      } else if (data.ready) {
        ready = true;
        ({ integrity } = data);
        report("");
        started?.();
      } else {
        const { resolve, reject } = waiting.get(data.n) ?? {};
        waiting.delete(data.n);
        if (data.answer.error) reject?.(new Error(data.answer.error));
        else resolve?.(data.answer);
      }
      watch();
    };
    worker.postMessage({ manifest, integrity: digests[manifest] });
    report(texts.starting);
    watch();
  };
  return {
    start,
    integrity: () => integrity,
    ask: (message) => new Promise((resolve, reject) => {
      start();
      waiting.set(++n, { resolve, reject });
      worker?.postMessage({ n, message });
      watch();
    }),
    onProgress(show) {
      watching.add(show);
      if (worker && !ready) show(progress);
      return () => void watching.delete(show);
    },
  };
};
