// What keys do in a panel, and when the help of its fields is shown.

/** @import { HandleKeys } from "./wire" */

/** @type {HandleKeys} */
export const handleKeys = (root, { enter, undo, redo }) => {
  // The help of a field is shown over the labels of its row until somebody types.
  const hideHelp = (/** @type {boolean} */ on) => root.classList.toggle("dd-quiet", on);
  root.oninput = () => hideHelp(true);
  root.onpointerover = () => hideHelp(false);
  root.addEventListener("focusin", () => hideHelp(false));
  root.onkeydown = (event) => {
    const target = /** @type {HTMLElement} */ (event.target), control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase(), entering = event.key === "Enter";
    const redoing = control && (key === "y" || (key === "z" && event.shiftKey)), undoing = control && key === "z" && !redoing;
    if ((undoing || redoing) && undo.hidden) return; // the table does it
    if ((undoing || redoing) && !target.matches("textarea, input:not([type])")) {
      (undoing ? undo : redo).click();
      event.preventDefault(); // the browser would also undo what was typed last, in whatever box
    }
    const selecting = entering && target.matches("form select");
    if (selecting && !event.repeat) enter();
    // The list of a select would open, and take the next Enter.
    if (selecting || (entering && event.repeat)) event.preventDefault();
    // JupyterLab would handle the rest: d d on a focused button deletes the cell.
    if (undoing || redoing || (!control && !event.altKey)) event.stopPropagation();
    if (event.key === "Escape") hideHelp(true);
  };
};
