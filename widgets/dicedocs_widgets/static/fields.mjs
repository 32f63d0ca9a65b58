// The fields of a panel: those of its mechanic, and those that every panel has.

/** @import { Field, FieldError, Fields, State } from "./wire" */
import { labelled } from "./controls.mjs";
import { assign, button, h } from "./elements.mjs";
import { errorMessage } from "./errors.mjs";
import { say } from "./texts.mjs";

/** @type {() => Field[]} */
const everyPanelsFields = () => [
  { name: "label", label: say("label"), help: say("label_help"), required: false, default: "", control: { kind: "text" } },
  { name: "seed", label: say("seed"), help: say("seed_help"), required: false, default: "", control: { kind: "text" } },
  { name: "lock", label: say("lock"), help: say("lock_help"), required: false, default: "", control: { kind: "truth" } },
  { name: "faces", label: say("faces"), help: say("faces_help"), required: false, default: say("faces_example"), control: { kind: "text" } },
];

/** @type {Fields} */
export const panelFields = (form, parts, view, { isChanged, change, ask }) => {
  /** @type {ReturnType<typeof errorMessage>[]} */
  const errors = [];
  /** @param {Field} field @param {string} section @param {(state: State) => [value: any, error?: FieldError | null]} read */
  const createField = (field, section, read) => {
    const { name, help } = field, key = `${section}.${name}`, id = `${view}-${key}`, error = errorMessage(`${id}-wrong`);
    const send = (/** @type {any} */ value) => change(key, section, name, key === ".lock" ? value === "true" : value);
    const helpText = h("p", { id: `${id}-help`, className: "dd-help" }, help);
    const { node, input, show } = labelled(field, id, send, ...error.nodes);
    node.prepend(helpText);
    (input ?? node).setAttribute("aria-describedby", `${id}-help ${id}-bounds ${id}-wrong`);
    node.addEventListener("focusout", () => error.speak());
    errors.push(error);
    return { node, show(/** @type {State} */ state) {
      if (isChanged(key)) return;
      const [value, fieldError] = read(state);
      // The table has the values of a character beside the log.
      node.hidden = !!state.seated && field.control.kind === "resources" && !fieldError && !!state.characters?.some(({ slot, chosen }) => slot === name && chosen >= 0);
      show(value, state);
      error.show(fieldError);
      if (input) assign(input, { ariaInvalid: !!fieldError });
    } };
  };
  const own = form.fields.map((field) => {
    const { name } = field, section = name in parts ? "parts" : "texts";
    return createField(field, section, (state) => [state[section][name], state.errors[name]]);
  });
  const advanced = own.filter((_, index) => form.fields[index].advanced);
  const [label, seed, lock, thrown] = everyPanelsFields();
  const common = [createField(label, "", (state) => [state.label]), createField(seed, "", (state) => [state.seed, state.seed_error]), createField(lock, "", (state) => [`${state.lock}`])];
  common[0].node.classList.add("dd-wide");
  common[1].node.classList.add("dd-is-seed");
  common[1].node.querySelector("label + *")?.after(button(say("next"), () => ask("next-seed"), { ariaLabel: say("next_seed") }));
  const faces = createField(thrown, "", (state) => [state.faces, state.faces_error]);
  return { own, advanced, common, faces, speakErrors: () => errors.forEach((one) => one.speak(true)) };
};
